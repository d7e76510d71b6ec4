import { setImmediate as turn } from "node:timers/promises";

/** A clock that only the test moves. Waits end when it has passed them. */
export function manualClock(start = Date.parse("2026-02-14T08:00:00Z")) {
  let time = start;
  let waits = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  /** Waits use a monotonic clock, which does not change when the time of day is set. */
  let steady = 0;
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const sleeper = { until: steady + ms, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        sleepers.delete(sleeper);
        resolve();
      });
    });
  return {
    world: { now: () => time, random: (count: number) => new Uint8Array(count) },
    /** Number of waits; those by `sleep` do not count. */
    waits: () => waits,
    set: (to: number) => void (time = to),
    sleep,
    wait: (ms: number, signal: AbortSignal): Promise<void> => {
      waits++;
      return sleep(ms, signal);
    },
    pass: async (ms: number): Promise<void> => {
      await rest();
      for (let left = ms; left > 0; ) {
        const next = Math.min(left, ...[...sleepers].map(({ until }) => until - steady));
        steady += next;
        time += next;
        left -= next;
        for (const sleeper of [...sleepers].filter(({ until }) => until <= steady)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await rest();
      }
    },
  };
}

/** Time for what begins now to reach its next wait: a wait that begins after the clock has moved ends too late. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 8; turns++) await turn();
}
