import { randomBytes } from "node:crypto";

/** Time and randomness, injected, so that tests can fix both and runs can record both. */
export interface World {
  /** Milliseconds since 1970, UTC. May jump backwards: never order events by it. */
  now(): number;
  /** This many unpredictable bytes. */
  random(count: number): Uint8Array;
}

/** The only place in the program that reads the clock or draws a random number. */
export const realWorld: World = {
  now: () => Date.now(),
  random: (count) => (count > MARK_BYTES ? randomBytes(count) : markFrom(count)),
};

/** Short values come from a pool: a system call costs the same for eight bytes as for thousands. Keys are longer and bypass it. */
const MARK_BYTES = 16;
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

function markFrom(count: number): Uint8Array {
  if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
  return pool.subarray(used, (used += count));
}
