import { expect, test } from "vitest";
import type { Store } from "../../../ports/store.ts";
import { acquireLease } from "./lease.ts";
import { openFlow } from "./step.ts";
import { movableWorld, storeIn, testPause } from "./testing/flow-deps.ts";

/** The number of store calls of a run with this many steps, and of its replay. */
async function asked(steps: number): Promise<{ readonly first: number; readonly replay: number }> {
  const { store } = await storeIn();
  let calls = 0;
  const counting: Store = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        calls++;
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  const on = { store: counting, world: movableWorld(), pause: testPause().pause };
  const lease = await acquireLease(on, "run:echo", { holder: "a", ttlMs: 60_000 });
  if (lease.kind !== "held") throw new Error(lease.kind);
  const whole = async (): Promise<number> => {
    calls = 0;
    const flow = openFlow(on, { slug: "echo", run: "run_2026-02-14_080000_abc123" }, lease.lease);
    for (let n = 1; n <= steps; n++) await flow.step("icon", { n }, async () => n);
    return calls;
  };
  const counted = { first: await whole(), replay: await whole() };
  await store.close();
  return counted;
}

test("O-2 a run of a thousand steps makes one store call per step, and its replay one, so growth is linear", async () => {
  // Listing up to a thousand keys is one call.
  expect({ short: await asked(250), long: await asked(1000) }).toEqual({
    short: { first: 1 + 250, replay: 1 + 250 },
    long: { first: 1 + 1000, replay: 1 + 1000 },
  });
});
