import { describe, expect, test } from "vitest";
import { keys } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";
import { newSignals } from "../core/signals.ts";
import { engineGround } from "./testing/engine-ground.ts";
import { endOf, flowOf, requestedEcho, steps, until, withAgent } from "./testing/sample-flow.ts";

const LEASE_MS = 15_000;

/** From `hang` on, the answers of the store to this method for such keys do not come until `answer`. */
function hangingStore(garden: Garden, method: "swap" | "get", isHeld: (key: string) => boolean) {
  const answered = Promise.withResolvers<void>();
  let hangs = false;
  const store = new Proxy(garden.store, {
    get(real, name) {
      const called = Reflect.get(real, name) as unknown;
      if (typeof called !== "function") return called;
      return async (...given: unknown[]) => {
        if (hangs && name === method && isHeld(given[0] as string)) await answered.promise;
        return (await Reflect.apply(called, real, given)) as unknown;
      };
    },
  });
  return {
    garden: { ...garden, store },
    hang: () => void (hangs = true),
    answer: () => {
      hangs = false;
      answered.resolve();
    },
  };
}

const isLease = (key: string): boolean => key === keys.lease("run:echo");

describe("O-3 a worker whose renewal of the lease gets no answer", () => {
  test("aborts its call and begins no other one when the lease is over by its own clock", async () => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const hanging = hangingStore(garden, "swap", isLease);
    const calls: string[] = [];
    const answers = Promise.withResolvers<string>();
    let abortedAt = Number.POSITIVE_INFINITY;
    const calling = (name: string, first: () => Promise<string>) =>
      flowOf(async ({ flow }) => {
        await flow.step("call-1", {}, ({ signal }) => {
          calls.push(`${name} 1`);
          signal.addEventListener("abort", () => (abortedAt = Math.min(abortedAt, clock.world.now())));
          return first();
        });
        await flow.step("call-2", {}, async () => calls.push(`${name} 2`));
      });
    const taken = clock.world.now();
    await engine(
      calling("first", () => answers.promise),
      { garden: hanging.garden },
    );
    await until(() => calls.length === 1);
    hanging.hang();
    await clock.pass(LEASE_MS + 1000);
    answers.resolve("the answer of the model"); // no other process has taken the lease yet
    await clock.pass(10);
    const own = [...calls];
    await engine(calling("second", async () => "another answer"));
    for (let tries = 0; tries < 50 && !(await endOf(garden, place)); tries++) await clock.pass(1000);
    hanging.answer();
    expect({
      isAbortedInTime: abortedAt - taken <= LEASE_MS + 500,
      own,
      calls,
      end: (await endOf(garden, place))?.status,
    }).toEqual({
      isAbortedInTime: true,
      own: ["first 1"],
      calls: ["first 1", "second 1", "second 2"],
      end: "completed",
    });
  });

  test("renews in time although the look for a cancel takes longer than the lease lasts", async () => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const hanging = hangingStore(garden, "get", (key) => key === keys.runCancel(place.slug, place.run));
    let calls = 0;
    const answers = Promise.withResolvers<string>();
    const calling = flowOf(async ({ flow }) => {
      await flow.step("call", {}, () => {
        calls++;
        return answers.promise;
      });
    });
    await engine(calling, { garden: hanging.garden });
    await until(() => calls === 1);
    hanging.hang();
    await engine(calling);
    await clock.pass(3 * LEASE_MS);
    hanging.answer();
    answers.resolve("the answer of the model");
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect({ calls, end: (await endOf(garden, place))?.status }).toEqual({ calls: 1, end: "completed" });
  });
});

test("O-3 a worker carries out the run of a dead one although every request takes three seconds", async () => {
  const { garden, clock, engine } = await engineGround();
  await withAgent(garden, "echo");
  const place = await requestedEcho({ ...garden, signals: newSignals() }); // by another process
  let isSlow = true;
  const store = new Proxy(garden.store, {
    get(real, name) {
      const called = Reflect.get(real, name) as unknown;
      if (typeof called !== "function") return called;
      return async (...given: unknown[]) => {
        if (isSlow) await clock.pause(3000);
        return (await Reflect.apply(called, real, given)) as unknown;
      };
    },
  });
  const starting = engine(flowOf(steps(3)), { garden: { ...garden, store } });
  for (let tries = 0; tries < 100 && !(await endOf(garden, place)); tries++) await clock.pass(2000);
  isSlow = false;
  await clock.pass(5000);
  await starting;
  expect((await endOf(garden, place))?.status).toBe("completed");
});
