import { asFailure, type Failure } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import { foldRun, type OpenRun, runStatus } from "../../domain/run/run.ts";
import type { Orchestrator } from "../../ports/orchestrator.ts";
import { putStatus } from "../core/flow/finish-run.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { type Pause, realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import type { Signal } from "../core/signals.ts";
import { agentLeases } from "./agent-leases.ts";
import { cancelRun } from "./cancel-run.ts";
import { awaitedEvents, deliverEvents } from "./events.ts";
import { openRunAt, openRunIds, requestAt, restoreOpenRuns } from "./open-runs.ts";
import type { RunFlow } from "./run-flow.ts";
import { lookAtSchedules } from "./schedule.ts";
import { cancelledBy, workOnRun } from "./work-on-run.ts";

export type { RunContext, RunFlow, RunFlowEnd } from "./run-flow.ts";

export interface RunsEngine {
  /** Something about this run may have changed: asked for, answered, cancelled. */
  offer(place: RunPlace): Promise<void>;
  /** Asks a run to stop: on record, and at once where it is under way in this process. */
  cancel(place: RunPlace, by: string, why?: string): Promise<void>;
  /** Settles when nothing is under way and nothing that is due waits. */
  settled(): Promise<void>;
  health(): Promise<{ readonly ok: boolean; readonly running: number; readonly waiting: number }>;
  close(): Promise<void>;
}

export interface RunsOptions {
  readonly orchestrator: Orchestrator;
  readonly flow: RunFlow;
  readonly pause?: Pause;
  /** Works on this run alone: no schedules, no events, no other run. */
  readonly only?: RunPlace;
  /** How long a process that died keeps others from its runs. */
  readonly leaseMs?: number;
  /** How often to look for what other processes did. */
  readonly lookMs?: number;
  /** What went wrong beside the runs themselves: a store that is away, an agent that cannot be read. */
  readonly tell?: (failure: Failure) => void;
}

const LEASE_MS = 15_000;
const LOOK_MS = 1000;
/** Contracts and settings change: no schedule is looked at more rarely. */
const SCHEDULE_LOOK_MS = 30_000;
const SHORTEST_LOOK_MS = 50;
const DELIVER_MS = 200;

/**
 * Works on the runs of a garden: on those that are open now, and on all that are asked for by hand, by schedule or by event.
 * All that it knows is in the store: it may be ended anywhere, started anywhere, and run beside others of its kind.
 */
