import { realWorld } from "../../src/base/world.ts";

/** Loaded with `node --import`: the clock stands still and the random bytes count upwards, so that a garden is the same each time. */
const at = Date.parse(process.env["FIXED_AT"] ?? "");
let count = 0;
Object.assign(realWorld, {
  now: () => at,
  random: (bytes: number): Uint8Array => {
    const drawn = Buffer.alloc(bytes);
    count += 1;
    if (bytes >= 4) drawn.writeUInt32BE(count, bytes - 4);
    return drawn;
  },
});
