import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../../../base/testing/patience.ts";
import type { Worked } from "../../../ports/orchestrator.ts";
import { fastClock } from "../testing/engine-http.ts";
import { InngestExecutor, inngestSdk } from "../testing/inngest-executor.ts";
import { INNGEST_SPEED, inngestPlace } from "../testing/inngest-place.ts";

beforeAll(() => inngestSdk(), patient(300_000));

const DONE: Worked = { kind: "done" };
const job = { key: "run_2026-02-14_080000_abc123", lane: "echo" };
const soon = { timeout: patient(30_000), interval: 50 };

/** Timers that would keep the process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const clock = fastClock(INNGEST_SPEED);
async function executor(): Promise<InngestExecutor> {
  const made = await new InngestExecutor(clock.now, INNGEST_SPEED).start();
  cleanUp.push(() => made.stop());
  return made;
}
async function worker(given: InngestExecutor, signingKey?: string) {
  const { orchestrator } = await inngestPlace({ given, clock, mode: "connect", ...(signingKey && { signingKey }) });
  cleanUp.push(() => orchestrator.close());
  return orchestrator;
}

describe("O-11 mode: connect of Inngest", () => {
  test("a worker is called through its own connection, and has no address where anybody could call it", async () => {
    const orchestrator = await worker(await executor());
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    await orchestrator.offer(job);
    await orchestrator.settled();
    expect({ worked, endpoint: orchestrator.endpoint, health: await orchestrator.health() }).toEqual({
      worked: 1,
      endpoint: undefined,
      health: { ok: true, running: 0, waiting: 0 },
    });
  });

  test("two workers of one machine have different names at the server; the run of a lost one is given to the other", async () => {
    const server = await executor();
    const [first, second] = [await worker(server), await worker(server)];
    const order: string[] = [];
    first.start(async (_, { signal }) => {
      order.push("first");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw signal.reason;
    });
    await first.offer(job);
    await expect.poll(() => order, soon).toEqual(["first"]);
    second.start(async () => (order.push("second"), DONE));
    await expect.poll(() => new Set(server.gateway!.instances).size, soon).toBe(2);
    await first.close();
    await expect.poll(() => order, soon).toEqual(["first", "second"]);
  });

  test("a server that was away and has lost its state is connected to again, and a reminder brings the run back", async () => {
    const server = await executor();
    const orchestrator = await worker(server);
    let worked = 0;
    orchestrator.start(async () => (worked++, DONE));
    await expect.poll(async () => (await orchestrator.health()).ok, soon).toBe(true);
    await server.stop("wipe");
    await expect.poll(async () => (await orchestrator.health()).ok, soon).toBe(false);
    await server.start();
    await expect.poll(async () => (await orchestrator.remind!(job), worked), soon).toBe(1);
  });

  test.each<[string, (server: InngestExecutor) => Promise<string | void>, RegExp]>([
    ["is away", (server) => server.stop(), /does not answer as it should/],
    ["refuses the key", async () => `signkey-test-${"2e".repeat(32)}`, /no connection yet/],
  ])("while the server %s, health says so, nothing is worked on, and the process can end", async (_, given, remark) => {
    const server = await executor();
    const before = timers();
    const orchestrator = await worker(server, (await given(server)) ?? undefined);
    orchestrator.start(async () => DONE);
    await orchestrator.offer(job);
    await expect.poll(async () => (await orchestrator.health()).remarks?.[0]?.en ?? "", soon).toMatch(remark);
    await orchestrator.close();
    await expect.poll(timers, soon).toBeLessThanOrEqual(before);
    expect(server.runs).toEqual([]);
  });
});
