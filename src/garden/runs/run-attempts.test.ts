import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { commandLineOwner } from "../../domain/identity.ts";
import { isSuspect, type RunAttempt } from "../../domain/run/run-attempt.ts";
import type { Pause } from "../core/flow/pause.ts";
import { newSignals } from "../core/signals.ts";
import { answerRequest } from "./answer.ts";
import { openRequests } from "./hold.ts";
import { type EngineGround, engineGround } from "./testing/engine-ground.ts";
import { endOf, flowOf, requestedEcho, statusOf, steps, until, withAgent } from "./testing/sample-flow.ts";

const LEASE_IS_OVER_MS = 20_000;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Processes that stop responding in the run: no timer of theirs fires any more, until the test is over. */
async function ground() {
  const made: EngineGround = await engineGround();
  await withAgent(made.garden, "echo");
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const silent: Pause = async (_, signal) => {
    const aborted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    if (!signal?.aborted) await Promise.race([ended, aborted]);
    await sleep(1);
  };
  ends.push(end);
  let begun = 0;
  const hangingFlow = flowOf(async (context) => {
    await steps(1)(context);
    begun++;
    await ended;
  });
  /** Begins to work on the open run and hangs in it; then its lease runs out. */
  const hang = async (): Promise<void> => {
    const before = begun;
    await made.engine(hangingFlow, { pause: silent, garden: { ...made.garden, signals: newSignals() } });
    await until(() => begun > before);
    made.clock.jump(LEASE_IS_OVER_MS);
  };
  return { ...made, hang };
}

describe("O-3 a run that hung the process", () => {
  test("twice at one step waits for the owner's answer, and goes on after it", async () => {
    const { garden, engine, hang } = await ground();
    const place = await requestedEcho(garden);
    for (let times = 0; times < 3; times++) await hang(); // the first time it recorded its steps
    const healthy = await engine(flowOf(steps(3)));
    await healthy.settled();
    const questions = await openRequests(garden);
    expect(questions).toMatchObject([
      { reason: "interrupted", run_id: place.run, ask: { options: ["again", "cancel"] } },
    ]);
    expect(await statusOf(garden, place)).toMatchObject({ state: "waiting", waiting_for: questions[0]!.id });
    await answerRequest(garden, { request: questions[0]!.id, value: { choice: "again" }, by: commandLineOwner });
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect((await endOf(garden, place))!.status).toBe("completed");
  });

  test("is cancelled by the owner's answer", async () => {
    const { garden, engine, hang } = await ground();
    const place = await requestedEcho(garden);
    for (let times = 0; times < 3; times++) await hang(); // the first time it recorded its steps
    await (await engine(flowOf(steps(3)))).settled();
    const [question] = await openRequests(garden);
    await answerRequest(garden, { request: question!.id, value: { choice: "cancel" }, by: commandLineOwner });
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect((await endOf(garden, place))!.status).toBe("cancelled");
  });

  test("does not stop the other agents", async () => {
    const { garden, engine, hang } = await ground();
    await withAgent(garden, "other");
    await requestedEcho(garden);
    for (let times = 0; times < 3; times++) await hang(); // the first time it recorded its steps
    const other = await requestedEcho(garden, "other");
    await (await engine(flowOf(steps(3)))).settled();
    expect((await endOf(garden, other))?.status).toBe("completed");
  });
});

describe("O-3 a run is not suspected", () => {
  test("after orderly restarts, however many", async () => {
    const { garden, engine, clock } = await ground();
    const place = await requestedEcho(garden);
    for (let restarts = 0; restarts < 4; restarts++) {
      let isBegun = false;
      const slow = flowOf(async ({ signal }) => {
        isBegun = true;
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      });
      const process = await engine(slow);
      await until(() => isBegun);
      await process.close();
    }
    await (await engine(flowOf(steps(1)))).settled();
    await clock.pass(2000);
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect((await endOf(garden, place))!.status).toBe("completed");
  });

  const lost = (attempt: number, records: number, ...parts: RunAttempt["parts"]): RunAttempt => ({
    attempt,
    records,
    parts: ["began", ...parts],
  });
  test.each<[string, readonly RunAttempt[], number, boolean]>([
    ["after one kill", [lost(1, 3)], 3, false],
    ["after two kills at one place", [lost(1, 3), lost(2, 3)], 3, true],
    ["after kills between which it got on", [lost(1, 3), lost(2, 4), lost(3, 5)], 6, false],
    ["after a kill that it got past", [lost(1, 3), lost(2, 3)], 4, false],
    ["after a kill, a shutdown and a kill", [lost(1, 3), lost(2, 3, "over"), lost(3, 3)], 3, false],
    ["after kills during one long call", [1, 2, 3, 4, 5].map((n) => lost(n, 3, "alive")), 3, false],
    ["after six kills during one long call", [1, 2, 3, 4, 5, 6].map((n) => lost(n, 3, "alive")), 3, true],
  ])("%s", (_, attempts, records, expected) => {
    expect(isSuspect(attempts, records)).toBe(expected);
  });
});
