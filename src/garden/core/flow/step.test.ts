import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import type { Json } from "../../../base/canonical.ts";
import { Failure, type FailureCode, isFailure } from "../../../base/failure.ts";
import { ranNode } from "../../../base/testing/ran-node.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import { CALL_LIMIT_MS } from "../../../domain/run/run-step.ts";
import type { Store } from "../../../ports/store.ts";
import { scratch } from "../../testing/scratch.ts";
import { isDecisionNeeded } from "./decision-needed.ts";
import { readJournal } from "./journal.ts";
import { acquireLease } from "./lease.ts";
import { type DurableFlow, openFlow, type StepOptions } from "./step.ts";
import { movableWorld, storeIn, testPause } from "./testing/flow-deps.ts";

const place = { slug: "echo", run: "run_2026-02-14_080000_abc123" };
const fails = (code: FailureCode): Failure => new Failure(code, { en: code, uk: code });
const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    return `gave ${JSON.stringify(await promise)}`;
  } catch (error) {
    return isFailure(error) ? error.code : String(error);
  }
};

async function ground(): Promise<{
  store: Store;
  world: ReturnType<typeof movableWorld>;
  pause: ReturnType<typeof testPause>["pause"];
  waited: number[];
}> {
  const { store } = await storeIn();
  return { store, world: movableWorld(), ...testPause() };
}

describe("O-2 a step", () => {
  test("records its result before the next step begins, and returns it on replay without working", async () => {
    const on = await ground();
    let worked = 0;
    const program = async (flow: DurableFlow): Promise<Json> => {
      const first = await flow.step("load-context", { a: 1 }, async () => ({ n: ++worked, gone: undefined as never }));
      expect((await readJournal(on.store, place))!.records.map(({ name }) => name)).toContain("load-context");
      return [first, await flow.step("execute-agent", first, async () => ++worked)];
    };
    const once = await program(openFlow(on, place));
    expect(await program(openFlow(on, place))).toEqual(once);
    expect({ once, worked }).toEqual({ once: [{ n: 1 }, 2], worked: 2 });
    expect((await readJournal(on.store, place))!.records).toMatchObject([
      { position: 1, name: "load-context", kind: "step", attempt: 1, input: { a: 1 } },
      { position: 2, name: "execute-agent" },
    ]);
  });

  test("has one record in concurrent calls, and every caller gets the first one's result", async () => {
    const on = await ground();
    const rivals = [1, 2, 3, 4].map((who) =>
      openFlow({ ...on, store: faultyStore(on.store, { seed: who, delays: true }) }, place),
    );
    const given = await Promise.all(rivals.map((flow, who) => flow.step("decide", null, async () => who)));
    expect(new Set(given).size).toBe(1);
    expect((await readJournal(on.store, place))!.records).toHaveLength(1);
  });

  test("keeps its position in parallel calls", async () => {
    const on = await ground();
    const turns: (() => void)[] = [];
    const slow = (): Promise<string> => new Promise((resolve) => turns.push(() => resolve("slow")));
    const flow = openFlow(on, place);
    const both = [flow.step("a", 1, slow), flow.step("b", 2, async () => "fast")];
    await both[1];
    turns[0]!();
    expect(await Promise.all(both)).toEqual(["slow", "fast"]);
    expect((await readJournal(on.store, place))!.records.map(({ position, name }) => `${position}${name}`)).toEqual([
      "1a",
      "2b",
    ]);
  });
});

describe("O-2 a program that differs from its journal", () => {
  test.each<[string, string, Json]>([
    ["another step", "renamed", 1],
    ["another input", "first", 2],
  ])("stops for a decision at %s, and executes nothing afterwards", async (_, name, input) => {
    const on = await ground();
    await openFlow(on, place).step("first", 1, async () => "x");
    const flow = openFlow(on, place);
    let worked = 0;
    const work = async (): Promise<number> => ++worked;
    await expect(flow.step(name, input, work)).rejects.toSatisfy(isDecisionNeeded);
    await expect(flow.step("second", 1, work)).rejects.toSatisfy(isDecisionNeeded);
    expect(worked).toBe(0);
  });

  test("stops for a decision also if the other record was written during its work", async () => {
    const on = await ground();
    const other = openFlow(on, place);
    const flow = openFlow(on, place);
    const late = flow.step("mine", 1, async () => void (await other.step("theirs", 1, async () => 1)) as never);
    await expect(late).rejects.toSatisfy(isDecisionNeeded);
    await expect(openFlow(on, place).step("mine", 1, async () => 1)).rejects.toSatisfy(isDecisionNeeded);
  });

  test("stops for a decision at an interrupted call that must not be repeated", async () => {
    const on = await ground();
    const options: StepOptions = { kind: "tool", once: true };
    let sent = 0;
    // A crash: the call was made, and the store failed before its record.
    const store = faultyStore(on.store, { seed: 1 });
    for (let n = 2; n <= 5; n++) store.faults.failAt(n, "before");
    expect(await codeOf(openFlow({ ...on, store }, place).step("send", 1, async () => ++sent, options))).toBe(
      "UPSTREAM_UNAVAILABLE",
    );
    await expect(openFlow(on, place).step("send", 1, async () => ++sent, options)).rejects.toSatisfy(isDecisionNeeded);
    expect(sent).toBe(1);
  });
});

