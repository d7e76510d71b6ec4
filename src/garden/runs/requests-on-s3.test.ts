import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { embeddedOrchestrator } from "../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { openS3Store } from "../../adapters/store/s3/open-s3-store.ts";
import {
  ceph,
  cephSecrets,
  countingEndpoint,
  describeWithCeph,
  freshPlace,
  keptProofs,
} from "../../adapters/store/s3/testing/ceph.ts";
import { type QuickWorld, quickWorld } from "../../base/testing/quick-world.ts";
import { realWorld, type World } from "../../base/world.ts";
import { composePorts } from "../../compose.ts";
import type { S3Settings } from "../../domain/config/store-config.ts";
import type { Pause } from "../core/flow/pause.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { initGarden } from "../life/init.ts";
import { closed, environment, gardenWith, scratch, testPorts } from "../testing/scratch.ts";
import { requestRun } from "./request-run.ts";
import type { RunsEngine } from "./runs-engine.ts";
import { endOf, flowOf, steps, until, withAgent } from "./testing/sample-flow.ts";
import { startRuns } from "./testing/start-runs.ts";

/** One process of a garden whose objects are in a bucket, with the requests that it made. */
interface Process {
  readonly garden: Garden;
  readonly seen: string[];
}

async function processOn(settings: S3Settings, dir: string, world: World = still): Promise<Process> {
  const endpoint = countingEndpoint(settings.endpoint);
  const ports = {
    ...testPorts(world),
    openStore: () => openS3Store({ settings, world, secretOf: cephSecrets, proofs: keptProofs(), endpoint }),
  };
  return { garden: await openGarden(ports, dir), seen: endpoint.seen };
}

/** Without the periodic looks for due schedules and for runs of other processes: they would be counted with the run. */
const engineIn = ({ garden }: Process): Promise<RunsEngine> =>
  startRuns(garden, {
    orchestrator: Object.assign(embeddedOrchestrator({ world: still, limit: 2 }), { keepsSchedules: true }),
    flow: flowOf(steps(3)),
    lookMs: 3_600_000,
    pause: stillPause,
  });

/** A clock that goes by a millisecond in five looks, and pauses that last until the end: what is kept for a moment is kept, however slow the machine is. */
let looks = 0;
const STILL_AT = realWorld.now();
const still: World = { ...realWorld, now: () => STILL_AT + Math.floor(looks++ / 5) };
const stillPause: Pause = (_, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });

async function ground() {
  const settings = await freshPlace();
  const { dir } = await closed(await gardenWith({ "notes/a.md": "# A\n" }));
  const one = await processOn(settings, dir);
  await withAgent(one.garden, "echo");
  return { one, settings, dir };
}

/** A garden whose settings name the bucket. */
async function bucketGarden() {
  const [settings, dir, clock] = [await freshPlace(), join(scratch(), "rose"), quickWorld()];
  const ports = composePorts({
    environment: { ...environment, S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret },
  });
  await initGarden(ports, dir, { language: "en", store: settings });
  return { settings, dir, clock };
}

/** With its periodic looks, by the clock of the test. */
const lookingEngine = (
  { garden }: Process,
  { world, pause }: QuickWorld,
  isFirstFor: (slug: string) => boolean,
): Promise<RunsEngine> =>
  startRuns(garden, {
    orchestrator: Object.assign(embeddedOrchestrator({ world, limit: 2, wait: pause }), { keepsSchedules: true }),
    flow: flowOf(steps(3)),
    pause,
    isFirstFor,
  });

/** Lets time pass, and the looks that are due end. */
async function passed({ pass }: QuickWorld, { seen }: Process, ms: number): Promise<void> {
  pass(ms);
  for (let before = -1; before !== seen.length; ) {
    before = seen.length;
    await sleep(15);
  }
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

  it("O-10 a worker that another comes first for reads one object of a run, and takes it up if the other does not", async () => {
    const { settings, dir, clock } = await bucketGarden();
    const worker = await processOn(settings, dir, clock.world);
    const engine = await lookingEngine(worker, clock, () => false);
    await withAgent(worker.garden, "echo");
    const gateway = await processOn(settings, dir, clock.world);
    worker.seen.length = 0;
    const run = await requested(gateway);
    for (let second = 0; second < 2; second++) await passed(clock, worker, 1000);
    const left = worker.seen.filter((line) => line.startsWith("GET") && line.includes(run));
    await until(async () => (clock.pass(500), (await endOf(gateway.garden, { slug: "echo", run })) !== undefined));
    await engine.close();
    await Promise.all([gateway, worker].map(({ garden }) => closeGarden(garden)));
    expect(left.map((line) => line.replace(/^(\S+).*(views\/.*)$/, "$1 $2"))).toEqual([
      `GET views/open-runs/${run}.json`,
    ]);
  });

  it("an idle worker makes at most 35 requests a minute", async () => {
    const { settings, dir, clock } = await bucketGarden();
    const worker = await processOn(settings, dir, clock.world);
    const engine = await lookingEngine(worker, clock, () => true);
    for (let second = 0; second < 40; second++) await passed(clock, worker, 1000);
    worker.seen.length = 0;
    for (let second = 0; second < 60; second++) await passed(clock, worker, 1000);
    const seen = [...worker.seen];
    await engine.close();
    await closeGarden(worker.garden);
    expect({ tooMany: tooMany(seen, 35), looks: seen.length > 15 }).toEqual({ tooMany: [], looks: true });
  });
});
