import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { patient } from "../../base/testing/patience.ts";
import type { OfferedRun, Orchestrator, RunWork, Worked } from "../../ports/orchestrator.ts";

/** An orchestrator under test with its clock: `pass` advances the clock and lets due work run. */
export interface OrchestratorPlace {
  readonly orchestrator: Orchestrator;
  readonly now: () => number;
  readonly pass: (ms: number) => Promise<void>;
  /** Number of timers set so far: an engine must not poll. */
  readonly waits: () => number;
  /** Ends what the place needs beside the orchestrator. */
  readonly close?: () => Promise<void>;
}

/** Engines with a server of their own have its speed. */
interface ConformanceScale {
  /** Length of a short wait: what begins at once has begun before. */
  readonly soonMs?: number;
  /** Length of a long wait. */
  readonly hourMs?: number;
  /** Number of random histories. */
  readonly randomRuns?: number;
  /** Length of work that has to overlap with other work. */
  readonly workMs?: number;
}

const DONE: Worked = { kind: "done" };
const HELD: Worked = { kind: "held" };

/** The promises of `ports/orchestrator.ts`. Every adapter must pass this suite. */
export function orchestratorConformance(
  family: string,
  make: (limit: number) => Promise<OrchestratorPlace>,
  { soonMs = 5000, hourMs = 3_600_000, randomRuns = 40, workMs = 0 }: ConformanceScale = {},
): void {
  describe(`${family}: conformance of the orchestrator port`, () => {
    let cleanUp: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const step of cleanUp) await step();
      cleanUp = [];
    });
    async function place(limit = 4): Promise<OrchestratorPlace> {
      const made = await make(limit);
      cleanUp.push(async () => {
        await made.orchestrator.close();
        await made.close?.();
      });
      return made;
    }

    it("O-5 a job is worked on with its lane, whether it is offered before or after the start", async () => {
      const { orchestrator } = await place();
      const seen: OfferedRun[] = [];
      await orchestrator.offer(job("a", 1));
      orchestrator.start(async (one) => {
        seen.push(one);
        return DONE;
      });
      await orchestrator.offer(job("b", 1));
      await orchestrator.settled();
      expect(seen.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([job("a", 1), job("b", 1)]);
    });

    it("a second offer of a waiting job has no effect; an offer of a running job runs it again", async () => {
      const { orchestrator } = await place();
      const desk = deskOf(orchestrator);
      await orchestrator.offer(job("a", 1));
      await orchestrator.offer(job("a", 2));
      await orchestrator.offer(job("a", 2));
      await until(() => desk.at("a1"));
      await orchestrator.offer(job("a", 1));
      await orchestrator.offer(job("a", 1));
      await desk.finish("a1");
      await desk.finish("a2");
      await desk.finish("a1");
      await orchestrator.settled();
      expect(desk.begun).toEqual(["a1", "a2", "a1"]);
    });

    it("O-3 a lane runs one job at a time, in the order of the offers", async () => {
      const { orchestrator } = await place();
      const desk = deskOf(orchestrator);
      for (const n of [1, 2, 3]) await orchestrator.offer(job("a", n));
      await orchestrator.offer(job("b", 1));
      await until(() => desk.at("a1") && desk.at("b1"));
      const atOnce = [...desk.open];
      await desk.finish("a1");
      await until(() => desk.at("a2"));
      await desk.finish("a2");
      await desk.finish("a3");
      await desk.finish("b1");
      await orchestrator.settled();
      expect({ atOnce: atOnce.toSorted(), laneA: desk.begun.filter((key) => key.startsWith("a")) }).toEqual({
        atOnce: ["a1", "b1"],
        laneA: ["a1", "a2", "a3"],
      });
    });

    it("O-3 an orchestrator never runs more jobs than its limit, and every lane gets its turn", async () => {
      const { orchestrator } = await place(3);
      let now = 0;
      let most = 0;
      const order: string[] = [];
      orchestrator.start(async ({ key }) => {
        order.push(key);
        most = Math.max(most, ++now);
        await (workMs > 0 ? sleep(workMs) : turn());
        now--;
        return DONE;
      });
      for (let n = 0; n < 10; n++) for (const lane of "abcdefgh") await orchestrator.offer(job(lane, n));
      await orchestrator.settled();
      const lanesInFirstHalf = new Set(order.slice(0, 40).map((key) => key[0])).size;
      expect({ most, worked: order.length, lanesInFirstHalf }).toEqual({ most: 3, worked: 80, lanesInFirstHalf: 8 });
    });

    it("O-6 a held job occupies neither its lane nor a place, and is worked on when it is offered again", async () => {
      const { orchestrator } = await place(1);
      const order: string[] = [];
      let answered = false;
      orchestrator.start(async ({ key }) => {
        order.push(key);
        return key === "a1" && !answered ? HELD : DONE;
      });
      for (const n of [1, 2]) await orchestrator.offer(job("a", n));
      await orchestrator.settled();
      answered = true;
      await orchestrator.offer(job("a", 1));
      await orchestrator.settled();
      expect(order).toEqual(["a1", "a2", "a1"]);
    });

    it("O-6 an answer that arrives while the work is about to be held is not lost", async () => {
      const { orchestrator } = await place();
      let times = 0;
      orchestrator.start(async (one) => {
        if (++times > 1) return DONE;
        await orchestrator.offer(one);
        return HELD;
      });
      await orchestrator.offer(job("a", 1));
      await orchestrator.settled();
      expect(times).toBe(2);
    });

    it("a postponed job waits for its time without blocking its lane, and is not due work", async () => {
      const { orchestrator, now, pass } = await place(1);
      const order: string[] = [];
      const start = now();
      orchestrator.start(async ({ key }) => {
        order.push(key);
        return key === "a1" && now() < start + 3 * soonMs ? { kind: "later", at: start + 3 * soonMs } : DONE;
      });
      await orchestrator.offer(job("a", 1));
      await orchestrator.offer(job("a", 2));
      await orchestrator.offer(job("a", 3), start + soonMs);
      await orchestrator.settled();
      const early = [...order];
      await pass(soonMs);
      await orchestrator.settled();
      const soon = [...order];
      await pass(2 * soonMs);
      await orchestrator.settled();
      expect({ early, soon, late: order }).toEqual({
        early: ["a1", "a2"],
        soon: ["a1", "a2", "a3"],
        late: ["a1", "a2", "a3", "a1"],
      });
    });

    it("an offer without a time brings a postponed job forward", async () => {
      const { orchestrator, now } = await place();
      const order: string[] = [];
      orchestrator.start(async ({ key }) => {
        order.push(key);
        return DONE;
      });
      await orchestrator.offer(job("a", 1), now() + hourMs);
      await orchestrator.settled();
      const early = order.length;
      await orchestrator.offer(job("a", 1));
      await orchestrator.settled();
      expect({ early, order }).toEqual({ early: 0, order: ["a1"] });
    });

    it("O-3b work that throws is retried with growing pauses, and other lanes continue", async () => {
      const { orchestrator, now, pass } = await place(1);
      const tries: number[] = [];
      let others = 0;
      const start = now();
      orchestrator.start(async ({ lane }) => {
        if (lane === "b") {
          others++;
          return DONE;
        }
        tries.push(now() - start);
        if (tries.length < 5) throw new Error("not now");
        return DONE;
      });
      await orchestrator.offer(job("a", 1));
      for (let second = 0; second < 60 && tries.length < 5; second++) {
        await orchestrator.offer(job("b", second));
        await orchestrator.settled();
        await pass(500);
      }
      await orchestrator.settled();
      const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
      // A slow machine makes pauses longer, never shorter.
      const isGrowing = pauses.every((ms, index) => ms >= 900 * (index + 1));
      expect({ tries: tries.length, othersRan: others > 4, isGrowing }).toEqual({
        tries: 5,
        othersRan: true,
        isGrowing: true,
      });
    });

    it("interrupted work gets the reason, and its result counts", async () => {
      const { orchestrator } = await place();
      const reasons: unknown[] = [];
      orchestrator.start(async (_, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        reasons.push((signal.reason as Error).message);
        return DONE;
      });
      await orchestrator.offer(job("a", 1));
      await until(async () => (await orchestrator.health()).running === 1);
      orchestrator.interrupt("a2", new Error("another one"));
      orchestrator.interrupt("a1", new Error("no longer wanted"));
      await orchestrator.settled();
      expect({ reasons, health: await orchestrator.health() }).toEqual({
        reasons: ["no longer wanted"],
        health: { ok: true, running: 0, waiting: 0 },
      });
    });

    it("a closed orchestrator starts nothing; running work is asked to stop and waited for", async () => {
      const { orchestrator, pass } = await place(1);
      const order: string[] = [];
      orchestrator.start(async ({ key }, { signal }) => {
        order.push(`${key} begins`);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        await turn();
        order.push(`${key} ends`);
        throw signal.reason;
      });
      await orchestrator.offer(job("a", 1));
      await until(() => order.length === 1);
      await orchestrator.offer(job("b", 1));
      await orchestrator.close();
      const atClose = [...order];
      await orchestrator.offer(job("c", 1));
      await pass(hourMs / 6);
      expect({ atClose, later: order, ok: (await orchestrator.health()).ok }).toEqual({
        atClose: ["a1 begins", "a1 ends"],
        later: ["a1 begins", "a1 ends"],
        ok: false,
      });
    });

    it("an orchestrator waits with timers, not by polling: one hour needs few of them", async () => {
      const { orchestrator, now, pass, waits } = await place();
      let worked = 0;
      orchestrator.start(async () => {
        worked++;
        return DONE;
      });
      for (let n = 0; n < 50; n++) await orchestrator.offer(job("a", n), now() + hourMs + n);
      for (let minute = 0; minute < 61; minute++) await pass(hourMs / 60);
      await orchestrator.settled();
      expect(worked).toBe(50);
      expect(waits()).toBeLessThan(400);
    });

    it("with random offers, holds, failures and pauses, lanes stay in single file, the limit holds, and all jobs finish", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.array(
            fc.record({
              lane: fc.integer({ min: 0, max: 3 }),
              number: fc.integer({ min: 0, max: 4 }),
              troubles: fc.array(fc.constantFrom("throw", "held", "later", "offer"), { maxLength: 3 }),
              after: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
            }),
            { maxLength: 25 },
          ),
          async (limit, offers) => {
            const { orchestrator, now, pass, close } = await make(limit);
            const left = new Map(offers.map(({ lane, number, troubles }) => [`${lane}${number}`, [...troubles]]));
            const busy = new Set<string>();
            const held = new Set<string>();
            const done = new Set<string>();
            let most = 0;
            let rivals = 0;
            const work: RunWork = async (one) => {
              if (busy.has(one.lane)) rivals++;
              busy.add(one.lane);
              most = Math.max(most, busy.size);
              await turn();
              busy.delete(one.lane);
              const trouble = left.get(one.key)!.shift();
              if (trouble === "throw") throw new Error("as planned");
              if (trouble === "later") return { kind: "later", at: now() + 700 };
              if (trouble === "offer") await orchestrator.offer(one);
              if (trouble === "held") held.add(one.key);
              else done.add(one.key);
              return trouble === "held" ? HELD : DONE;
            };
            orchestrator.start(work);
            for (const { lane, number, after } of offers) {
              await orchestrator.offer(
                { key: `${lane}${number}`, lane: String(lane) },
                after === undefined ? undefined : now() + after,
              );
            }
            for (let round = 0; round < 40; round++) {
              await orchestrator.settled();
              for (const key of held) await orchestrator.offer({ key, lane: key[0]! });
              held.clear();
              await pass(1000);
            }
            await orchestrator.settled();
            await orchestrator.close();
            await close?.();
            expect({ rivals, done: [...done].toSorted() }).toEqual({ rivals: 0, done: [...left.keys()].toSorted() });
            expect(most).toBeLessThanOrEqual(limit);
          },
        ),
        { numRuns: randomRuns },
      );
    });
  });
}

const job = (lane: string, number: number): OfferedRun => ({ key: `${lane}${number}`, lane });

/** Work that ends when the test calls `finish`. */
function deskOf(orchestrator: Orchestrator) {
  const open = new Map<string, (worked: Worked) => void>();
  const begun: string[] = [];
  orchestrator.start(({ key }, { signal }) => {
    begun.push(key);
    return new Promise((resolve) => {
      open.set(key, resolve);
      signal.addEventListener("abort", () => resolve(DONE));
    });
  });
  return {
    begun,
    get open() {
      return [...open.keys()];
    },
    at: (key: string): boolean => open.has(key),
    async finish(key: string): Promise<void> {
      await until(() => open.has(key));
      const end = open.get(key)!;
      open.delete(key);
      end(DONE);
      await turn();
    },
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const late = performance.now() + patient(20_000);
  while (!(await condition())) {
    if (performance.now() > late) throw new Error("the condition never held");
    await turn();
  }
}