describe("O-3 failures of a step", () => {
  test.each<[string, FailureCode[], string, number[]]>([
    ["one temporary failure", ["UPSTREAM_UNAVAILABLE"], 'gave "done"', [1000]],
    [
      "three temporary failures",
      ["UPSTREAM_UNAVAILABLE", "RATE_LIMITED", "AGENT_TIMEOUT"],
      'gave "done"',
      [1000, 2000, 4000],
    ],
    [
      "four temporary failures",
      ["UPSTREAM_UNAVAILABLE", "UPSTREAM_UNAVAILABLE", "UPSTREAM_UNAVAILABLE", "NLM_UNAVAILABLE"],
      "NLM_UNAVAILABLE",
      [1000, 2000, 4000],
    ],
    ["one permanent failure", ["FORBIDDEN"], "FORBIDDEN", []],
  ])("are retried with backoff or recorded: %s", async (_, failures, expected, pauses) => {
    const on = await ground();
    const left = [...failures];
    const work = async (): Promise<string> => {
      const code = left.shift();
      if (code) throw fails(code);
      return "done";
    };
    expect(await codeOf(openFlow(on, place).step("x", 1, work))).toBe(expected);
    // The result is recorded: a replay does no work and gives the same failure.
    left.push("INTERNAL_ERROR");
    expect(await codeOf(openFlow(on, place).step("x", 1, work))).toBe(expected);
    expect(on.waited).toEqual(pauses);
  });

  test("O-3b are counted across crashes", async () => {
    const on = await ground();
    let worked = 0;
    const work = async (): Promise<never> => {
      worked++;
      throw fails("UPSTREAM_UNAVAILABLE");
    };
    for (let crashes = 0; crashes < 3; crashes++) {
      const stop = new AbortController();
      const killed: typeof on = {
        ...on,
        pause: async (ms) =>
          ms === CALL_LIMIT_MS ? await new Promise(() => undefined) : stop.abort(new Error("killed")),
      };
      await openFlow(killed, place, undefined, { signal: stop.signal })
        .step("x", 1, work)
        .catch(() => undefined);
    }
    expect(await codeOf(openFlow(on, place).step("x", 1, work))).toBe("UPSTREAM_UNAVAILABLE");
    expect({ worked, attempt: (await readJournal(on.store, place))!.records[0]!.attempt }).toEqual({
      worked: 4,
      attempt: 4,
    });
  });

  test("include a timeout, which aborts the work", async () => {
    const on = await ground();
    const told: boolean[] = [];
    const forever = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    const work = async ({ signal }: { signal: AbortSignal }): Promise<never> => {
      signal.addEventListener("abort", () => told.push(true));
      return forever(signal);
    };
    expect(await codeOf(openFlow(on, place).step("x", 1, work, { limitMs: 5000 }))).toBe("AGENT_TIMEOUT");
    expect(told).toHaveLength(4);
  });

  test.each([
    { limitMs: 30_000, callMs: 5000, expected: 5000 },
    { limitMs: 5000, callMs: 30_000, expected: 5000 },
    { limitMs: undefined, callMs: 300_000, expected: 300_000 },
    { limitMs: undefined, callMs: undefined, expected: 120_000 },
  ])("O-3 end at $expected ms with the step's limit $limitMs and the contract's $callMs", async (limits) => {
    const on = { ...(await ground()), pause: testPause(Number.POSITIVE_INFINITY).pause };
    const forever = (): Promise<never> => new Promise(() => undefined);
    const { limitMs, callMs, expected } = limits;
    const flow = openFlow(on, place, undefined, { callMs });
    const failure = await flow
      .step("x", 1, forever, { once: true, ...(limitMs !== undefined && { limitMs }) })
      .catch((error: Failure) => error);
    expect(failure).toMatchObject({
      code: "AGENT_TIMEOUT",
      message: expect.stringContaining(`${expected / 1000} s`) as string,
    });
  });

  test("include a result that is too large to store", async () => {
    const on = await ground();
    expect(await codeOf(openFlow(on, place).step("x", 1, async () => "x".repeat(5_000_000)))).toBe("VALIDATION_FAILED");
    expect((await readJournal(on.store, place))!.records[0]!.failure!.code).toBe("VALIDATION_FAILED");
  });

  test("are not recorded by a worker that lost its lease", async () => {
    const on = await ground();
    const held = await acquireLease(on, "run", { holder: "a", ttlMs: 1000 });
    if (held.kind !== "held") throw new Error(held.kind);
    const flow = openFlow(on, place, held.lease);
    const late = flow.step("x", 1, async () => {
      on.world.move(10_000);
      await acquireLease(on, "run", { holder: "b", ttlMs: 1000 });
      return 1;
    });
    expect(await codeOf(late)).toBe("CONCURRENT_MODIFICATION");
    expect(await readJournal(on.store, place)).toBeUndefined();
  });
});

