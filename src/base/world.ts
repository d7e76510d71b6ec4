import { randomBytes } from "node:crypto";

/** Time and chance, handed in, so that a test can fix both and a run can record both. */
export interface World {
  /** Milliseconds since 1970, UTC. May jump backwards: never order events by it. */
  now(): number;
  /** This many unpredictable bytes. */
  random(count: number): Uint8Array;
}

/** The real one. The only place in the program that reads the clock or draws a random number. */
export const realWorld: World = {
  now: () => Date.now(),
  random: (count) => (count > MARK_BYTES ? randomBytes(count) : markFrom(count)),
};

/** Marks are drawn ahead: asking the system costs the same for eight bytes as for thousands. Keys are longer, and are not. */
const MARK_BYTES = 16;
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

function markFrom(count: number): Uint8Array {
  if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
  return pool.subarray(used, (used += count));
}

/** A world for tests and replays: time starts at `start` and moves by `stepMs` at each reading; chance is a sequence. */
export function fixedWorld(start: string | number, stepMs = 0): World {
  let time = typeof start === "number" ? start : Date.parse(start);
  let drawn = 0;
  return {
    now() {
      const reading = time;
      time += stepMs;
      return reading;
    },
    random: (count) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
  };
}
