import { describe, expect, test } from "vitest";
import { Failure } from "../../base/failure.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { newSignals } from "../core/signals.ts";
import { answerRequest } from "./answer.ts";
import { cancelRun } from "./cancel-run.ts";
import { askPerson, heldFor, openRequests } from "./hold.ts";
import type { RunsEngine } from "./runs-engine.ts";
import { type EngineGround, engineGround } from "./testing/engine-ground.ts";
import { codeOf, endOf, flowOf, requestedEcho, statusOf, steps, until, withAgent } from "./testing/sample-flow.ts";

async function ground(): Promise<EngineGround> {
  const made = await engineGround();
  await withAgent(made.garden, "echo");
  return made;
}

describe("a run that is cancelled", () => {
  test.each<[string, (context: { garden: Garden; place: RunPlace; running: RunsEngine }) => Promise<unknown>]>([
    ["by the engine", ({ place, running }) => running.cancel(place, "owner", "not needed")],
    ["by the verb", ({ garden, place }) => cancelRun(garden, place, { by: "owner", why: "not needed" })],
  ])("stops in the middle of a step, %s, and what is on record stays", async (_, cancel) => {
    const { garden, engine } = await ground();
    let began = false;
    const flow = flowOf(async ({ flow: run }) => {
      await run.step("before", null, async () => 1);
      await run.step(
        "long",
        null,
        ({ signal }) =>
          new Promise<never>((_resolve, reject) => {
            began = true;
            signal.addEventListener("abort", () => reject(new Error("stopped")));
          }),
      );
    });
    const place = await requestedEcho(garden);
    const running = await engine(flow);
    await until(() => began);
    await cancel({ garden, place, running });
    await running.settled();
    expect(await endOf(garden, place)).toMatchObject({
      status: "cancelled",
      outcome: null,
      error: "cancelled by owner: not needed",
      steps_count: 2,
    });
    expect(await codeOf(cancelRun(garden, place, { by: "owner" }))).toBe("INVALID_TRANSITION");
  });

  test("a run cancelled before its start never starts, and a held run ends when it is cancelled", async () => {
    const { garden, engine } = await ground();
    let worked = 0;
    const flow = flowOf(async ({ place, garden: there }) => {
      worked++;
      const { request } = await askPerson({ ...there, pause: () => Promise.resolve() }, place, {
        tag: "01",
        reason: "asked",
        ask: { question: "?", form: "text" },
      });
      throw heldFor(request);
    });
    const early = await requestedEcho(garden);
    await cancelRun(garden, early, { by: "owner" });
    const running = await engine(flow);
    await running.settled();
    const unbegun = worked;
    const held = await requestedEcho(garden);
    await running.settled();
    const waiting = await statusOf(garden, held);
    await running.cancel(held, "owner");
    await running.settled();
    expect({ unbegun, waiting: waiting?.state }).toEqual({ unbegun: 0, waiting: "waiting" });
    expect((await endOf(garden, early))?.status).toBe("cancelled");
    expect((await endOf(garden, held))?.status).toBe("cancelled");
    expect(await openRequests(garden)).toEqual([]);
  });

  test.each([
    { passed: 1001, end: { status: "cancelled", steps_count: 2 } },
    { passed: 0, end: { status: "completed", steps_count: 3 } },
  ])(
    "by another process stops before its next step once a second has passed since the last look ($passed ms)",
    async ({ passed, end }) => {
      const { garden, engine, clock } = await ground();
      const elsewhere: Garden = { ...garden, signals: newSignals() };
      const flow = flowOf(async ({ flow: run, place }) => {
        await run.step("cancelled-meanwhile", null, async () => {
          await cancelRun(elsewhere, place, { by: "owner" });
          clock.jump(passed);
          return 1;
        });
        await run.step("next", null, async () => 2);
      });
      const running = await engine(flow);
      const place = await requestedEcho(garden);
      await running.settled();
      expect(await endOf(garden, place)).toMatchObject(end);
    },
  );

  test("a run that is cancelled while it ends has exactly one end", async () => {
    for (let n = 0; n < 5; n++) {
      const { garden, engine } = await ground();
      const place = await requestedEcho(garden);
      const running = await engine(flowOf(steps(n)));
      await Promise.all([cancelRun(garden, place, { by: "owner" }).catch(() => undefined), running.settled()]);
      await running.settled();
      const end = await endOf(garden, place);
      expect(["completed", "cancelled"]).toContain(end!.status);
      expect((await statusOf(garden, place))?.state).toBe(end!.status);
    }
  });
});

