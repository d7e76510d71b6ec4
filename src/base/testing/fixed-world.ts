import type { World } from "../world.ts";

/** A world for tests and replays: time starts at `start` and advances by `stepMs` per reading; random bytes are a fixed sequence. */
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
