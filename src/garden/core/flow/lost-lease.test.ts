import { describe, expect, test } from "vitest";
import { Failure } from "../../../base/failure.ts";
import { acquireLease, type Lease } from "./lease.ts";
import { openFlow } from "./step.ts";
import { type MovableWorld, movableWorld, storeIn, testPause } from "./testing/flow-deps.ts";

const place = { slug: "echo", run: "run_2026-02-14_080000_abc123" };
const TTL_MS = 15_000;

async function held(ground: Parameters<typeof acquireLease>[0], holder: string): Promise<Lease> {
  const answer = await acquireLease(ground, "agent:echo", { holder, ttlMs: TTL_MS });
  if (answer.kind !== "held") throw new Error(`the lease is held by ${answer.by}`);
  return answer.lease;
}

const ground = async () => ({ ...(await storeIn()), world: movableWorld() });

/** The process is paused for longer than its lease, and another one takes the lease. */
async function lose(on: { readonly world: MovableWorld } & Parameters<typeof acquireLease>[0]): Promise<void> {
  on.world.move(4 * TTL_MS);
  await held(on, "b");
}

describe("O-3 a model call of a process whose lease another one has taken", () => {
  test("does not begin", async () => {
    const on = await ground();
    const flow = openFlow({ ...on, pause: testPause().pause }, place, await held(on, "a"));
    await flow.step("load-context", {}, async () => 1);
    await lose(on);
    let calls = 0;
    await expect(flow.step("model", {}, async () => ++calls, { kind: "model" })).rejects.toThrow("taken over");
    expect(calls).toBe(0);
  });

  test("is not repeated after the pause before its retry", async () => {
    const on = await ground();
    const pause = async (ms: number): Promise<void> => {
      if (ms > 10_000) return await new Promise(() => undefined); // the time limit of the step
      await lose(on);
    };
    const flow = openFlow({ ...on, pause }, place, await held(on, "a"));
    let calls = 0;
    const failing = async (): Promise<number> => {
      if (++calls > 1) return calls;
      throw new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає" });
    };
    await expect(flow.step("model", {}, failing, { kind: "model" })).rejects.toThrow("taken over");
    expect(calls).toBe(1);
  });

  test("begins after a pause if no other process has taken the lease", async () => {
    const on = await ground();
    const flow = openFlow({ ...on, pause: testPause().pause }, place, await held(on, "a"));
    on.world.move(4 * TTL_MS);
    expect(await flow.step("model", {}, async () => "answered", { kind: "model" })).toBe("answered");
  });
});