export async function startRuns(garden: Garden, options: RunsOptions): Promise<RunsEngine> {
  const { orchestrator, flow, pause = realPause, only, leaseMs = LEASE_MS, lookMs = LOOK_MS } = options;
  const tell = options.tell ?? ((): void => undefined);
  const over = new AbortController();
  /** Runs that we know of and that are not over, and what they wait for. */
  const known = new Map<string, { readonly place: RunPlace; held?: string; begun?: true; shown?: true; told?: true }>();
  const loops: Promise<void>[] = [];
  /** Deliveries of events, one at a time. */
  let delivering: Promise<void> = Promise.resolve();
  let delivered = Number.NEGATIVE_INFINITY;
  let undelivered = false;

  const offer = async (place: RunPlace, after?: number): Promise<void> => {
    if (over.signal.aborted || (only && only.run !== place.run)) return;
    known.set(place.run, { ...known.get(place.run), place });
    await orchestrator.offer({ key: place.run, lane: place.slug }, after);
  };

  const deliverOnce = async (): Promise<void> => {
    if (over.signal.aborted) return;
    try {
      const { asked, failed } = await deliverEvents(garden);
      for (const place of asked) await offer(place);
      for (const failure of failed) tell(failure);
    } catch (error) {
      tell(asFailure(error));
    }
  };

  /** Reading all contracts for every run that ends would cost more than the runs: what comes soon after goes with the next. */
  const deliver = (now?: "now"): Promise<void> => {
    if (only) return Promise.resolve();
    const at = garden.world.now();
    if (now === undefined && Math.abs(at - delivered) < DELIVER_MS) {
      undelivered = true;
      return Promise.resolve();
    }
    delivered = at;
    undelivered = false;
    const before = delivering;
    delivering = (async () => {
      await before;
      await deliverOnce();
    })();
    return delivering;
  };

  /** Takes up what is open and unknown here, and what was held and has its answer. */
  const look = async (): Promise<void> => {
    const unknown: OpenRun[] = [];
    for (const run of only ? [only.run] : await openRunIds(garden.store)) {
      const there = known.get(run);
      if (!there) unknown.push(...(await entriesAt(garden, run)));
      else if (there.held !== undefined) await lookAtHeld(there.place, there.held);
      else if (!there.begun && !there.shown) await showQueued(there.place);
    }
    // In the order in which they were asked for: an id tells the second only.
    for (const entry of unknown.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) await takeUp(entry);
    if ((await garden.store.list(keys.pendingEvents, { limit: 1 })).entries.length > 0) await deliver("now");
  };

  const takeUp = async ({ slug, run, held }: OpenRun): Promise<void> => {
    const place = { slug, run };
    if (held === undefined) return await offer(place);
    known.set(run, { place, held });
    await lookAtHeld(place, held);
  };

  const lookAtHeld = async (place: RunPlace, held: string): Promise<void> => {
    const { slug, run } = place;
    const changed =
      (await garden.store.get(keys.heldAnswer(slug, run, held))) ?? (await garden.store.get(keys.runCancel(slug, run)));
    if (changed) await unheld(place);
  };

  const unheld = async (place: RunPlace): Promise<void> => {
    known.delete(place.run);
    await offer(place);
  };

  /** It has to wait for others of its agent, or for a place: shown once, by whoever has it in the queue. */
  const showQueued = async (place: RunPlace): Promise<void> => {
    const there = known.get(place.run);
    const request = await requestAt(garden.store, place);
    const status = await garden.store.get(keys.runStatus(place.slug, place.run));
    const isNew =
      status && runStatus.safeParse(JSON.parse(Buffer.from(status.bytes).toString())).data?.state === "requested";
    if (!there || there.begun || !request || !isNew) return;
    known.set(place.run, { ...there, shown: true });
    await putStatus(garden.store, place, foldRun(request, [], undefined, { queued: true }));
  };

  const every = (ms: () => number, work: () => Promise<void>): void => {
    loops.push(
      (async () => {
        for (;;) {
          await pause(ms(), over.signal);
          if (over.signal.aborted) return;
          await work().catch((error: unknown) => tell(asFailure(error)));
        }
      })(),
    );
  };

  const keepSchedules = (): void => {
    let next = garden.world.now();
    every(
      () => Math.min(SCHEDULE_LOOK_MS, Math.max(next - garden.world.now(), SHORTEST_LOOK_MS)),
      async () => {
        const found = await lookAtSchedules(garden);
        next = found.next ?? Number.POSITIVE_INFINITY;
        for (const place of found.asked) await offer(place);
        for (const failure of found.failed) tell(failure);
      },
    );
  };

  /** What this process does itself is known at once; what others do, at the next look. */
  const heard = ({ record: { kind, subject, details } }: Signal): void => {
    const { agent: slug, run = subject } = details;
    const place = typeof slug === "string" && typeof run === "string" ? { slug, run } : undefined;
    if (kind === "run-requested" && place) {
      known.set(place.run, { ...known.get(place.run), place, told: true });
      void offer(place);
    }
    if (kind === "answered" && place) void unheld(place);
    if (kind === "run-cancel-asked" && place) {
      orchestrator.interrupt(place.run, cancelledBy(place.run, "owner"));
      void unheld(place);
    }
    if (kind === "applied") void deliver();
  };

  /**
   * Looked up at most every so often, and the more rarely the more agents there are: a look reads all contracts, and may take a
   * twentieth of the time at most. Who began to wait a moment ago waits for what comes, not for what just happened.
   */
  let awaited: { readonly at: number; readonly names: Promise<ReadonlySet<string>>; keptMs: number } | undefined;
  const isAwaited = async (name: string): Promise<boolean> => {
    const at = garden.world.now();
    if (only) return (await awaitedEvents(garden)).has(name);
    if (awaited && Math.abs(at - awaited.at) < awaited.keptMs) return (await awaited.names).has(name);
    const mine = { at, names: awaitedEvents(garden), keptMs: DELIVER_MS };
    awaited = mine;
    try {
      const names = await mine.names;
      mine.keptMs = Math.max(DELIVER_MS, 20 * (garden.world.now() - at));
      return names.has(name);
    } catch (error) {
      if (awaited === mine) awaited = undefined;
      throw error;
    }
  };

  const holder = Buffer.from(garden.world.random(8)).toString("hex");
  const leases = agentLeases({ ...garden, pause }, holder, leaseMs);
  const desk = {
    garden,
    flow,
    pause,
    leases,
    leaseMs,
    engine: orchestrator.name,
    isAwaited,
    isTold: (run: string): boolean => known.get(run)?.told === true,
    onHold: (place: RunPlace, held: string): void => void known.set(place.run, { place, held }),
  };
  orchestrator.start(async ({ key: run, lane: slug }, scope) => {
    const place = { slug, run };
    known.set(run, { place, begun: true, ...(known.get(run)?.told && { told: true }) });
    const worked = await workOnRun(desk, place, scope);
    if (worked.kind === "done") {
      known.delete(run);
      void deliver(); // that it is over may be what another agent waits for
    }
    return worked;
  });
  const unsubscribe = garden.signals.subscribe(heard);
  if (!only) await restoreOpenRuns(garden);
  await look();
  every(() => lookMs, look);
  if (!only) keepSchedules();

  return {
    offer: (place) => offer(place),
    async cancel(place, by, why) {
      await cancelRun(garden, place, { by, why });
    },
    async settled() {
      for (;;) {
        if (undelivered) void deliver("now");
        const at = delivering;
        await at;
        await orchestrator.settled();
        if (delivering === at && !undelivered) return;
      }
    },
    health: () => orchestrator.health(),
    async close() {
      over.abort();
      unsubscribe();
      await orchestrator.close();
      await Promise.all([delivering, leases.close(), ...loops]);
    },
  };
}

const entriesAt = async ({ store }: Garden, run: string): Promise<OpenRun[]> => {
  const entry = await openRunAt(store, run);
  return entry ? [entry] : [];
};
