import { expect, onTestFinished, test } from "vitest";
import type { S3Endpoint } from "../src/adapters/store/s3/endpoint.ts";
import { openS3Store } from "../src/adapters/store/s3/open-s3-store.ts";
import { memoryEndpoint } from "../src/adapters/store/s3/testing/memory-endpoint.ts";
import { realWorld } from "../src/base/world.ts";
import { keys } from "../src/domain/layout.ts";
import { realPause } from "../src/garden/core/flow/pause.ts";
import { openFlow } from "../src/garden/core/flow/step.ts";
import type { Garden } from "../src/garden/core/garden.ts";
import { openRunIds, restoreOpenRuns } from "../src/garden/runs/open-runs.ts";
import { requestRun } from "../src/garden/runs/request-run.ts";
import { engineGround } from "../src/garden/runs/testing/engine-ground.ts";
import { endOf, flowOf, requestedEcho, steps, until, withAgent } from "../src/garden/runs/testing/sample-flow.ts";
import { everyKey, type Store } from "../src/ports/store.ts";

/** A proxy before a bucket, such as an ingress that is being rolled out, answers 404 by itself: that says nothing about the object. */
interface Proxy {
  /** A process of its own: nothing is cached. */
  readonly open: () => Promise<Store>;
  /** The next read of such an object is answered by the proxy. */
  readonly answerOnce: (isAnswered: (target: string) => boolean) => void;
  /** The number of its answers. */
  readonly answers: () => number;
}

function proxy(): Proxy {
  const bucket = memoryEndpoint();
  let isAnswered: ((target: string) => boolean) | undefined;
  let count = 0;
  const endpoint: S3Endpoint = {
    close: () => undefined,
    async send(request) {
      if (request.method !== "GET" || !isAnswered?.(request.target)) return await bucket.send(request);
      isAnswered = undefined;
      count++;
      return { status: 404, headers: { "content-type": "text/plain" }, body: Buffer.from("404 page not found\n") };
    },
  };
  const settings = {
    kind: "s3" as const,
    endpoint: "http://memory",
    bucket: "garden",
    prefix: "",
    region: "us-east-1",
    key_env: "KEY",
    secret_env: "SECRET",
  };
  const proofs = { read: () => undefined, write: () => undefined };
  return {
    open: () => openS3Store({ settings, world: realWorld, secretOf: () => "x", proofs, endpoint }),
    answerOnce: (which) => void (isAnswered = which),
    answers: () => count,
  };
}

test("O-3 a call that is on record is not made again because a proxy answers 404", async () => {
  const { open, answerOnce, answers } = proxy();
  const place = { slug: "echo", run: "run_2026-02-14_080000_abc123" };
  let calls = 0;
  const program = async (store: Store): Promise<unknown> =>
    await openFlow({ store, world: realWorld, pause: realPause }, place).step("model", {}, async () => ++calls);
  await program(await open());
  answerOnce((target) => target.includes("/steps/"));
  const result = await program(await open());
  expect({ calls, result, answers: answers() }).toEqual({ calls: 1, result: 1, answers: 1 });
});

test("O-2 an open run is not forgotten because a proxy answers 404", async () => {
  const { open, answerOnce, answers } = proxy();
  const { garden: local, clock, engine } = await engineGround(new Date(Date.now() - 120_000).toISOString());
  const garden = { ...local, store: await open() } as Garden;
  await withAgent(garden, "echo");
  const place = await requestedEcho(garden);
  await restoreOpenRuns(garden);
  clock.jump(90_000); // no worker for longer than an entry may be without its request
  answerOnce((target) => target.endsWith(keys.runRequest(place.slug, place.run)));
  await engine(flowOf(steps(2)), { garden: { ...local, store: await open() } });
  const passing = setInterval(() => void clock.pass(1000), 50);
  onTestFinished(() => clearInterval(passing));
  await until(async () => (await endOf(garden, place)) !== undefined);
  await until(async () => (await openRunIds(garden.store)).length === 0);
  expect({ end: (await endOf(garden, place))?.status, answers: answers() }).toEqual({ end: "completed", answers: 1 });
});

test("O-9 the records of a run are not deleted at its end because a proxy answers 404", async () => {
  const { open, answerOnce, answers } = proxy();
  const { garden: local, clock, engine } = await engineGround();
  const garden = { ...local, store: await open() } as Garden;
  await withAgent(garden, "echo");
  // Too large for the cache of the store, so that it is read again at the end.
  const input = { text: "x".repeat(1_100_000) };
  const { run_id: run } = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner", input });
  const place = { slug: "echo", run };
  const flow = flowOf(async (context) => {
    await steps(3)(context);
    answerOnce((target) => target.endsWith(keys.runRequest("echo", run)));
  });
  await engine(flow, { garden });
  const passing = setInterval(() => void clock.pass(1000), 50);
  onTestFinished(() => clearInterval(passing));
  await until(async () => answers() === 1 && (await endOf(garden, place)) !== undefined);
  const left: string[] = [];
  for await (const { key } of everyKey(garden.store, keys.runFolder("echo", run))) left.push(key.split(`${run}/`)[1]!);
  expect({ end: (await endOf(garden, place))?.status, left }).toEqual({
    end: "completed",
    left: expect.arrayContaining(["steps/00-request.json", "steps/04-step-3.json", "manifest.json"]),
  });
});
