import { expect, test } from "vitest";
import { chaos } from "./cluster/chaos.ts";

/** Half of the processes of a garden killed every few seconds. `BLOOM_CHAOS_KILLS` sets another number of kills. */
const kills = Number(process.env["BLOOM_CHAOS_KILLS"] ?? "500");
const rounds = Number(process.env["BLOOM_SOAK_ROUNDS"] ?? "1");

test.each(Array.from({ length: rounds }, (_, i) => 1000 + i))(
  "chaos: 2 gateways and 3 workers on a directory, killed at random, lose and double nothing (seed %i)",
  { timeout: 0 },
  async (seed) => {
    const { problems, ...counts } = await chaos({ seed, kills, gateways: 2, workers: 3, roundMs: 2000 });
    console.log(`chaos on a directory: ${JSON.stringify(counts)}`);
    expect(problems).toEqual([]);
  },
);
