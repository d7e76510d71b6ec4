import { afterEach, describe, expect, test } from "vitest";
import { bloom } from "./bloom.ts";
import { chaos, chaosGarden } from "./cluster/chaos.ts";
import {
  type Cluster,
  ended,
  healthOf,
  newCluster,
  recordsOf,
  requestedRun,
  runStateOf,
  until,
  writerAgent,
} from "./cluster/cluster.ts";
import { slowModel } from "./web/slow-model.ts";

const open: Cluster[] = [];
afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close();
});

describe("O-10 roles", () => {
  test("O-8 without a worker a run stays queued and /health says so; a worker carries it out", async () => {
    const cluster = await newCluster({ agents: [writerAgent("scribe")] });
    open.push(cluster);
    const gateway = await cluster.up("gateway");
    const run = await requestedRun(gateway, "scribe", { path: "notes/n.md" });
    const alone = await healthOf(gateway);
    const waits = await runStateOf(gateway, run);
    const worker = await cluster.up("worker");
    const state = await ended(gateway, run);
    const both = await healthOf(gateway);
    const status = await bloom(cluster.dir, ["status"]);
    expect({
      alone: [alone.status, alone.parts["workers"]?.remarks[0]?.en],
      waits,
      state,
      both: [both.status, both.peers.map(({ role }) => role)],
      worker: {
        role: (await healthOf(worker)).role,
        notes: (await worker.ask("GET", "/notes")).status,
        run: (await worker.ask("POST", "/agents/scribe/run", {})).status,
      },
      status: /^Served by +gateway .*\n +worker .*, runs \d+.*$/m.test(status.out),
    }).toEqual({
      alone: ["degraded", expect.stringContaining("No worker is running")],
      waits: "requested",
      state: "completed",
      both: ["ok", ["gateway", "worker"]],
      worker: { role: "worker", notes: 404, run: 404 },
      status: true,
    });
  });

  test("O-10 two gateways and two workers of which half are killed lose and double nothing", {
    timeout: 240_000,
  }, async () => {
    const cluster = await newCluster(chaosGarden);
    open.push(cluster);
    const report = await chaos(cluster, { seed: 7, kills: 3, gateways: 2, workers: 2, roundMs: 1500, mostOpen: 6 });
    expect(report).toMatchObject({ kills: 3, problems: [] });
  });

  test("A-4 an event at one gateway reaches a listener at another", async () => {
    const cluster = await newCluster({ agents: [] });
    open.push(cluster);
    const [one, other] = [await cluster.up("gateway"), await cluster.up("gateway")];
    const stream = await fetch(new URL("/events", one.url), { headers: { authorization: `Bearer ${cluster.token}` } });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    const made = await other.ask<{ id: string }>("POST", "/tokens", { kind: "owner", name: "script" });
    while (!text.includes("token-made")) text += (await reader.read()).value ?? "";
    await reader.cancel();
    expect({ made: made.status, event: text }).toEqual({ made: 201, event: expect.stringContaining(made.body.id) });
  });

  test("O-3 a worker that is stopped beyond its lease and woken records nothing as its holder", {
    timeout: 240_000,
  }, async () => {
    const model = await slowModel();
    const cluster = await newCluster({
      agents: [{ slug: "thinker", contract: { model: "slow/x", model_unlisted: "true" }, prose: "Think.\n" }],
      settings: `models: { slow: { url: "${model.url}" } }`,
    });
    open.push(cluster);
    const gateway = await cluster.up("gateway");
    const first = await cluster.up("worker");
    const run = await requestedRun(gateway, "thinker", {});
    await model.asked();
    first.running.process.kill("SIGSTOP");
    await cluster.up("worker");
    // The second worker waits for the end of the lease, and asks the model again.
    await until("the takeover", async () => model.waiting() > 1);
    model.answer();
    const state = await ended(gateway, run);
    const before = await recordsOf(cluster, run);
    first.running.process.kill("SIGCONT");
    await until("the first worker's return", async () => (await healthOf(first)).parts["engine"]?.status === "ok");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    model.stop();
    const after = await recordsOf(cluster, run);
    expect({
      state,
      holders: new Set(after.flatMap(({ epoch }) => epoch ?? [])).size,
      written: after
        .filter(({ key, hash }) => !before.some((each) => each.key === key && each.hash === hash))
        .map(({ key }) => key)
        // Its own attempt is over: that it did not die is no claim to the run.
        .filter((key) => !key.endsWith("/attempts/01-over.json")),
    }).toEqual({
      state: "completed",
      holders: 2,
      written: [],
    });
    expect((await bloom(cluster.dir, ["verify"])).exit).toBe(0);
  });
});
