import { asFailure, type Failure } from "../../base/failure.ts";
import type { Orchestrator } from "../../ports/orchestrator.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import type { GardenEvent } from "../records/runs/pending-events.ts";
import { awaitedEvents, deliverEvents } from "./events.ts";

/** Minimum time between two deliveries: each reads all contracts, which costs more than a run. */
const DELIVER_MS = 200;

/** Delivers pending events one batch at a time, and coalesces the requests that come soon after one another. */
export interface EventDelivery {
  /** Delivers now, or with the next `now` if the last delivery is less than `DELIVER_MS` ago. */
  soon(): void;
  now(): Promise<void>;
  /** Delivers what was postponed. Returns the delivery under way; `isIdleSince` compares it. */
  flush(): Promise<void>;
  isIdleSince(delivery: Promise<void>): boolean;
}

export function eventDelivery(
  garden: Garden,
  {
    offer,
    announce,
    tell,
    over,
  }: {
    readonly offer: (place: RunPlace) => Promise<void>;
    /** Publishes an event that was delivered, if the engine has events of its own. */
    readonly announce: (event: GardenEvent) => void;
    readonly tell: (failure: Failure) => void;
    readonly over: AbortSignal;
  },
): EventDelivery {
  let current: Promise<void> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let isPostponed = false;

  const deliver = async (after: Promise<void>): Promise<void> => {
    await after;
    if (over.aborted) return;
    try {
      const { asked, events, failed } = await deliverEvents(garden);
      for (const place of asked) await offer(place);
      for (const event of events) announce(event);
      for (const failure of failed) tell(failure);
    } catch (error) {
      tell(asFailure(error));
    }
  };
  const now = (): Promise<void> => {
    lastAt = garden.world.now();
    isPostponed = false;
    current = deliver(current);
    return current;
  };
  return {
    now,
    soon() {
      if (Math.abs(garden.world.now() - lastAt) < DELIVER_MS) isPostponed = true;
      else void now();
    },
    flush() {
      if (isPostponed) void now();
      return current;
    },
    isIdleSince: (delivery) => current === delivery && !isPostponed,
  };
}

/** Tells whether an event is worth keeping: a running agent waits for it, or the engine publishes all of them. */
export function isAwaited(
  garden: Garden,
  {
    orchestrator,
    only,
    over,
  }: {
    readonly orchestrator: Pick<Orchestrator, "announce">;
    readonly only?: RunPlace | undefined;
    readonly over: AbortSignal;
  },
): (name: string) => Promise<boolean> {
  if (orchestrator.announce) return async () => true;
  return only ? async (name) => (await awaitedEvents(garden)).has(name) : awaitedEventsCache(garden, over);
}

/** Time after which a change of a contract by hand or by another process is noticed. */
const KEPT_MS = 1000;

/**
 * Caches which events active agents wait for. A look-up reads all contracts, so it is repeated when this process has changed
 * anything but a run, otherwise at most every `KEPT_MS`, and may take at most a twentieth of the time. An agent that was activated by
 * hand or by another process since the last look-up misses events that happened before the next.
 */
function awaitedEventsCache(garden: Garden, over: AbortSignal): (name: string) => Promise<boolean> {
  let cached: { readonly at: number; readonly names: Promise<ReadonlySet<string>>; keptMs: number } | undefined;
  const unsubscribe = garden.signals.subscribe(({ record }) => {
    if (!record.kind.startsWith("run-")) cached = undefined;
  });
  over.addEventListener("abort", unsubscribe, { once: true });
  return async (name) => {
    const at = garden.world.now();
    if (cached && Math.abs(at - cached.at) < cached.keptMs) return (await cached.names).has(name);
    const mine = { at, names: awaitedEvents(garden), keptMs: KEPT_MS };
    cached = mine;
    try {
      const names = await mine.names;
      mine.keptMs = Math.max(KEPT_MS, 20 * (garden.world.now() - at));
      return names.has(name);
    } catch (error) {
      if (cached === mine) cached = undefined;
      throw error;
    }
  };
}
