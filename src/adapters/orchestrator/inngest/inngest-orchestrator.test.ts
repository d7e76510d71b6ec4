import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../../../base/testing/patience.ts";
import type { Worked } from "../../../ports/orchestrator.ts";
import { orchestratorConformance } from "../conformance.ts";
import { fastClock } from "../testing/engine-http.ts";
import { InngestExecutor, inngestSdk } from "../testing/inngest-executor.ts";
import { inngestPlace as place, INNGEST_SPEED as SPEED } from "../testing/inngest-place.ts";

beforeAll(() => inngestSdk(), patient(300_000));

const DONE: Worked = { kind: "done" };

orchestratorConformance("inngest", (limit) => place({ limit }), {
  soonMs: 20_000,
  hourMs: 60_000,
  randomRuns: 2,
  workMs: 20,
});

describe("O-11 traps of Inngest", () => {
  const cleanUp: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0)) await step();
  });
  async function made(given?: InngestExecutor) {
    const one = await place({ given });
    cleanUp.push(async () => {
      await one.orchestrator.close();
      await one.close();
    });
    return one;
  }
  const job = { key: "run_2026-02-14_080000_abc123", lane: "echo" };

  test("a request without a signature, or with a wrong one, is answered 401 and starts no work", async () => {
    const { orchestrator, http } = await made();
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    const body = JSON.stringify({ event: {}, steps: {}, ctx: { run_id: "x" } });
    const at = `${http.url}/api/inngest?fnId=bloom-agent-run&stepId=step`;
    const signature = { "x-inngest-signature": `t=${Math.floor(Date.now() / 1000)}&s=${"0".repeat(64)}` };
    const answers = [
      await fetch(at, { method: "POST", body }),
      await fetch(at, { method: "PUT" }),
      await fetch(at),
      await fetch(at, { method: "POST", body, headers: { ...signature, "content-type": "application/json" } }),
    ];
    expect({ status: answers.map(({ status }) => status), worked }).toEqual({
      status: [401, 401, 401, 401],
      worked: 0,
    });
  });

  test.each([
    ["without a signature", {}],
    ["with an invented signature", { "x-inngest-signature": "invented" }],
    ["in band, with an invented signature", { "x-inngest-signature": "invented", "x-inngest-sync-kind": "in_band" }],
  ])("a registration %s is answered 401, and the server keeps the worker's address", async (_, headers) => {
    const { orchestrator, executor, http } = await made();
    orchestrator.start(async () => DONE);
    await expect.poll(() => executor.registrations, { timeout: patient(10_000) }).toBe(1);
    const before = executor.addresses;
    const { status } = await fetch(`${http.url}/api/inngest`, { method: "PUT", headers });
    expect({ status, before, after: executor.addresses, registrations: executor.registrations }).toEqual({
      status: 401,
      before: [`${http.url}/api/inngest`],
      after: before,
      registrations: 1,
    });
  });

  test("a server whose health is hidden by a proxy gets events all the time", async () => {
    const { orchestrator, executor } = await made();
    executor.hidesHealth = true;
    const worked: string[] = [];
    orchestrator.start(async ({ key }) => (worked.push(key), DONE));
    await expect.poll(() => executor.registrations, { timeout: patient(10_000) }).toBe(1);
    await sleep(3500); // looks for the server every three seconds
    await orchestrator.health();
    await orchestrator.offer(job);
    await expect.poll(() => worked, { timeout: patient(5000) }).toEqual([job.key]);
    expect(executor.registrations).toBe(1);
  });

  test("a call that the server makes twice is worked on once", async () => {
    const { orchestrator, executor } = await made();
    executor.doubles = true;
    let worked = 0;
    orchestrator.start(async () => {
      worked++;
      await sleep(20);
      return DONE;
    });
    await orchestrator.offer(job);
    await orchestrator.settled();
    expect(worked).toBe(1);
  });

  test.each([
    ["takes no time", 0],
    ["takes longer than one call may be used for several runs", 80],
  ])(
    "O-3 runs of a lane whose events the server starts in another order keep the order of their offers if work %s",
    async (_, ms) => {
      const { orchestrator, executor } = await made();
      const order: string[] = [];
      orchestrator.start(async ({ key }) => (order.push(key), await sleep(ms), DONE));
      await expect.poll(() => orchestrator.health(), { timeout: patient(10_000) }).toMatchObject({ ok: true });
      executor.swaps = true;
      for (const key of ["a1", "a2", "a3", "a4"]) await orchestrator.offer({ key, lane: "a" });
      await orchestrator.settled();
      expect(order).toEqual(["a1", "a2", "a3", "a4"]);
    },
  );

  test("a run whose steps were recorded by another version under other names goes on, and ends once", async () => {
    const { orchestrator, executor, now } = await made();
    executor.renamesSteps = true;
    let worked = 0;
    orchestrator.start(async () => (++worked === 1 ? { kind: "later", at: now() + 1000 } : DONE));
    await orchestrator.offer(job);
    await expect.poll(() => worked, { timeout: patient(10_000) }).toBe(2);
    // On a busy machine a lost answer may begin another function run, which finds the work done.
    await expect
      .poll(() => executor.runs.every(({ state }) => state === "done"), { timeout: patient(10_000) })
      .toBe(true);
    expect({ worked, isRenamed: !executor.renamesSteps }).toEqual({ worked: 2, isRenamed: true });
  });

  test("results of steps and events are references into the store, and small", async () => {
    const { orchestrator, executor } = await made();
    orchestrator.start(async () => DONE);
    await orchestrator.offer(job);
    await expect.poll(() => executor.runs.map(({ state }) => state), { timeout: patient(10_000) }).toEqual(["done"]);
    const steps = Object.values(executor.runs[0]!.steps);
    const bytes = JSON.stringify([executor.events, steps]).length;
    expect({ steps, isSmall: bytes < 1000, name: executor.events[0]?.name }).toEqual({
      steps: [{ type: "data", data: { ref: `agents/echo/runs/${job.key}/status.json`, next: null } }],
      isSmall: true,
      name: "agent/run.requested",
    });
  });

  test("a server that has lost its state is registered with again, and a reminder brings its run back", async () => {
    const clock = fastClock(SPEED);
    const executor = await new InngestExecutor(clock.now, SPEED).start();
    cleanUp.push(() => executor.stop());
    const first = await place({ given: executor, clock, carriesOut: false });
    await first.orchestrator.offer(job); // nobody works yet: the event has no function
    await expect.poll(() => executor.events.length, { timeout: patient(10_000) }).toBe(1);
    await executor.stop("wipe");
    await first.orchestrator.close();
    await first.close();
    await executor.start();
    const second = await made(executor);
    let worked = 0;
    second.orchestrator.start(async () => (worked++, DONE));
    await expect.poll(() => second.orchestrator.health(), { timeout: patient(10_000) }).toMatchObject({ ok: true });
    await expect
      .poll(async () => (await second.orchestrator.remind!(job), worked), { timeout: patient(20_000), interval: 300 })
      .toBe(1);
  });

  test("a worker registers again within seconds after its server was away and lost its state, not after a minute", async () => {
    const { orchestrator, executor } = await made();
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    await orchestrator.offer(job);
    await expect.poll(() => worked, { timeout: patient(20_000) }).toBe(1);
    await executor.stop("wipe");
    const next = { ...job, key: "run_2026-02-14_080001_abc123" };
    await orchestrator.offer(next);
    await sleep(500); // the event has failed
    await executor.start();
    const began = performance.now();
    await expect.poll(() => worked, { timeout: patient(30_000), interval: 200 }).toBe(2);
    expect((performance.now() - began) / 1000).toBeLessThan(patient(30));
  });

  test("an event key that the server refuses is told by `health`, and is no reason to register again", async () => {
    const { orchestrator, executor } = await made();
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    await expect.poll(() => executor.registrations, { timeout: patient(10_000) }).toBe(1);
    executor.refusesEvents = true;
    await orchestrator.offer(job);
    await expect.poll(() => orchestrator.health(), { timeout: patient(20_000) }).toMatchObject({ ok: false });
    await sleep(1500);
    expect({ worked, registrations: executor.registrations }).toEqual({ worked: 0, registrations: 1 });
    executor.refusesEvents = false;
    await expect.poll(() => worked, { timeout: patient(30_000), interval: 200 }).toBe(1);
  });

  test("the schedules of agents are one static function that asks the store, every minute", async () => {
    const { orchestrator, executor } = await made();
    let asked = 0;
    orchestrator.start(async () => DONE, { requestDue: async () => (asked++, [job]) });
    await expect.poll(() => (executor.tick(), asked), { timeout: patient(10_000), interval: 200 }).toBeGreaterThan(0);
    const cron = executor.runs.find(({ fn }) => fn === "bloom-agent-cron")!;
    await expect.poll(() => cron.state, { timeout: patient(10_000) }).toBe("done");
    expect(Object.values(cron.steps)).toEqual([
      { type: "data", data: { runs: [`agents/echo/runs/${job.key}/status.json`] } },
    ]);
  });

  test("an event of the garden is published with its name and id, and once", async () => {
    const { orchestrator, executor } = await made();
    orchestrator.start(async () => DONE);
    const event = {
      name: "note/created",
      id: "prop_1:note/created",
      at: "2026-02-14T08:00:00.000Z",
      data: { subject: "notes/a.md" },
    };
    await orchestrator.announce!(event);
    await orchestrator.announce!(event);
    expect(executor.events.map(({ name, data }) => ({ name, data }))).toEqual([
      { name: "note/created", data: { app: "bloom", subject: "notes/a.md" } },
    ]);
  });

  test("a worker that is away uses up the attempts of the server, and a reminder begins anew", async () => {
    const clock = fastClock(SPEED);
    const executor = await new InngestExecutor(clock.now, SPEED).start();
    cleanUp.push(() => executor.stop());
    const first = await place({ given: executor, clock });
    first.orchestrator.start(async () => DONE);
    await expect.poll(() => first.orchestrator.health(), { timeout: patient(10_000) }).toMatchObject({ ok: true });
    await first.http.close();
    await first.orchestrator.offer(job);
    await expect.poll(() => executor.runs.map(({ state }) => state), { timeout: patient(20_000) }).toEqual(["failed"]);
    await first.orchestrator.close();
    const second = await made(executor);
    let worked = 0;
    second.orchestrator.start(async () => (worked++, DONE));
    await expect
      .poll(async () => (await second.orchestrator.remind!(job), worked), { timeout: patient(20_000), interval: 300 })
      .toBe(1);
  });
});
