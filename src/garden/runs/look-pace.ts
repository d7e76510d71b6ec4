import type { Garden } from "../core/garden.ts";

/** How often an engine looks for changes by other processes. What this process does itself needs no look. */
export interface LookPace {
  /** Pause until the next look. */
  nextMs(): number;
  /** True if this look is one of those that also ask for events and for answers to held runs. */
  isSlowLookDue(): boolean;
  /** Something happened: the next looks come quickly. */
  busy(): void;
}

const LOOK_MS = 1000;
/** On a bucket each look is a paid request: after `QUIET_MS` without work they are rarer. */
const QUIET_LOOK_MS = 3000;
const QUIET_MS = 30_000;
const SLOW_LOOK_MS = 5000;

/** `fixedMs`: every look asks for everything, after this pause. So it is in a folder too, where a look costs nothing. */
export function lookPace({ config, world }: Pick<Garden, "config" | "world">, fixedMs?: number): LookPace {
  let busyAt = world.now();
  let slowAt = Number.NEGATIVE_INFINITY;
  // A clock that was set back must not stop the looks.
  const isPast = (at: number, ms: number): boolean => Math.abs(world.now() - at) >= ms;
  const isPaid = fixedMs === undefined && config.store.kind !== "directory";
  return {
    nextMs: () => fixedMs ?? (isPaid && isPast(busyAt, QUIET_MS) ? QUIET_LOOK_MS : LOOK_MS),
    isSlowLookDue() {
      if (isPaid && !isPast(slowAt, SLOW_LOOK_MS)) return false;
      slowAt = world.now();
      return true;
    },
    busy: () => void (busyAt = world.now()),
  };
}
