import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "../../../base/assert.ts";
import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { Job, Orchestrator, Work, Worked } from "../../../ports/orchestrator.ts";
import { Waiting } from "./lane-queue.ts";

export interface EmbeddedOptions {
  readonly world: World;
  /** Jobs at once, in all lanes together. */
  readonly limit: number;
  /** Ends early, without a word, when the signal is given. Default: a real timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A job between being offered and being done with. */
interface Entry {
  readonly job: Job;
  /** The order of the offers: a job that was put off keeps its place in its lane, one that is offered anew gets a new one. */
  order: number;
  /** Not before then (ms since 1970); undefined: now. */
  due: number | undefined;
  /** After a failure: as long at most, however the clock is moved meanwhile. */
  pauseMs?: number;
  /** How often in a row it threw. */
  failed: number;
  /** While it is worked on: how to stop it, and whether it was offered again, for when. */
  working?: AbortController;
  again?: { readonly due: number | undefined };
}

/**
 * The orchestrator in this very process: nothing to install, and nothing to lose, because all that it knows is which jobs were
 * offered. It waits for the next due time with one timer, and looks at the clock now and then, because clocks are moved.
 */
export function embeddedOrchestrator({ world, limit, wait = realWait }: EmbeddedOptions): Orchestrator {
  assert(Number.isInteger(limit) && limit > 0, "the limit of an orchestrator is a whole number from 1 on");
  const entries = new Map<string, Entry>();
  const waiting = new Waiting<Entry>();
  const underWay = new Set<Promise<void>>();
  const settling = new Set<() => void>();
  let work: Work | undefined;
  let closed = false;
  let offered = 0;
  /** The clock at the last look: it may have been put back since. */
  let looked = Number.NEGATIVE_INFINITY;
  let timer: { readonly at: number; readonly stop: AbortController } | undefined;

  /** Puts an entry where it waits: in its lane, or among those whose time has not come. */
  const queue = (entry: Entry): void => {
    if (entry.due !== undefined && entry.due > world.now()) return waiting.putOff(entry.due, entry);
    entry.due = undefined;
    waiting.ready(entry.job.lane, entry);
  };

  const look = (): void => {
    if (closed) return;
    const now = world.now();
    if (now < looked) waiting.shorten(({ pauseMs }) => (pauseMs === undefined ? undefined : now + pauseMs));
    looked = now;
    for (const entry of waiting.due(now)) {
      entry.due = undefined;
      waiting.ready(entry.job.lane, entry);
    }
    if (!work) return;
    while (underWay.size < limit) {
      const entry = waiting.next();
      if (!entry) break;
      begin(entry, work);
    }
    watch(now);
    if (underWay.size === 0 && waiting.readyCount === 0) for (const settle of settling) settle();
  };

  const begin = (entry: Entry, worker: Work): void => {
    const working = new AbortController();
    entry.working = working;
    delete entry.pauseMs;
    const { job } = entry;
    const done: Promise<void> = (async () => worker(job, { signal: working.signal }))()
      .then(
        (worked) => ended(entry, worked),
        () => failed(entry),
      )
      .finally(() => {
        underWay.delete(done);
        waiting.free(job.lane);
        look();
      });
    underWay.add(done);
  };

  const ended = (entry: Entry, worked: Worked): void => {
    entry.failed = 0;
    if (worked.kind === "later") leave(entry, { due: Math.max(worked.at, world.now() + SHORTEST_MS) });
    else leave(entry, undefined);
  };

  const failed = (entry: Entry): void => {
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** entry.failed++, LONGEST_PAUSE_MS);
    entry.pauseMs = ms;
    leave(entry, { due: world.now() + ms });
  };

  /** The work on it is over; it comes back if it said so, or if it was offered meanwhile. */
  const leave = (entry: Entry, back: { due: number | undefined } | undefined): void => {
    const { again } = entry;
    delete entry.working;
    delete entry.again;
    if (!again && !back) {
      entries.delete(entry.job.key);
      return;
    }
    if (!back) entry.order = offered++;
    entry.due = again && back ? earlier(again.due, back.due) : (again ?? back)!.due;
    queue(entry);
  };

  /** One timer, for the first that is put off; at the latest in half a minute. */
  const watch = (now: number): void => {
    const due = waiting.firstDue;
    const at = due === undefined ? undefined : Math.min(due, now + LOOK_MS);
    if (timer && at !== undefined && timer.at <= at && timer.at > now) return;
    timer?.stop.abort();
    timer = undefined;
    if (at === undefined || closed) return;
    const mine = { at, stop: new AbortController() };
    timer = mine;
    void (async () => {
      await wait(Math.max(at - now, 1), mine.stop.signal);
      if (timer !== mine) return;
      timer = undefined;
      look();
    })();
  };

  return {
    name: "embedded",
    start(worker) {
      assert(work === undefined, "an orchestrator is started once");
      work = worker;
      look();
    },
    async offer(job, after) {
      if (closed) return;
      const due = after !== undefined && after > world.now() ? after : undefined;
      const known = entries.get(job.key);
      if (known?.working) known.again = { due: known.again ? earlier(known.again.due, due) : due };
      else if (known) {
        const first = earlier(known.due, due);
        if (first !== known.due) {
          waiting.takeBack(known.due!, known);
          delete known.pauseMs;
          known.due = first;
          queue(known);
        }
      } else {
        const entry: Entry = { job, order: offered++, due, failed: 0 };
        entries.set(job.key, entry);
        queue(entry);
      }
      look();
    },
    interrupt(key, reason) {
      entries.get(key)?.working?.abort(reason);
    },
    settled() {
      return new Promise((resolve) => {
        const settle = (): void => {
          settling.delete(settle);
          resolve();
        };
        if (closed) return resolve();
        settling.add(settle);
        look();
        return undefined;
      });
    },
    health: () =>
      Promise.resolve({
        ok: !closed && work !== undefined,
        running: underWay.size,
        waiting: entries.size - underWay.size,
      }),
    async close() {
      closed = true;
      timer?.stop.abort();
      timer = undefined;
      for (const { working } of entries.values()) working?.abort(closing());
      await Promise.all(underWay);
      entries.clear();
      for (const settle of settling) settle();
    },
  };
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** Work that asks to be called again at once is called again soon: a mistake of its own must not keep a processor busy. */
const SHORTEST_MS = 20;
const LOOK_MS = 30_000;

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.min(a, b);

const realWait = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

const closing = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the engine is stopping", uk: "рушій зупиняється" });
