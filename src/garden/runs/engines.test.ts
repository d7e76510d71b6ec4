import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedOrchestrator } from "../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { restateOrchestrator } from "../../adapters/orchestrator/restate/restate-orchestrator.ts";
import { serveEndpoint } from "../../adapters/orchestrator/testing/engine-http.ts";
import { type RestateServer, restateSdk, restateServer } from "../../adapters/orchestrator/testing/restate-server.ts";
import { patient } from "../../base/testing/patience.ts";
import { realWorld } from "../../base/world.ts";
import type { Orchestrator } from "../../ports/orchestrator.ts";
import type { Garden } from "../core/garden.ts";
import { gardenWith } from "../testing/scratch.ts";
import { requestRun } from "./request-run.ts";
import { endOf, flowOf, withAgent } from "./testing/sample-flow.ts";
import { startRuns } from "./testing/start-runs.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await restateServer();
}, patient(300_000));
afterAll(() => server.close());

/** An engine that the test closes, with the HTTP server where it is called. */
interface Made {
  readonly orchestrator: Orchestrator;
  readonly close: () => Promise<void>;
}

const engines: Readonly<Record<string, () => Promise<Made>>> = {
  embedded: async () => ({
    orchestrator: embeddedOrchestrator({ world: realWorld, limit: 2 }),
    close: async () => undefined,
  }),
  restate: async () => {
    let at: string | undefined;
    const orchestrator = restateOrchestrator({
      world: realWorld,
      limit: 2,
      url: server.url,
      admin: server.admin,
      workerUrl: () => at,
      app: `engines-${randomBytes(4).toString("hex")}`,
      sdk: restateSdk,
    });
    const http = await serveEndpoint(orchestrator.endpoint!);
    at = http.url;
    return { orchestrator, close: () => http.close() };
  },
};

/** Works on the runs of the garden until `until` holds. The second step of a run waits while `isStuck`. */
async function work(garden: Garden, kind: string, isStuck: boolean, effects: string[], until: () => Promise<boolean>) {
  const { orchestrator, close } = await engines[kind]!();
  const engine = await startRuns(garden, {
    orchestrator,
    leaseMs: 900,
    lookMs: 100,
    remindMs: 300,
    flow: flowOf(async ({ flow, signal }) => {
      for (const n of [1, 2, 3])
        await flow.step(`step-${n}`, { n }, async () => {
          if (n === 2 && isStuck) {
            effects.push("stuck");
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
          }
          effects.push(String(n));
          return n;
        });
    }),
  });
  try {
    await expect.poll(until, { timeout: patient(60_000), interval: 50 }).toBe(true);
  } finally {
    await engine.close();
    await close();
  }
}

test.each([
  ["embedded", "restate"],
  ["restate", "embedded"],
  ["restate", "restate"],
])(
  "O-11 a run begun on %s is finished on %s, no step twice, and its manifest names the engine that ended it",
  async (first, second) => {
    const { garden } = await gardenWith();
    await withAgent(garden, "echo");
    const { run_id } = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
    const place = { slug: "echo", run: run_id };
    const effects: string[] = [];
    await work(garden, first, true, effects, async () => effects.includes("stuck"));
    await work(garden, second, false, effects, async () => (await endOf(garden, place)) !== undefined);
    const manifest = await endOf(garden, place);
    expect({
      effects: effects.filter((one) => one !== "stuck"),
      engine: manifest?.engine,
      status: manifest?.status,
    }).toEqual({
      effects: ["1", "2", "3"],
      engine: second,
      status: "completed",
    });
  },
);

test("O-5 runs offered while Restate is away, and those it has lost with its state, finish when it is back", async () => {
  const { garden } = await gardenWith();
  await withAgent(garden, "echo");
  const ended = async (runs: readonly string[]): Promise<boolean> =>
    (await Promise.all(runs.map((run) => endOf(garden, { slug: "echo", run })))).every((one) => one !== undefined);
  await server.kill("wipe");
  const effects: string[] = [];
  const ask = async (): Promise<string> =>
    (await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" })).run_id;
  const runs = [await ask()];
  let isBack = false;
  await work(garden, "restate", false, effects, async () => {
    if (!isBack) {
      isBack = true;
      runs.push(await ask());
      await server.start();
    }
    return await ended(runs);
  });
  expect(effects).toEqual(["1", "2", "3", "1", "2", "3"]);
});
