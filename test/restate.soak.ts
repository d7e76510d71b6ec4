import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { orchestratorConformance } from "../src/adapters/orchestrator/conformance.ts";
import { restateOrchestrator } from "../src/adapters/orchestrator/restate/restate-orchestrator.ts";
import { fastClock, serveEndpoint } from "../src/adapters/orchestrator/testing/engine-http.ts";
import { type RestateServer, restateSdk, restateServer } from "../src/adapters/orchestrator/testing/restate-server.ts";
import { patient } from "../src/base/testing/patience.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await restateServer();
}, patient(300_000));
afterAll(() => server.close());

let made = 0;

orchestratorConformance(
  "restate",
  async (limit) => {
    const { now, pace } = fastClock(20);
    let waits = 0;
    let at: string | undefined;
    const orchestrator = restateOrchestrator({
      world: { now, random: (count) => randomBytes(count) },
      limit,
      forgetMs: 3_600_000,
      wait: async (ms, signal) => {
        waits++;
        await sleep(ms, undefined, { signal }).catch(() => undefined);
      },
      url: server.url,
      admin: server.admin,
      workerUrl: () => at,
      app: `conformance-${++made}`,
      sdk: restateSdk,
      pace,
    });
    const http = await serveEndpoint(orchestrator.endpoint!);
    at = http.url;
    return {
      orchestrator,
      now,
      pass: (ms) => sleep(pace(ms)).then(() => undefined),
      waits: () => waits,
      close: () => http.close(),
    };
  },
  { soonMs: 20_000, hourMs: 60_000, randomRuns: 2 },
);
