import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { embeddedOrchestrator } from "../src/adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { restateOrchestrator } from "../src/adapters/orchestrator/restate/restate-orchestrator.ts";
import { serveEndpoint } from "../src/adapters/orchestrator/testing/engine-http.ts";
import { inngestWorker } from "../src/adapters/orchestrator/testing/inngest-place.ts";
import { describeWithInngest, inngestServer } from "../src/adapters/orchestrator/testing/inngest-server.ts";
import { restateSdk, restateServer } from "../src/adapters/orchestrator/testing/restate-server.ts";
import type { Orchestrator } from "../src/ports/orchestrator.ts";

/** Runs whose work does nothing, in lanes, offered at once: what an engine costs. The figures are in docs/engines.md. */
const [LANES, RUNS] = [16, 160];
const world = { now: Date.now, random: (count: number) => randomBytes(count) };
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** One line with the processor time per run, here and in the servers, and medians from the offer to the work: one by one, and all at once. */
async function measure(name: string, orchestrator: Orchestrator, pids: readonly number[] = []): Promise<void> {
  const offered = new Map<string, number>();
  const waited: number[] = [];
  orchestrator.start(async ({ key }) => {
    waited.push(performance.now() - offered.get(key)!);
    return { kind: "done" };
  });
  const offer = async (key: string, lane: string): Promise<void> => {
    offered.set(key, performance.now());
    await orchestrator.offer({ key, lane });
  };
  for (let n = 0; n < 5; n++) await offer(`warm-${n}`, "warm").then(() => orchestrator.settled());
  waited.length = 0;
  for (let n = 0; n < 20; n++) await offer(`one-${n}`, "single").then(() => orchestrator.settled());
  const alone = median(waited.splice(0));
  const [ours, theirs, began] = [process.cpuUsage(), cpuMs(pids), performance.now()];
  for (let n = 0; n < RUNS; n++) await offer(`run-${n}`, `lane-${n % LANES}`);
  await orchestrator.settled();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(ours);
  const perRun = (ms: number): string => (ms / RUNS).toFixed(2);
  tell(
    `${name}: ${perRun((user + system) / 1000)} ms of our process and ${perRun(cpuMs(pids) - theirs)} ms of the server per run; ` +
      `one by one ${alone.toFixed(2)} ms, ${RUNS} at once ${median(waited).toFixed(1)} ms; ${(RUNS / seconds).toFixed(1)} runs a second`,
  );
  expect(waited.length).toBe(RUNS);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Processor time of processes so far, from /proc (ticks of 10 ms). */
function cpuMs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) =>
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")
      .slice(11, 13)
      .map(Number),
  );
  return ticks.reduce((sum, each) => sum + each * 10, 0);
}

describe("cost of an engine per run", () => {
  test("embedded", async () => {
    const orchestrator = embeddedOrchestrator({ world, limit: LANES });
    onTestFinished(() => orchestrator.close());
    await measure("embedded", orchestrator);
  });

  test("Restate", async () => {
    const server = await restateServer();
    onTestFinished(() => server.close());
    let at: string | undefined;
    const { url, admin } = server;
    const options = { world, limit: LANES, url, admin, workerUrl: () => at, app: "cost", sdk: restateSdk };
    const orchestrator = restateOrchestrator(options);
    const http = await serveEndpoint(orchestrator.endpoint!);
    at = http.url;
    onTestFinished(async () => {
      await orchestrator.close();
      await http.close();
    });
    await measure("Restate", orchestrator, [server.pid]);
  });
});

describeWithInngest("cost of a real server of Inngest per run", () => {
  test.each(["serve", "connect"] as const)("mode: %s", async (mode) => {
    const server = await inngestServer({ tickMs: 150 });
    onTestFinished(() => server.close());
    const { orchestrator, close } = await inngestWorker({ url: server.url, app: "cost", limit: LANES, mode });
    onTestFinished(async () => {
      await orchestrator.close();
      await close();
    });
    await measure(`Inngest, ${mode}`, orchestrator, server.pids);
  });
});
