import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Failure } from "../../base/failure.ts";
import { journalId } from "../../domain/run/run-manifest.ts";
import { readJournal } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { newSignals } from "../core/signals.ts";
import { cancelRun } from "./cancel-run.ts";
import { engineGround } from "./testing/engine-ground.ts";
import { endOf, flowOf, requestedEcho, until, withAgent } from "./testing/sample-flow.ts";

/** The timers of a process that can be paused as by SIGSTOP. When it goes on, overdue ones fire in the order of their time. */
function pausable(clock: { readonly pause: Pause; readonly now: () => number }) {
  let isPaused = false;
  let held: { readonly due: number; readonly fire: () => void }[] = [];
  const pause: Pause = (ms, signal) =>
    new Promise((resolve) => {
      const due = clock.now() + ms;
      signal?.addEventListener("abort", () => resolve(), { once: true });
      void clock.pause(ms, signal).then(() => (isPaused ? void held.push({ due, fire: resolve }) : resolve()));
    });
  return {
    pause,
    stop: () => void (isPaused = true),
    goOn() {
      isPaused = false;
      const overdue = held.toSorted((a, b) => a.due - b.due);
      held = [];
      for (const { fire } of overdue) fire();
    },
  };
}

/** Swaps take a trip over a network. */
const slowSwaps = (garden: Garden): Garden => ({
  ...garden,
  store: new Proxy(garden.store, {
    get(store, name) {
      const method = Reflect.get(store, name) as unknown;
      if (typeof method !== "function") return method;
      return async (...given: unknown[]) => {
        if (name === "swap") await sleep(20);
        return (await Reflect.apply(method, store, given)) as unknown;
      };
    },
  }),
});

test.each([
  ["its lease", 60_000],
  ["the time limits of the call and of the run", 700_000],
])(
  "O-6 a process that was paused for longer than %s goes on with its call if no other one has taken the run over",
  async (_, ms) => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const own = pausable({ pause: clock.pause, now: () => clock.world.now() });
    const answer = Promise.withResolvers<string>();
    let [calls, aborted] = [0, 0];
    const calling = flowOf(async ({ flow }) => {
      await flow.step("call", {}, ({ signal }) => {
        calls++;
        signal.addEventListener("abort", () => aborted++);
        return answer.promise;
      });
    });
    await engine(calling, { pause: own.pause, garden: slowSwaps(garden) });
    await until(() => calls === 1);
    own.stop();
    await clock.pass(ms);
    own.goOn();
    await sleep(100);
    answer.resolve("the answer of the model");
    await until(async () => (clock.pass(10), (await endOf(garden, place)) !== undefined));
    expect({ calls, aborted, end: (await endOf(garden, place))?.status }).toEqual({
      calls: 1,
      aborted: 0,
      end: "completed",
    });
  },
);

describe("O-6 a process that was paused for longer than its lease, and whose run another one has taken over", () => {
  test("does not end the run because its time limit is over", async () => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const callers: string[] = [];
    const calling = (name: string, work: (signal: AbortSignal) => Promise<void>) =>
      flowOf(async ({ flow }) => {
        await flow.step("call", {}, async ({ signal }) => {
          callers.push(name);
          await work(signal);
          return name;
        });
      });
    const own = pausable({ pause: clock.pause, now: () => clock.world.now() });
    const untilAborted = (signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await engine(calling("first", untilAborted), { pause: own.pause, garden: slowSwaps(garden) });
    await until(() => callers.length === 1);
    own.stop();
    await clock.pass(590_000);
    const answer = Promise.withResolvers<void>();
    await engine(calling("second", () => answer.promise));
    await clock.pass(60_000);
    await until(() => callers.length === 2);
    own.goOn();
    await sleep(500);
    const endMeanwhile = await endOf(garden, place);
    answer.resolve();
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect({ callers, endMeanwhile, end: (await endOf(garden, place))?.status }).toEqual({
      callers: ["first", "second"],
      endMeanwhile: undefined,
      end: "completed",
    });
  });

  test("does not end the run because it was cancelled meanwhile: the process that works on it does", async () => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const callers: string[] = [];
    const own = pausable({ pause: clock.pause, now: () => clock.world.now() });
    const calling = (name: string, work: () => Promise<string>) =>
      flowOf(async ({ flow }) => {
        await flow.step("call", {}, () => {
          callers.push(name);
          return work();
        });
      });
    const broken = new Failure("UPSTREAM_UNAVAILABLE", { en: "ECONNRESET", uk: "ECONNRESET" });
    await engine(
      calling("first", () => Promise.reject(broken)),
      { pause: own.pause, garden: slowSwaps(garden) },
    );
    await until(() => callers.length === 1);
    await sleep(50);
    own.stop(); // in the pause before it tries again
    await clock.pass(30_000);
    await engine(calling("second", () => new Promise(() => undefined)));
    await clock.pass(30_000);
    await until(() => callers.length === 2);
    await cancelRun({ ...garden, signals: newSignals() }, place, { by: "owner" }); // by a third process
    own.goOn();
    await sleep(300);
    const endMeanwhile = await endOf(garden, place);
    await until(async () => (await clock.pass(1000), (await endOf(garden, place)) !== undefined));
    const { objects } = (await readJournal(garden.store, place))!;
    const end = (await endOf(garden, place))!;
    expect({ endMeanwhile, status: end.status, isWhole: end.journal === journalId(objects) }).toEqual({
      endMeanwhile: undefined,
      status: "cancelled",
      isWhole: true,
    });
  });

  test("adds no failed attempt to the journal of the ended run", async () => {
    const { garden, clock, engine } = await engineGround();
    await withAgent(garden, "echo");
    const place = await requestedEcho(garden);
    const callers: string[] = [];
    const broken = Promise.withResolvers<string>();
    const own = pausable({ pause: clock.pause, now: () => clock.world.now() });
    const calling = (name: string, work: () => Promise<string>) =>
      flowOf(async ({ flow }) => {
        await flow.step("call", {}, () => {
          callers.push(name);
          return work();
        });
      });
    await engine(
      calling("first", () => broken.promise),
      { pause: own.pause },
    );
    await until(() => callers.length === 1);
    own.stop();
    await clock.pass(30_000);
    await engine(calling("second", async () => "done"));
    await clock.pass(30_000);
    await until(async () => (await endOf(garden, place)) !== undefined);
    // It learns at once that its connection is dead, and of the lease by a request.
    broken.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "ECONNRESET", uk: "ECONNRESET" }));
    own.goOn();
    await sleep(300);
    const { objects } = (await readJournal(garden.store, place))!;
    expect({
      names: objects.map(({ key }) => key.split("/").at(-1)),
      isWhole: (await endOf(garden, place))!.journal === journalId(objects),
    }).toEqual({ names: ["00-request.json", "01-load-context.json", "02-call.json"], isWhole: true });
  });
});
