import { randomBytes } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Orchestrator, Worked } from "../../../ports/orchestrator.ts";
import { orchestratorConformance } from "../conformance.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type EngineTroubles, MemoryEngine } from "../testing/memory-engine.ts";
import { type RemoteEngineOptions, remoteOrchestrator } from "./remote-orchestrator.ts";

function place(limit: number, troubles: EngineTroubles = {}) {
  const clock = manualClock();
  const engine = new MemoryEngine(clock.sleep, troubles);
  const join = (over: Partial<RemoteEngineOptions> = {}): Orchestrator =>
    remoteOrchestrator({
      world: { now: clock.world.now, random: (count) => randomBytes(count) },
      limit,
      wait: clock.wait,
      link: engine.link(),
      ...over,
    });
  return { ...clock, engine, join };
}

orchestratorConformance("an engine outside of the process", async (limit) => {
  const { join, world, pass, waits } = place(limit);
  return { orchestrator: join({ forgetMs: 1e12 }), now: world.now, pass, waits };
});

const [A1, A2] = [
  { key: "a1", lane: "a" },
  { key: "a2", lane: "a" },
];

describe("O-5 an engine outside of the process", () => {
  test("O-3 a run that is offered while it is worked on comes after the runs that were offered before, however slow their offers are", async () => {
    const { join, pass } = place(4, { sendDelay: ({ key }) => (key === "a2" ? 5000 : 0) });
    const order: string[] = [];
    const orchestrator = join();
    orchestrator.start(async (one): Promise<Worked> => {
      order.push(one.key);
      if (order.length === 1) await orchestrator.offer(one);
      return { kind: "done" };
    });
    await orchestrator.offer(A1);
    await orchestrator.offer(A2);
    await pass(20_000);
    expect(order).toEqual(["a1", "a2", "a1"]);
    await orchestrator.close();
  });

  test("O-3 a run that waits for its lane longer than reminders take is worked on in its turn", async () => {
    const { join, pass } = place(4);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const orchestrator = join({ forgetMs: 20_000 });
    orchestrator.start(async ({ key }): Promise<Worked> => {
      order.push(key);
      if (key === "a1") await new Promise<void>((resolve) => ends.push(resolve));
      return { kind: "done" };
    });
    await orchestrator.offer(A1);
    await orchestrator.offer(A2);
    for (let second = 0; second < 60; second += 10) {
      await pass(10_000);
      for (const one of [A1, A2]) await orchestrator.remind!(one);
    }
    ends[0]!();
    await pass(1000);
    expect(order).toEqual(["a1", "a2"]);
    await orchestrator.close();
  });

  test.each<[string, Worked | Error]>([
    ["a run that is due later", { kind: "later", at: 0 }],
    ["a run that failed", new Error("not now")],
  ])("the follow-up of %s is not lost if the engine cannot be told of it at first", async (_, first) => {
    let isAway = false;
    const { join, pass, world } = place(4, { sendFails: () => (isAway ? ((isAway = false), "away") : undefined) });
    let times = 0;
    const orchestrator = join();
    orchestrator.start(async (): Promise<Worked> => {
      if (++times > 1) return { kind: "done" };
      isAway = true;
      if (first instanceof Error) throw first;
      return { kind: "later", at: world.now() + 1000 };
    });
    await orchestrator.offer(A1);
    await pass(5000);
    expect(times).toBe(2);
    await orchestrator.close();
  });

  test("with random lost answers, slow offers and repeated deliveries, two processes finish every run, in single file", async () => {
    const trouble = fc.constantFrom("none", "none", "none", "slow", "away", "lost", "unanswered");
    await fc.assert(
      fc.asyncProperty(
        fc.array(trouble, { maxLength: 60 }),
        fc.array(fc.record({ lane: fc.constantFrom("a", "b"), first: fc.constantFrom("done", "later", "throw") }), {
          minLength: 1,
          maxLength: 10,
        }),
        async (troubles, runs) => {
          const coming = [...troubles];
          const happens = (...kinds: string[]): string | undefined => {
            if (!kinds.includes(coming[0]!)) return void (coming[0] === "none" && coming.shift());
            return coming.shift();
          };
          const { join, pass, world } = place(2, {
            sendDelay: () => (happens("slow") ? 300 : 0),
            sendFails: () => happens("away", "lost") as "away" | "lost" | undefined,
            answerIsLost: () => happens("unanswered") !== undefined,
          });
          const jobs = runs.map(({ lane }, index) => ({ lane, key: `${lane}${index}` }));
          const tries = new Map<string, number>();
          const done = new Set<string>();
          const begun: string[] = [];
          const busy = new Set<string>();
          let rivals = 0;
          const processes = [join({ forgetMs: 1e12 }), join({ forgetMs: 1e12 })];
          for (const one of processes)
            one.start(async ({ key, lane }): Promise<Worked> => {
              if (busy.has(lane)) rivals++;
              busy.add(lane);
              await turn();
              busy.delete(lane);
              if (!begun.includes(key)) begun.push(key);
              const { first } = runs[jobs.findIndex((job) => job.key === key)]!;
              tries.set(key, (tries.get(key) ?? 0) + 1);
              if (tries.get(key) === 1 && first === "throw") throw new Error("as planned");
              if (tries.get(key) === 1 && first === "later") return { kind: "later", at: world.now() + 700 };
              done.add(key);
              return { kind: "done" };
            });
          for (const one of jobs) await processes[0]!.offer(one);
          await pass(60_000);
          for (const one of processes) await one.close();
          const inOrder = (lane: string, keys: readonly string[]) => keys.filter((key) => key.startsWith(lane));
          const keys = jobs.map(({ key }) => key);
          expect({ done: done.size, rivals, a: inOrder("a", begun), b: inOrder("b", begun) }).toEqual({
            done: jobs.length,
            rivals: 0,
            a: inOrder("a", keys),
            b: inOrder("b", keys),
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  test("runs offered while the engine is away for ten minutes are worked on within seconds of its return, in order", async () => {
    let isAway = true;
    const { join, pass, waits } = place(1, { sendFails: () => (isAway ? "away" : undefined) });
    const order: string[] = [];
    const orchestrator = join();
    orchestrator.start(async ({ key }): Promise<Worked> => (order.push(key), { kind: "done" }));
    for (const one of [A1, A2]) {
      await orchestrator.offer(one);
      await pass(300_000);
      await orchestrator.remind!(one);
    }
    const meanwhile = order.length;
    isAway = false;
    await pass(5000);
    expect({ meanwhile, order, isPatient: waits() < 150 }).toEqual({
      meanwhile: 0,
      order: ["a1", "a2"],
      isPatient: true,
    });
    await orchestrator.close();
  });

  test("an engine that has lost its state gets every open run again by reminders", async () => {
    const { join, pass, engine } = place(1);
    const order: string[] = [];
    const offering = join();
    for (const one of [A1, A2]) await offering.offer(one);
    await pass(1000);
    engine.wipe();
    const working = join();
    working.start(async ({ key }): Promise<Worked> => (order.push(key), { kind: "done" }));
    for (const one of [A1, A2]) await working.remind!(one);
    await pass(1000);
    expect(order).toEqual(["a1", "a2"]);
    for (const one of [offering, working]) await one.close();
  });
});
