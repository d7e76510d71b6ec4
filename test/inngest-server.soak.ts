import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { orchestratorConformance } from "../src/adapters/orchestrator/conformance.ts";
import { SIGNING_KEY } from "../src/adapters/orchestrator/testing/inngest-executor.ts";
import { inngestWorker } from "../src/adapters/orchestrator/testing/inngest-place.ts";
import {
  describeWithInngest,
  type InngestServer,
  inngestServer,
} from "../src/adapters/orchestrator/testing/inngest-server.ts";
import { patient } from "../src/base/testing/patience.ts";
import type { OfferedRun, Worked } from "../src/ports/orchestrator.ts";

const DONE: Worked = { kind: "done" };
const stuckWorker = fileURLToPath(
  new URL("../src/adapters/orchestrator/testing/inngest-stuck-worker.ts", import.meta.url),
);
const modes = ["serve", "connect"] as const;
const soon = { timeout: patient(60_000), interval: 100 };

describeWithInngest("a real server of Inngest", () => {
  let server: InngestServer;
  beforeAll(async () => {
    server = await inngestServer({ retrySeconds: 1 });
  });
  afterAll(() => server.close());
  const cleanUp: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).toReversed()) await step();
  });

  // An app of its own per place: a registration replaces the functions of its app, and events of one app start nothing in another.
  let apps = 0;
  const newApp = (): string => `soak-${++apps}`;

  type WorkerOptions = Omit<Parameters<typeof inngestWorker>[0], "url">;
  async function worker(options: WorkerOptions) {
    const made = await inngestWorker({ url: server.url, ...options });
    let isOver = false;
    const end = async (): Promise<void> => {
      if (isOver) return;
      isOver = true;
      await made.orchestrator.close();
      await made.close();
    };
    cleanUp.push(end);
    return { ...made, end };
  }
  const isReady = ({ orchestrator }: Awaited<ReturnType<typeof worker>>): Promise<void> =>
    expect.poll(async () => (await orchestrator.health()).remarks ?? [], soon).toEqual([]);

  for (const mode of modes)
    orchestratorConformance(
      `inngest server, ${mode}`,
      (limit) => inngestWorker({ url: server.url, app: newApp(), limit, mode }),
      { soonMs: 5000, hourMs: 12_000, randomRuns: 2, workMs: 500 },
    );

  describe.each(modes)("O-11 traps, mode: %s", (mode) => {
    let runs = 0;
    const newJob = (): OfferedRun => ({ key: `run_2026-02-14_080000_${++runs}`, lane: `echo-${mode}` });

    test.each([
      ["no time", 0],
      ["more than a second", 1200],
    ])("O-3 runs of a lane that are offered at once keep their order if work takes %s", async (_, ms) => {
      const place = await worker({ app: newApp(), mode, limit: 8 });
      const order: string[] = [];
      place.orchestrator.start(async ({ key }) => (order.push(key), await sleep(ms), DONE));
      await isReady(place);
      const offered = Array.from({ length: 30 }, (_each, n) => ({ key: `run-${100 + n}`, lane: `lane-${n % 3}` }));
      for (const job of offered) await place.orchestrator.offer(job);
      await place.orchestrator.settled();
      const inLane = (n: number): string[] =>
        order.filter((key) => offered.find((job) => job.key === key)!.lane === `lane-${n}`);
      expect([0, 1, 2].map(inLane)).toEqual([0, 1, 2].map((n) => inLane(n).toSorted()));
      expect(order.length).toBe(30);
    });

    test("a killed server goes on with its open work from Redis, without a reminder", async () => {
      const { orchestrator } = await worker({ app: newApp(), mode });
      const job = newJob();
      let worked = 0;
      orchestrator.start(async () => (++worked === 1 ? { kind: "later", at: Date.now() + 3000 } : DONE));
      await orchestrator.offer(job);
      await expect.poll(() => worked, soon).toBe(1);
      await sleep(500); // the answer has reached the server
      await server.kill();
      await server.start();
      await expect.poll(() => worked, { ...soon, timeout: patient(120_000) }).toBe(2);
      await orchestrator.settled();
      expect(worked).toBe(2);
    });

    test("a server that was killed and has lost its state is registered with again, and a reminder brings the run back", async () => {
      const place = await worker({ app: newApp(), mode, forgetMs: 5000 });
      const { orchestrator } = place;
      const job = newJob();
      let worked = 0;
      orchestrator.start(async () => (++worked === 1 ? { kind: "later", at: Date.now() + 3000 } : DONE));
      await orchestrator.offer(job);
      await expect.poll(() => worked, soon).toBe(1);
      await server.kill("wipe");
      await server.start();
      const began = performance.now();
      await expect
        .poll(async () => (await orchestrator.remind!(job), worked), { timeout: patient(180_000), interval: 1000 })
        .toBe(2);
      tell(`${mode}: back ${Math.round((performance.now() - began) / 1000)} s after the start of an empty server`);
    });

    test("a worker that was away for a while is called again", async () => {
      const app = newApp();
      const first = await worker({ app, mode });
      first.orchestrator.start(async () => DONE);
      await isReady(first);
      const port = mode === "serve" ? Number(new URL(first.http.url).port) : 0;
      await first.end();
      const gateway = await worker({ app, mode, carriesOut: false });
      const job = newJob();
      await gateway.orchestrator.offer(job);
      await sleep(6000);
      const second = await worker({ app, mode, port });
      let worked = 0;
      second.orchestrator.start(async () => (worked++, DONE));
      await expect.poll(() => worked, { ...soon, timeout: patient(180_000) }).toBe(1);
    });

    test("a run whose worker is killed is given to another one", async () => {
      const app = newApp();
      const child = spawn(process.execPath, [stuckWorker, server.url, app, mode], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      cleanUp.push(async () => void child.kill("SIGKILL"));
      const gateway = await worker({ app, mode, carriesOut: false });
      const job = newJob();
      const begun = once(child.stdout, "data");
      const over = new AbortController();
      // The functions are registered some time after the start of the process; an event before them starts nothing.
      const offers = (async () => {
        for (let n = 0; !over.signal.aborted; n++) {
          await gateway.orchestrator.offer({ ...job, key: `${job.key}-${n}` });
          await sleep(1000);
        }
      })();
      const [key] = (await begun) as [Buffer];
      over.abort();
      await offers;
      const order: string[] = [];
      const other = await worker({ app, mode });
      other.orchestrator.start(async (one) => (order.push(one.key), DONE));
      await isReady(other);
      child.kill("SIGKILL");
      const began = performance.now();
      await expect.poll(() => order, { timeout: patient(300_000), interval: 500 }).toContain(key.toString().trim());
      tell(
        `${mode}: the run of a killed worker is begun again after ${Math.round((performance.now() - began) / 1000)} s`,
      );
    });

    test("an event that comes before the functions starts nothing, and a reminder brings its run back", async () => {
      const app = newApp();
      const gateway = await worker({ app, mode, carriesOut: false });
      const job = newJob();
      await gateway.orchestrator.offer(job);
      await sleep(1000);
      const late = await worker({ app, mode });
      let worked = 0;
      late.orchestrator.start(async () => (worked++, DONE));
      await isReady(late);
      await sleep(3000);
      const before = worked;
      await expect.poll(async () => (await late.orchestrator.remind!(job), worked), soon).toBe(1);
      expect(before).toBe(0);
    });

    test("the schedules of agents are asked for every minute", async () => {
      const { orchestrator } = await worker({ app: newApp(), mode });
      let asked = 0;
      orchestrator.start(async () => DONE, { requestDue: async () => (asked++, []) });
      await expect.poll(() => asked, { timeout: patient(130_000), interval: 500 }).toBeGreaterThan(0);
    });

    test("a worker with the key without its prefix, as the server has it, gets work", async () => {
      const { orchestrator } = await worker({
        app: newApp(),
        mode,
        signingKey: SIGNING_KEY.replace(/^signkey-\w+-/, ""),
      });
      let worked = 0;
      orchestrator.start(async () => (worked++, DONE));
      await orchestrator.offer(newJob());
      await expect.poll(() => worked, soon).toBe(1);
    });

    test("a worker with another signing key gets no work, and its health says why", async () => {
      const { orchestrator } = await worker({ app: newApp(), mode, signingKey: `signkey-test-${"2e".repeat(32)}` });
      let worked = 0;
      orchestrator.start(async () => (worked++, DONE));
      await orchestrator.offer(newJob());
      await expect.poll(async () => (await orchestrator.health()).remarks?.length, soon).toBe(1);
      expect({ worked, ok: (await orchestrator.health()).ok }).toEqual({ worked: 0, ok: false });
    });
  });

  test("O-11 a call without a signature of the server is answered 401 and starts no work", async () => {
    const { orchestrator, http } = await worker({ app: newApp() });
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    const body = JSON.stringify({ event: {}, steps: {}, ctx: { run_id: "x" } });
    const at = `${http.url}/api/inngest?fnId=soak-agent-run&stepId=step`;
    const answers = [await fetch(at, { method: "POST", body }), await fetch(at, { method: "PUT" }), await fetch(at)];
    expect({ status: answers.map(({ status }) => status), worked }).toEqual({ status: [401, 401, 401], worked: 0 });
  });

  test("O-11 two workers that register by turns at their own addresses finish every run, one at a time in a lane", async () => {
    const app = newApp();
    const done: string[] = [];
    const busy = new Set<string>();
    let rivals = 0;
    const pair = [await worker({ app }), await worker({ app })];
    for (const { orchestrator } of pair)
      orchestrator.start(async ({ key, lane }) => {
        if (busy.has(lane)) rivals++;
        busy.add(lane);
        await sleep(20);
        busy.delete(lane);
        done.push(key);
        return DONE;
      });
    for (const one of pair) await isReady(one);
    const jobs = Array.from({ length: 20 }, (_, n) => ({ key: `run-${n}`, lane: `lane-${n % 4}` }));
    for (const job of jobs) for (const { orchestrator } of pair) await orchestrator.offer(job);
    await expect.poll(() => new Set(done).size, { ...soon, timeout: patient(120_000) }).toBe(20);
    await sleep(3000);
    // The server merges the two offers. A worker that has used another delivery for a run gets that run's own one too, if the other
    // worker offered it first; in a garden it finds the run recorded.
    tell(`${done.length} deliveries of 20 runs that two workers offered`);
    expect({ rivals, isBounded: done.length <= 40 }).toEqual({ rivals: 0, isBounded: true });
  });
});

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
