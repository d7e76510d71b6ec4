import { afterEach, describe, expect, test } from "vitest";
import { bloom } from "./bloom.ts";
import { type Cluster, ended, healthOf, newCluster, requestedRun, runStateOf, writerAgent } from "./cluster/cluster.ts";

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
      status: /^Served by +gateway .*\n +worker .*, runs 0$/m.test(status.out),
    }).toEqual({
      alone: ["degraded", expect.stringContaining("No worker is running")],
      waits: "requested",
      state: "completed",
      both: ["ok", ["gateway", "worker"]],
      worker: { role: "worker", notes: 404, run: 404 },
      status: true,
    });
  });
});
