import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "../../../base/assert.ts";
import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { OfferedRun, Orchestrator, RunWork, Worked } from "../../../ports/orchestrator.ts";
import { LaneQueue } from "./lane-queue.ts";

export interface EmbeddedOptions {
  readonly world: World;
  /** Maximum number of jobs at once, over all lanes. */
  readonly limit: number;
  /** Resolves early, without an error, when the signal is aborted. Default: a real timer. */
  readonly wait?: Wait;
}

type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * The orchestrator in this process. It keeps no state on disk: all it knows is which jobs were offered. One timer waits for
 * the next due time and reads the clock at least every `CLOCK_CHECK_MS`, because clocks are set.
 */
export function embeddedOrchestrator({ world, limit, wait = realWait }: EmbeddedOptions): Orchestrator {
  assert(Number.isInteger(limit) && limit > 0, "the limit of an orchestrator is a whole number from 1 on");
  return new EmbeddedOrchestrator(world, limit, wait);
}

/** A job from its offer until it is done. */
interface Entry {
  readonly job: OfferedRun;
  /** Order of the offers. A postponed job keeps its place in its lane; a job that is offered anew gets a new one. */
  order: number;
  /** Not before this time (ms since 1970); undefined: now. */
  due: number | undefined;
  /** After a failure: upper bound of the pause, even if the clock is set back. */
  pauseMs?: number;
  /** Failures in a row. */
  failed: number;
  /** Set while the job runs. `again`: it was offered meanwhile. */
  working?: AbortController;
  again?: { readonly due: number | undefined };
}

class EmbeddedOrchestrator implements Orchestrator {
  readonly name = "embedded";
  readonly #world: World;
  readonly #limit: number;
  readonly #wait: Wait;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = new LaneQueue<Entry>();
  readonly #running = new Set<Promise<void>>();
  readonly #settling = new Set<() => void>();
  #work: RunWork | undefined;
  #closed = false;
  #offered = 0;
  /** The clock at the last look, to detect that it was set back. */
  #lastLook = Number.NEGATIVE_INFINITY;
  #timer: { readonly at: number; readonly stop: AbortController } | undefined;

  constructor(world: World, limit: number, wait: Wait) {
    this.#world = world;
    this.#limit = limit;
    this.#wait = wait;
  }

  start(work: RunWork): void {
    assert(this.#work === undefined, "an orchestrator is started once");
    this.#work = work;
    this.#look();
  }

  async offer(job: OfferedRun, after?: number): Promise<void> {
    if (this.#closed) return;
    const due = after !== undefined && after > this.#world.now() ? after : undefined;
    const known = this.#entries.get(job.key);
    if (known?.working) known.again = { due: known.again ? earlier(known.again.due, due) : due };
    else if (known) this.#bringForward(known, due);
    else {
      const entry: Entry = { job, order: this.#offered++, due, failed: 0 };
      this.#entries.set(job.key, entry);
      this.#enqueue(entry);
    }
    this.#look();
  }

  interrupt(key: string, reason: Error): void {
    this.#entries.get(key)?.working?.abort(reason);
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#settling.delete(settle);
        resolve();
      };
      if (this.#closed) return resolve();
      this.#settling.add(settle);
      this.#look();
      return undefined;
    });
  }

  async health(): ReturnType<Orchestrator["health"]> {
    return {
      ok: !this.#closed && this.#work !== undefined,
      running: this.#running.size,
      waiting: this.#entries.size - this.#running.size,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.stop.abort();
    this.#timer = undefined;
    for (const { working } of this.#entries.values()) working?.abort(engineStopping());
    await Promise.all(this.#running);
    this.#entries.clear();
    for (const settle of this.#settling) settle();
  }

  #enqueue(entry: Entry): void {
    if (entry.due !== undefined && entry.due > this.#world.now()) return this.#queue.postpone(entry.due, entry);
    entry.due = undefined;
    this.#queue.ready(entry.job.lane, entry);
  }

  #bringForward(entry: Entry, due: number | undefined): void {
    const first = earlier(entry.due, due);
    if (first === entry.due) return;
    this.#queue.withdraw(entry.due!, entry);
    delete entry.pauseMs;
    entry.due = first;
    this.#enqueue(entry);
  }

  /** Starts every job that may run now, and sets the timer for the rest. */
  #look(): void {
    if (this.#closed) return;
    const now = this.#world.now();
    if (now < this.#lastLook) this.#queue.shorten(({ pauseMs }) => (pauseMs === undefined ? undefined : now + pauseMs));
    this.#lastLook = now;
    for (const entry of this.#queue.takeDue(now)) {
      entry.due = undefined;
      this.#queue.ready(entry.job.lane, entry);
    }
    if (!this.#work) return;
    while (this.#running.size < this.#limit) {
      const entry = this.#queue.next();
      if (!entry) break;
      this.#run(entry, this.#work);
    }
    this.#setTimer(now);
    if (this.#running.size === 0 && this.#queue.readyCount === 0) for (const settle of this.#settling) settle();
  }

  #run(entry: Entry, work: RunWork): void {
    const working = new AbortController();
    entry.working = working;
    delete entry.pauseMs;
    const { job } = entry;
    const done: Promise<void> = (async () => work(job, { signal: working.signal }))()
      .then(
        (worked) => this.#afterWork(entry, worked),
        () => this.#afterFailure(entry),
      )
      .finally(() => {
        this.#running.delete(done);
        this.#queue.free(job.lane);
        this.#look();
      });
    this.#running.add(done);
  }

  #afterWork(entry: Entry, worked: Worked): void {
    entry.failed = 0;
    const back = worked.kind === "later" ? { due: Math.max(worked.at, this.#world.now() + SHORTEST_MS) } : undefined;
    this.#finish(entry, back);
  }

  #afterFailure(entry: Entry): void {
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** entry.failed++, LONGEST_PAUSE_MS);
    entry.pauseMs = ms;
    this.#finish(entry, { due: this.#world.now() + ms });
  }

  /** Drops the entry, or enqueues it again: if the work asked for it (`back`) or it was offered meanwhile. */
  #finish(entry: Entry, back: { due: number | undefined } | undefined): void {
    const { again } = entry;
    delete entry.working;
    delete entry.again;
    if (!again && !back) {
      this.#entries.delete(entry.job.key);
      return;
    }
    if (!back) entry.order = this.#offered++;
    entry.due = again && back ? earlier(again.due, back.due) : (again ?? back)!.due;
    this.#enqueue(entry);
  }

  /** Keeps one timer, for the first postponed job and for `CLOCK_CHECK_MS` at most. */
  #setTimer(now: number): void {
    const due = this.#queue.firstDue;
    const at = due === undefined ? undefined : Math.min(due, now + CLOCK_CHECK_MS);
    if (this.#timer && at !== undefined && this.#timer.at <= at && this.#timer.at > now) return;
    this.#timer?.stop.abort();
    this.#timer = undefined;
    if (at === undefined || this.#closed) return;
    const mine = { at, stop: new AbortController() };
    this.#timer = mine;
    void (async () => {
      await this.#wait(Math.max(at - now, 1), mine.stop.signal);
      if (this.#timer !== mine) return;
      this.#timer = undefined;
      this.#look();
    })();
  }
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** Shortest pause before a job that asks to be called again at once, so that a bug in it cannot occupy the processor. */
const SHORTEST_MS = 20;
const CLOCK_CHECK_MS = 30_000;

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.min(a, b);

const realWait: Wait = (ms, signal) =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

const engineStopping = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the engine is stopping", uk: "рушій зупиняється" });
