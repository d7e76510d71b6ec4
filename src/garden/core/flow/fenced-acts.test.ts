import { describe, expect, test } from "vitest";
import { Failure } from "../../../base/failure.ts";
import type { Store } from "../../../ports/store.ts";
import { acquireLease, type Lease } from "./lease.ts";
import { openFlow } from "./step.ts";
import { movableWorld, storeIn, testPause } from "./testing/flow-deps.ts";

const place = { slug: "echo", run: "run_2026-02-14_080000_abc123" };
const TTL_MS = 15_000;

async function held(ground: Parameters<typeof acquireLease>[0], holder: string): Promise<Lease> {
  const answer = await acquireLease(ground, "agent:echo", { holder, ttlMs: TTL_MS });
  if (answer.kind !== "held") throw new Error(`the lease is held by ${answer.by}`);
  return answer.lease;
}

describe("O-3b an act that must not be repeated does not begin", () => {
  test("if the flow is stopped while the record of its begin is written", async () => {
    const { store: real } = await storeIn();
    const stop = new AbortController();
    const store: Store = Object.assign(Object.create(real) as Store, {
      get: real.get.bind(real),
      list: real.list.bind(real),
      inOrder: real.inOrder.bind(real),
      create: async (key: string, bytes: Uint8Array) => {
        const made = await real.create(key, bytes);
        if (key.includes("begun")) stop.abort(new Failure("INVALID_TRANSITION", { en: "cancelled", uk: "скасовано" }));
        return made;
      },
    });
    let sent = 0;
    const flow = openFlow({ store, world: movableWorld(), pause: testPause().pause }, place, undefined, {
      signal: stop.signal,
    });
    await expect(flow.step("send-mail", {}, async () => ++sent, { once: true })).rejects.toThrow("cancelled");
    expect(sent).toBe(0);
  });

  test("in a process whose lease another one has taken", async () => {
    const { store } = await storeIn();
    const world = movableWorld();
    const flow = openFlow({ store, world, pause: testPause().pause }, place, await held({ store, world }, "a"));
    await flow.step("load-context", {}, async () => 1);
    world.move(4 * TTL_MS); // the process is paused
    await held({ store, world }, "b");
    let sent = 0;
    await expect(flow.step("send-mail", {}, async () => ++sent, { once: true })).rejects.toThrow("taken over");
    expect(sent).toBe(0);
  });
});

describe("a lease that its holder renews twice at the same time", () => {
  test("stays its own, and both calls succeed", async () => {
    const { store } = await storeIn();
    const world = movableWorld();
    const lease = await held({ store, world }, "a");
    world.move(TTL_MS / 2);
    const answers = await Promise.all([lease.renew(), lease.refresh(), lease.renew()]);
    expect({ answers, holds: await lease.holds() }).toEqual({ answers: ["renewed", true, "renewed"], holds: true });
  });

  test("is renewed again after a renewal that was written and whose answer was lost", async () => {
    const { store: real } = await storeIn();
    const world = movableWorld();
    let losses = 0;
    const store: Store = Object.assign(Object.create(real) as Store, {
      get: real.get.bind(real),
      create: real.create.bind(real),
      swap: async (...given: Parameters<Store["swap"]>) => {
        if (losses === 0) return await real.swap(...given);
        if (losses-- === 2) await real.swap(...given);
        const outcome = losses === 1 ? "unknown" : "none";
        throw new Failure("UPSTREAM_UNAVAILABLE", { en: "no answer", uk: "немає відповіді", outcome });
      },
    });
    const lease = await held({ store, world }, "a");
    losses = 2; // the first one is written and its answer is lost, the second one does not arrive
    await expect(lease.renew()).rejects.toThrow("no answer");
    expect([await lease.renew(), await lease.confirm()]).toEqual(["renewed", true]);
  });
});
