import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { embeddedOrchestrator } from "../src/adapters/orchestrator/embedded/embedded-orchestrator.ts";
import {
  type EndpointAnswer,
  type EndpointRequest,
  openEndpoint,
  type S3Endpoint,
} from "../src/adapters/store/s3/endpoint.ts";
import { openS3Store } from "../src/adapters/store/s3/open-s3-store.ts";
import { cephSecrets, describeWithCeph, freshPlace, keptProofs } from "../src/adapters/store/s3/testing/ceph.ts";
import { type QuickWorld, quickWorld } from "../src/base/testing/quick-world.ts";
import { makeToken } from "../src/garden/agents/access/tokens.ts";
import { readJournal } from "../src/garden/core/flow/journal.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { openRunIds } from "../src/garden/runs/open-runs.ts";
import { listRuns } from "../src/garden/runs/read-runs.ts";
import type { RunFlow } from "../src/garden/runs/run-flow.ts";
import type { RunsEngine } from "../src/garden/runs/runs-engine.ts";
import { auditKinds, endOf, flowOf, steps, until, withAgent } from "../src/garden/runs/testing/sample-flow.ts";
import { startRuns } from "../src/garden/runs/testing/start-runs.ts";
import { scratch, testPorts } from "../src/garden/testing/scratch.ts";
import { gatewayApp } from "../src/gateway/app.ts";
import { idleRuns } from "../src/gateway/testing/test-gateway.ts";

type Disturb = (request: EndpointRequest, real: S3Endpoint, nowhere: S3Endpoint) => Promise<EndpointAnswer>;

/** A gateway and a worker in one process on a bucket whose requests the test disturbs. */
interface Ground {
  readonly garden: Garden;
  readonly clock: QuickWorld;
  /** The next requests; undefined sends them to the server. */
  readonly trouble: { disturb: Disturb | undefined };
  ask(method: string, path: string, body?: unknown, correlation?: string): Promise<{ status: number; body: unknown }>;
  work(flow: RunFlow): Promise<RunsEngine>;
}

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function ground(): Promise<Ground> {
  const [settings, clock, dir] = [await freshPlace(), quickWorld(), join(scratch(), "rose")];
  const [real, nowhere] = [openEndpoint(new URL(settings.endpoint)), openEndpoint(new URL("http://127.0.0.1:1"))];
  const { world, pause } = clock;
  const trouble: Ground["trouble"] = { disturb: undefined };
  const endpoint: S3Endpoint = {
    send: (request) => (trouble.disturb ? trouble.disturb(request, real, nowhere) : real.send(request)),
    close: () => undefined,
  };
  const ports = {
    ...testPorts(world),
    openStore: () => openS3Store({ settings, world, secretOf: cephSecrets, proofs: keptProofs(), endpoint }),
  };
  await initGarden(ports, dir, { language: "en", store: settings });
  const garden = await openGarden(ports, dir);
  open.push(
    async () => (real.close(), nowhere.close()),
    () => closeGarden(garden),
  );
  await withAgent(garden, "echo");
  const { token } = await makeToken(garden, { kind: "owner", name: "script" }, "owner");
  const app = gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [], runs: idleRuns(garden) });
  return {
    garden,
    clock,
    trouble,
    async ask(method, path, body, correlation) {
      const headers = {
        host: "localhost:4440",
        authorization: `Bearer ${token}`,
        ...(correlation !== undefined && { "x-correlation-id": correlation }),
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const wanted = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await app.fetch(new Request(`http://localhost:4440${path}`, wanted));
      return { status: answer.status, body: await answer.json() };
    },
    async work(flow) {
      const orchestrator = embeddedOrchestrator({ world, limit: 2, wait: pause });
      const engine = await startRuns(garden, { orchestrator, flow, pause });
      open.push(() => engine.close());
      return engine;
    },
  };
}

const runIn = ({ body }: { readonly body: unknown }): { slug: string; run: string } => ({
  slug: "echo",
  run: (body as { run: { run_id: string } }).run.run_id,
});

const STEPS = ["load-context", "step-1", "step-2", "step-3"];

