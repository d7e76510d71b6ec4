import { realWorld, type World } from "../world.ts";

/** The real clock with jumps forward: what waits by `pause` goes on as if the time had passed. */
export interface QuickWorld {
  readonly world: World;
  /** Resolves when this much time is over, by this clock, or when the signal is aborted. Never rejects. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets time pass at once. */
  readonly pass: (ms: number) => void;
}

export function quickWorld(): QuickWorld {
  let ahead = 0;
  const waiting = new Set<() => void>();
  const now = (): number => realWorld.now() + ahead;
  return {
    world: { ...realWorld, now },
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const until = now() + ms;
        let timer: NodeJS.Timeout | undefined;
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const look = (): void => {
          clearTimeout(timer);
          if (now() >= until || signal?.aborted === true) return end();
          timer = setTimeout(look, Math.min(until - now(), LONGEST_MS));
          return undefined;
        };
        waiting.add(look);
        signal?.addEventListener("abort", end, { once: true });
        look();
      }),
    pass(ms) {
      ahead += ms;
      for (const look of waiting) look();
    },
  };
}

const LONGEST_MS = 1_000_000;
