import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../../../base/testing/patience.ts";
import { realWorld } from "../../../base/world.ts";
import type { OfferedRun, Worked } from "../../../ports/orchestrator.ts";
import { serveEndpoint } from "../testing/engine-http.ts";
import { ingressProxy, type Trouble } from "../testing/ingress-proxy.ts";
import { type RestateServer, restateSdk, restateServer } from "../testing/restate-server.ts";
import { restateOrchestrator } from "./restate-orchestrator.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await restateServer();
}, patient(300_000));
afterAll(() => server.close());

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const DONE: Worked = { kind: "done" };
const [A1, A2] = [
  { key: "a1", lane: "a" },
  { key: "a2", lane: "a" },
];

/** A worker of the app, with the HTTP server where Restate calls it. */
async function worker(
  app: string,
  over: { readonly url?: string; readonly identityKey?: string; readonly workerUrl?: () => string } = {},
) {
  let at: string | undefined;
  const orchestrator = restateOrchestrator({
    world: realWorld,
    limit: 4,
    url: server.url,
    admin: server.admin,
    workerUrl: () => at,
    app,
    sdk: restateSdk,
    ...over,
  });
  const http = await serveEndpoint(orchestrator.endpoint!);
  at = http.url;
  cleanUp.push(async () => {
    await orchestrator.close();
    await http.close();
  });
  return { orchestrator, http };
}

async function troubled(troubleOf: (body: string) => Trouble): Promise<string> {
  const proxy = await ingressProxy(server.url, troubleOf);
  cleanUp.push(() => proxy.close());
  return proxy.url;
}

const soon = { timeout: patient(30_000), interval: 20 };

describe("O-11 a real server of Restate", () => {
  test.each<[string, (body: string, nth: number) => Trouble]>([
    ["of the second run arrives late", (body) => (body.includes('"key":"a2"') ? { lateMs: 300 } : {})],
    ["has lost answers", (_, nth) => ({ isAnswerLost: nth % 2 === 1 })],
  ])("O-3 the lane of an agent stays in order, and no run is lost, if an offer %s", async (_, troubleOf) => {
    let nth = 0;
    const url = await troubled((body) => troubleOf(body, nth++));
    const { orchestrator } = await worker(`order-${nth++}-${performance.now().toFixed()}`, { url });
    const order: string[] = [];
    orchestrator.start(async (one: OfferedRun) => {
      order.push(one.key);
      if (order.length === 1) await orchestrator.offer(one); // offered while it is worked on
      return DONE;
    });
    await orchestrator.offer(A1);
    await orchestrator.offer(A2);
    await expect.poll(() => order.length, soon).toBe(3);
    await orchestrator.settled();
    expect(order).toEqual(["a1", "a2", "a1"]);
  });

  test("a `worker_url` that the server cannot reach is told with its name", async () => {
    const { orchestrator } = await worker("astray", { workerUrl: () => "http://127.0.0.1:9" });
    orchestrator.start(async () => DONE);
    await expect
      .poll(async () => (await orchestrator.health()).remarks?.map(({ en }) => en).join(), soon)
      .toContain("cannot reach the workers at http://127.0.0.1:9. Correct `engine.worker_url`");
  });

  test("a worker registers, works, and is killed: another one takes its place and its run; the killed server goes on with its queue", async () => {
    const order: string[] = [];
    const first = await worker("takeover");
    first.orchestrator.start(async ({ key }) => {
      order.push(`first ${key}`);
      if (key !== "a1") await new Promise(() => undefined);
      return DONE;
    });
    await first.orchestrator.offer(A1);
    await expect.poll(() => order, soon).toEqual(["first a1"]);
    await first.orchestrator.offer(A2);
    await expect.poll(() => order, soon).toEqual(["first a1", "first a2"]);
    await first.http.close(); // its connections break in the middle of the work
    await server.kill();
    await server.start();
    const second = await worker("takeover");
    second.orchestrator.start(async ({ key }) => (order.push(`second ${key}`), DONE));
    await expect.poll(() => order, soon).toEqual(["first a1", "first a2", "second a2"]);
    void first.orchestrator.close(); // never ends: the work does not listen to its signal
    cleanUp.shift();
  });

  test("with an identity key, a call without the server's signature is refused and starts no work", async () => {
    let worked = 0;
    const { orchestrator, http } = await worker("signed", {
      identityKey: "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f",
    });
    orchestrator.start(async () => (worked++, DONE));
    const ask = async (path: string, init: RequestInit) => (await fetch(`${http.url}${path}`, init)).status;
    const answers = [
      await ask("/api/restate/discover", {}),
      await ask("/api/restate/invoke/signed/deliver", { method: "POST", body: JSON.stringify(A1) }),
      await ask("/api/restate/discover", {
        headers: { "x-restate-signature-scheme": "v1", "x-restate-jwt-v1": "x.y.z" },
      }),
    ];
    expect({ answers, worked }).toEqual({ answers: [401, 401, 401], worked: 0 });
  });
});