describeWithCeph("A-6 a garden whose bucket is in trouble", () => {
  it("O-3 goes on by itself after a minute without the bucket: 503 names the part, nothing is lost or doubled", async () => {
    const here = await ground();
    const { garden, clock } = here;
    let isAway = false;
    const done: string[] = [];
    await here.work(
      flowOf(async (context) => {
        await steps(1, (line) => done.push(line))(context);
        // The bucket goes away while this step is at work, so that its record cannot be written.
        await context.flow.step("step-2", { n: 2 }, async () => {
          await until(() => isAway || done.length > 1);
          return 2;
        });
        await context.flow.step("step-3", { n: 3 }, async () => 3);
      }),
    );
    const first = runIn(await here.ask("POST", "/agents/echo/run", {}));
    await until(() => done.length === 1);
    isAway = true;
    here.trouble.disturb = (request, _, nowhere) => nowhere.send(request);
    const health = await here.ask("GET", "/health");
    const refused = await here.ask("POST", "/agents/echo/run", {}, "once");
    for (let second = 0; second < 60; second++) {
      clock.pass(1000);
      await sleep(15);
    }
    done.push("the bucket is back");
    here.trouble.disturb = undefined;
    const again = await here.ask("POST", "/agents/echo/run", {}, "once");
    const second = runIn(await here.ask("POST", "/agents/echo/run", {}, "once"));
    for (const place of [first, second])
      await until(async () => (clock.pass(100), (await endOf(garden, place)) !== undefined));
    await until(async () => (await openRunIds(garden.store)).length === 0);
    const journals = await Promise.all([first, second].map((place) => readJournal(garden.store, place)));
    const parts = (health.body as { parts: { store: { status: string; remarks: { en: string }[] } } }).parts;
    expect({
      health: [health.status, parts.store.status, parts.store.remarks.map(({ en }) => en).join(" ")],
      refused: [refused.status, (refused.body as { error: { details: object } }).error.details],
      repeated: [again.status, runIn(again).run === second.run],
      steps: journals.map((journal) => journal?.records.map(({ name }) => name)),
      ends: (await Promise.all([first, second].map((place) => endOf(garden, place)))).map((end) => end?.status),
      runs: (await listRuns(garden, {})).runs.length,
      told: (await auditKinds(garden)).filter((kind) => kind.startsWith("run-")).toSorted(),
    }).toEqual({
      health: [503, "degraded", expect.stringMatching(/bucket garden-tests.* does not answer: ECONNREFUSED/)],
      refused: [503, expect.objectContaining({ part: "store", bucket: "garden-tests" })],
      repeated: [201, true],
      steps: [STEPS, STEPS],
      ends: ["completed", "completed"],
      runs: 2,
      told: ["run-finished", "run-finished", "run-requested", "run-requested"],
    });
  });

  it("O-3 completes a run although every request takes two seconds", async () => {
    const here = await ground();
    await here.work(flowOf(steps(4)));
    let [requests, underWay] = [0, 0];
    here.trouble.disturb = async (request, real) => {
      const due = here.clock.world.now() + 2000;
      requests++;
      underWay++;
      const answer = await real.send(request).finally(() => underWay--);
      await here.clock.pause(due - here.clock.world.now());
      return answer;
    };
    // Time passes while all requests wait for their two seconds, so that those sent at once wait at once.
    const ticking = setInterval(() => underWay === 0 && here.clock.pass(100), 2);
    open.push(async () => clearInterval(ticking));
    const began = here.clock.world.now();
    const place = runIn(await here.ask("POST", "/agents/echo/run", {}));
    await until(async () => (await endOf(here.garden, place)) !== undefined);
    here.trouble.disturb = undefined;
    const end = await endOf(here.garden, place);
    expect({
      status: end?.status,
      steps: (await readJournal(here.garden.store, place))?.records.map(({ name }) => name),
      isSlow: here.clock.world.now() - began > 20 * 2000 && requests > 20,
    }).toEqual({
      status: "completed",
      steps: ["load-context", "step-1", "step-2", "step-3", "step-4"],
      isSlow: true,
    });
  });
});