test("O-2 random programs end the same on a store that fails and loses responses", async () => {
  const { store: real } = await storeIn();
  let runs = 0;
  const program = fc.array(fc.record({ out: fc.jsonValue(), troubles: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(program, fc.integer(), async (steps, seed) => {
      const here = { slug: "echo", run: `run_2026-02-14_080000_${String(runs++).padStart(6, "0")}` };
      const store = faultyStore(real, { seed, chance: 0.25, readChance: 0.05 });
      const on = { store, world: movableWorld(), pause: testPause().pause };
      const done = steps.map(() => 0);
      const carriedOut = async (): Promise<unknown[]> => {
        const flow = openFlow(on, here);
        const given: unknown[] = [];
        for (const [index, { out, troubles }] of steps.entries()) {
          const step = flow.step(`s${index}`, { index }, async ({ attempt }) => {
            if (attempt <= troubles) throw fails("UPSTREAM_UNAVAILABLE");
            done[index]!++;
            return out;
          });
          given.push(await step);
        }
        return given;
      };
      let given: unknown[] | undefined;
      // Each failure of the store ends the process, and another process resumes the run.
      for (let life = 0; !given; life++) {
        if (life > 40) store.faults.off();
        given = await carriedOut().catch(() => undefined);
      }
      const { records } = (await readJournal(real, here))!;
      const expected = JSON.parse(JSON.stringify(steps.map(({ out }) => out))) as unknown[];
      expect({ given, recorded: records.map(({ output }) => output) }).toEqual({ given: expected, recorded: expected });
      expect(done.every((times) => times >= 1)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

describe("O-3 kill -9", () => {
  const script = testProgram(join(import.meta.dirname, "testing/stepping.ts"));

  test("at every crash point leaves a run that ends the same", async () => {
    let killed = 0;
    for (let nth = 0; ; nth++) {
      const dir = scratch();
      const first = await ranNode([script, dir, String(nth)]);
      if (first.signal !== "SIGKILL") {
        expect(first.stderr).toBe("");
        break;
      }
      killed++;
      const second = await ranNode([script, dir]);
      expect((JSON.parse(second.stdout) as { step: number }[]).map(({ step }) => step)).toEqual([1, 2, 3, 4]);
      const effects = readFileSync(join(dir, "effects"), "utf8").trim().split("\n");
      // Five attempts without a crash (the second step fails once); a crash repeats at most the one in flight.
      expect(effects.length).toBeGreaterThanOrEqual(5);
      expect(effects.length).toBeLessThanOrEqual(6);
    }
    expect(killed).toBeGreaterThanOrEqual(13);
  });

  test("of processes on one run leaves the others with the same results", async () => {
    const dir = scratch();
    const outputs = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<string>((resolve) => {
            const child = spawn(process.execPath, [script, dir]);
            let said = "";
            child.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
            child.on("close", () => resolve(said));
          }),
      ),
    );
    expect(new Set(outputs).size).toBe(1);
    expect(JSON.parse(outputs[0]!)).toHaveLength(4);
  });
});
