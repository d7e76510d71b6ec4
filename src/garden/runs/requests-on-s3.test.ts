import { expect, it } from "vitest";
import { embeddedOrchestrator } from "../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { openS3Store } from "../../adapters/store/s3/open-s3-store.ts";
import {
  cephSecrets,
  countingEndpoint,
  describeWithCeph,
  freshPlace,
  keptProofs,
} from "../../adapters/store/s3/testing/ceph.ts";
import { realWorld } from "../../base/world.ts";
import type { S3Settings } from "../../domain/config/store-config.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { closed, gardenWith, testPorts } from "../testing/scratch.ts";
import { requestRun } from "./request-run.ts";
import type { RunsEngine } from "./runs-engine.ts";
import { endOf, flowOf, steps, until, withAgent } from "./testing/sample-flow.ts";
import { startRuns } from "./testing/start-runs.ts";

/** One process of a garden whose objects are in a bucket, with the requests that it made. */
interface Process {
  readonly garden: Garden;
  readonly seen: string[];
}

async function processOn(settings: S3Settings, dir: string): Promise<Process> {
  const endpoint = countingEndpoint(settings.endpoint);
  const ports = {
    ...testPorts(realWorld),
    openStore: () => openS3Store({ settings, world: realWorld, secretOf: cephSecrets, proofs: keptProofs(), endpoint }),
  };
  return { garden: await openGarden(ports, dir), seen: endpoint.seen };
}

/** Without the periodic looks for due schedules and for runs of other processes: they would be counted with the run. */
const engineIn = ({ garden }: Process): Promise<RunsEngine> =>
  startRuns(garden, {
    orchestrator: Object.assign(embeddedOrchestrator({ world: realWorld, limit: 2 }), { keepsSchedules: true }),
    flow: flowOf(steps(3)),
    lookMs: 3_600_000,
  });

async function ground() {
  const settings = await freshPlace();
  const { dir } = await closed(await gardenWith({ "notes/a.md": "# A\n" }));
  const one = await processOn(settings, dir);
  await withAgent(one.garden, "echo");
  return { one, settings, dir };
}

const requested = async ({ garden }: Process): Promise<string> =>
  (await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" })).run_id;

const ended = ({ garden }: Process, run: string): Promise<void> =>
  until(async () => (await endOf(garden, { slug: "echo", run })) !== undefined);

/** Empty if the requests are at most `most`; otherwise all of them, so that a failure names each. */
const tooMany = (seen: readonly string[], most: number): readonly string[] =>
  seen.length <= most ? [] : seen.map((line) => line.replace(/^(\S+).*?\/?t-[0-9a-f]{12}\//, "$1 "));

describeWithCeph("Requests of a run of four steps in a bucket", () => {
  it("a run after another of the same agent costs at most 14: 12 writes, and the contract read twice", async () => {
    const { one } = await ground();
    const engine = await engineIn(one);
    const counted: (readonly string[])[] = [];
    for (let round = 0; round < 3; round++) {
      one.seen.length = 0;
      const run = await requested(one);
      await engine.settled();
      counted.push([...one.seen]);
      await ended(one, run);
    }
    await engine.close();
    await closeGarden(one.garden);
    expect(counted.slice(1).flatMap((seen) => tooMany(seen, 14))).toEqual([]);
  });

  it("a run on its own also takes and gives back the lease, and looks for agents that wait for its end: at most 21", async () => {
    const { one } = await ground();
    const engine = await engineIn(one);
    one.seen.length = 0;
    await requested(one);
    await engine.settled();
    await engine.close();
    const seen = [...one.seen];
    await closeGarden(one.garden);
    expect(tooMany(seen, 21)).toEqual([]);
  });

  it("a run that another process requested is also read, and recorded as an attempt: at most 24 of both together", async () => {
    const { one, settings, dir } = await ground();
    const worker = await processOn(settings, dir);
    const engine = await engineIn(worker);
    one.seen.length = 0;
    const run = await requested(one);
    const asked = [...one.seen];
    worker.seen.length = 0;
    await engine.offer({ slug: "echo", run });
    await engine.settled();
    await engine.close();
    const seen = [...asked, ...worker.seen];
    await ended(one, run);
    await Promise.all([one, worker].map(({ garden }) => closeGarden(garden)));
    expect(tooMany(seen, 24)).toEqual([]);
  });
});