describe("O-6 a run that waits for a person", () => {
  const asking = flowOf(async ({ flow: run, place, garden: there }) => {
    await run.step("before", null, async () => 1);
    const { request, answer } = await askPerson({ ...there, pause: () => Promise.resolve() }, place, {
      tag: "01",
      reason: "asked",
      ask: { question: "Which?", form: "choice", options: ["a", "b"] },
    });
    if (!answer) throw heldFor(request);
    await run.step("after", { answer: answer.value }, async () => answer.value);
  });

  test("a held run occupies no worker, survives a restart, and continues with the answer", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    const first = await engine(asking, { limit: 1 });
    await first.settled();
    const health = await first.health();
    await first.close();
    const second = await engine(asking, { limit: 1 });
    await second.settled();
    const waiting = await statusOf(garden, place);
    await answerRequest(garden, { run: place.run, value: { choice: "b" }, by: commandLineOwner });
    await second.settled();
    const { records } = (await readJournal(garden.store, place))!;
    expect(health).toMatchObject({ running: 0, waiting: 0 });
    expect(waiting?.state).toBe("waiting");
    expect(records.at(-1)?.output).toEqual({ choice: "b" });
    expect((await endOf(garden, place))?.status).toBe("completed");
  });

  test("a run continues at once if the answer came before it stopped, also from another process without a signal", async () => {
    const { garden, engine, clock } = await ground();
    const elsewhere: Garden = { ...garden, signals: newSignals() };
    const place = await requestedEcho(garden);
    // The answer falls between the question and the hold.
    const early = flowOf(async (context) => {
      const { request, answer } = await askPerson({ ...garden, pause: clock.pause }, context.place, {
        tag: "01",
        reason: "asked",
        ask: { question: "?", form: "text" },
      });
      if (answer) return undefined;
      await answerRequest(elsewhere, { request: request.id, value: { text: "soon" }, by: commandLineOwner });
      return { kind: "held", request: request.id };
    });
    const running = await engine(early);
    await running.settled();
    await clock.pass(100);
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect((await endOf(garden, place))?.status).toBe("completed");
  });

  test("an answer by another process is found at the next look", async () => {
    const { garden, engine, clock } = await ground();
    const elsewhere: Garden = { ...garden, signals: newSignals() };
    const place = await requestedEcho(garden);
    const running = await engine(asking);
    await running.settled();
    await answerRequest(elsewhere, { run: place.run, value: { choice: "a" }, by: commandLineOwner });
    await running.settled();
    const before = await endOf(garden, place);
    await clock.pass(2000);
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect(before).toBeUndefined();
  });
});

describe("a run that needs a decision", () => {
  test("a run that a changed program cannot replay waits with a question, and is cancelled by the owner's answer", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    const first = await engine(
      flowOf(async ({ flow: run }) => {
        await run.step("old", null, async () => 1);
        throw new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає" });
      }),
    );
    await first.settled();
    await first.close();
    let worked = 0;
    const renamed = await engine(
      flowOf(async ({ flow: run }) => void (await run.step("new", null, async () => ++worked))),
    );
    await renamed.settled();
    const [question] = await openRequests(garden);
    const status = await statusOf(garden, place);
    await answerRequest(garden, {
      request: question!.id,
      value: { choice: "cancel" },
      by: commandLineOwner,
      note: "old",
    });
    await renamed.settled();
    expect({ worked, state: status?.state, reason: question?.reason }).toEqual({
      worked: 0,
      state: "waiting",
      reason: "changed",
    });
    expect((await endOf(garden, place))?.error).toBe("cancelled by owner: old");
  });

  test("a call that was in flight is repeated only once per decision of the owner", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    let acts = 0;
    const sending = flowOf(async ({ flow: run }) => {
      await run.step(
        "send",
        null,
        async ({ signal }) => {
          acts++;
          if (acts < 3)
            await new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () => reject(new Error("stopped"))),
            );
          return acts;
        },
        { kind: "tool", once: true },
      );
    });
    for (const expected of [1, 2]) {
      const dying = await engine(sending);
      await until(() => acts === expected);
      await dying.close();
      const next = await engine(sending);
      await next.settled();
      expect(acts).toBe(expected);
      expect((await openRequests(garden)).map(({ reason }) => reason)).toEqual(["in-flight"]);
      await next.close();
      await answerRequest(garden, { run: place.run, value: { choice: "again" }, by: commandLineOwner });
    }
    const last = await engine(sending);
    await last.settled();
    expect(acts).toBe(3);
    expect((await endOf(garden, place))?.status).toBe("completed");
  });
});
