import { describe, expect, onTestFinished, test } from "vitest";
import { describeWithInngest } from "../src/adapters/orchestrator/testing/inngest-server.ts";
import { ceph, describeWithCeph } from "../src/adapters/store/s3/testing/ceph.ts";
import { type ChaosReport, chaos, chaosGarden } from "./cluster/chaos.ts";
import { newCluster } from "./cluster/cluster.ts";
import { openGround } from "./cluster/ground.ts";
import type { EngineKind } from "./cluster/program.ts";
import { sharedCluster } from "./cluster/shared-cluster.ts";

/** Half of the processes of a garden killed every few seconds. `BLOOM_CHAOS_KILLS` sets another number of kills. */
const kills = Number(process.env["BLOOM_CHAOS_KILLS"] ?? "500");
const seeds = Array.from({ length: Number(process.env["BLOOM_SOAK_ROUNDS"] ?? "1") }, (_, i) => 1000 + i);
const members = { gateways: 2, workers: 3, roundMs: 2000 };
const tell = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);

function expectClean(where: string, { problems, ...counts }: ChaosReport): void {
  tell(`chaos on ${where}: ${JSON.stringify(counts)}`);
  expect(problems).toEqual([]);
}

describe("chaos: 2 gateways and 3 workers, killed at random, lose and double nothing", () => {
  test.each(seeds)("on a directory (seed %i)", { timeout: 0 }, async (seed) => {
    const cluster = await newCluster(chaosGarden);
    onTestFinished(() => cluster.close());
    expectClean("a directory", await chaos(cluster, { ...members, seed, kills, tell }));
  });
});

describeWithCeph("chaos: 2 gateways and 3 workers on S3 and a git remote, killed, cut off and paused", () => {
  chaosWith("embedded", "restate", "inngest");
  describeWithInngest("chaos: a real server of Inngest", () => chaosWith("inngest-server"));
});

function chaosWith(...engines: readonly EngineKind[]): void {
  const cases = engines.flatMap((engine) => seeds.map((seed) => ({ engine, seed })));
  test.each(cases)("with the engine $engine (seed $seed)", { timeout: 0 }, async ({ engine, seed }) => {
    const ground = await openGround(ceph(), engine);
    const cluster = await sharedCluster(ground, chaosGarden);
    onTestFinished(async () => {
      await cluster.close();
      await ground.close();
    });
    const disturbances = { kills, partitions: Math.ceil(kills / 10), pauses: Math.ceil(kills / 25) };
    expectClean(
      `S3, a git remote and ${engine}`,
      await chaos(cluster, { ...members, ...disturbances, seed, engine: ground.engine, tell }),
    );
  });
}
