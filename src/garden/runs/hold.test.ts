import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { type World } from "../../base/world.ts";
import { commandLineOwner, type Identity } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { answerRequest } from "./answer.ts";
import { openRequests, requestsOf } from "./hold.ts";
import { activeAgent, live, manifestOf, portsWith, requestedRun, stepsOf } from "./testing/agent-ground.ts";
import { oneGarden } from "./testing/one-garden.ts";

/** A clock that advances one second per reading, and by what a test skips. */
const steady = fixedWorld("2026-02-14T08:00:00Z", 1000);
let skipped = 0;
const world: World = { now: () => steady.now() + skipped, random: (count) => steady.random(count) };
const DAY = 86_400_000;

const shared = oneGarden(world);
let agents = 0;

const asking = (ask: object): Script => [
  { calls: [{ tool: "ask-human", input: ask }] },
  { text: "NOOP: I have my answer" },
];

interface Held {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly request: string;
  /** The next life of the run. */
  readonly again: () => ReturnType<typeof live>;
  /** The result of the call that the model got. */
  readonly told: () => string;
}

async function heldRun(ask: object): Promise<Held> {
  const garden = shared();
  const slug = `librarian-${++agents}`;
  const model = scriptedModel(asking(ask));
  await activeAgent(garden, slug, { model: "claude-sonnet-4-5-20250929", tools: "[ask-human, create-proposal]" });
  const place = await requestedRun(garden, slug);
  const end = await live(garden, place, portsWith(model));
  if (end.kind !== "held") throw new Error(`it is not held but ${end.kind}`);
  const again = () => live(garden, place, portsWith(model));
  return { garden, place, request: end.request, again, told: () => JSON.stringify(model.seen.at(-1)!.prompt.at(-1)) };
}

const by = commandLineOwner;

describe("O-6 a run that waits for a person", () => {
  const forms: readonly [form: string, ask: object, wrong: object, right: object][] = [
    ["text", { question: "Why?" }, { number: 1 }, { text: "because" }],
    ["number", { question: "How many?", form: "number" }, { number: "two" }, { number: 2 }],
    ["choice", { question: "Which?", form: "choice", options: ["a", "b"] }, { choice: "c" }, { choice: "b" }],
    ["review", { question: "Good?", form: "review" }, { decision: "maybe" }, { decision: "reject", comment: "no" }],
  ];
  test.each(forms)(
    "with a question of form %s takes an answer of that form, and no other",
    async (form, ask, wrong, right) => {
      const { garden, place, request, again, told } = await heldRun(ask);
      expect((await openRequests(garden)).map(({ id }) => id)).toContain(request);
      await expect(answerRequest(garden, { request, value: wrong as never, by })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        details: { form },
      });
      expect(await garden.store.get(keys.heldAnswer(place.slug, place.run, request))).toBeUndefined();
      await answerRequest(garden, { request, value: right as never, by, note: "as I said" });
      expect((await openRequests(garden)).map(({ id }) => id)).not.toContain(request);
      expect(await again()).toEqual({ kind: "ended" });
      expect(told()).toContain(JSON.stringify(right));
      expect((await manifestOf(garden, place)).outcome).toMatchObject({ kind: "noop" });
    },
  );

  test("a run answered the next day continues with the answer, and the time in between does not count", async () => {
    const { garden, place, request, again } = await heldRun({ question: "Which one?" });
    skipped += DAY;
    await answerRequest(garden, { run: place.run, value: { text: "the lime tree" }, by });
    skipped += DAY;
    await again();
    const { started_at, finished_at } = await manifestOf(garden, place);
    expect(Date.parse(finished_at) - Date.parse(started_at)).toBeGreaterThan(2 * DAY);
    const step = (await stepsOf(garden, place)).find(({ name }) => name === "ask-human");
    expect(step).toMatchObject({ kind: "tool", output: { text: "the lime tree" } });
    const [decision] = await requestsOf(garden.store, place);
    expect(decision).toMatchObject({
      request: { id: request },
      answer: { by: "owner", value: { text: "the lime tree" } },
    });
  });

  test("a held run asks once, however often it is resumed before the answer", async () => {
    const { garden, place, request, again } = await heldRun({ question: "Anybody there?" });
    expect({ first: await again(), second: await again() }).toEqual({
      first: { kind: "held", request },
      second: { kind: "held", request },
    });
    expect(await requestsOf(garden.store, place)).toHaveLength(1);
  });

  const others: readonly Identity[] = [
    { type: "agent", slug: "librarian", run: "run_2026-02-14_080000_abc123" },
    { type: "webhook", name: "calendar", actions: [] },
    { type: "guest", zone: "choir", folders: [], actions: [] },
    { type: "gateway" },
  ];
  test("P-10a only the owner can answer a question", async () => {
    const { garden, request } = await heldRun({ question: "May I?" });
    const answers = others.map((other) => answerRequest(garden, { request, value: { text: "yes" }, by: other }));
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(others.map(() => "rejected"));
    expect((await openRequests(garden)).map(({ id }) => id)).toContain(request);
  });

  test("S-8 the first answer counts: repeating it is idempotent, a different one is refused", async () => {
    const { garden, place, request } = await heldRun({ question: "One?" });
    const first = await answerRequest(garden, { request, value: { text: "one" }, by });
    // The state after a crash between the answer and the view.
    await garden.store.put(keys.openRequest(request), Buffer.from(JSON.stringify({ id: request, ...place })));
    const second = await answerRequest(garden, { request, value: { text: "one" }, by });
    expect(first.repeated).toBe(false);
    expect(second).toMatchObject({ repeated: true, answer: first.answer });
    expect(await garden.store.get(keys.openRequest(request))).toBeUndefined();
    const other = answerRequest(garden, { request, value: { text: "two" }, by });
    await expect(other).rejects.toMatchObject({ code: "INVALID_TRANSITION", details: { value: { text: "one" } } });
  });

  test("of two simultaneous answers one is recorded", async () => {
    const { garden, request } = await heldRun({ question: "Left or right?" });
    const both = await Promise.allSettled(
      ["left", "right"].map((value) => answerRequest(garden, { request, value: { text: value }, by })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("the view of open questions is restored from the requests and never shows an answered one", async () => {
    const { garden, place, request } = await heldRun({ question: "Still there?" });
    await answerRequest(garden, { request, value: { text: "yes" }, by });
    await garden.store.put(keys.openRequest(request), Buffer.from(JSON.stringify({ id: request, ...place })));
    await garden.store.put(keys.openRequest("damaged"), Buffer.from("{"));
    expect((await openRequests(garden)).map(({ id }) => id)).not.toContain(request);
    expect(await garden.store.get(keys.openRequest(request))).toBeUndefined();
  });

  test("a question without options or text is refused to the model, and the run continues", async () => {
    const garden = shared();
    const slug = `librarian-${++agents}`;
    await activeAgent(garden, slug, { model: "claude-sonnet-4-5-20250929", tools: "[ask-human, create-proposal]" });
    const place = await requestedRun(garden, slug);
    const model = scriptedModel(asking({ question: "Which?", form: "choice" }));
    expect(await live(garden, place, portsWith(model))).toEqual({ kind: "ended" });
    expect(await requestsOf(garden.store, place)).toEqual([]);
  });

  test("a question that was never asked cannot be answered", async () => {
    const { garden, place } = await heldRun({ question: "Mine?" });
    const tries = [
      answerRequest(garden, { request: `req_${place.run.slice(4)}_09`, value: { text: "x" }, by }),
      answerRequest(garden, { request: "req_2020-01-01_000000_aaaaaa_01", value: { text: "x" }, by }),
      answerRequest(garden, { request: "../../etc", value: { text: "x" }, by }),
      answerRequest(garden, { run: "run_2020-01-01_000000_aaaaaa", value: { text: "x" }, by }),
    ];
    const codes = (await Promise.allSettled(tries)).map((one) => one.status === "rejected" && one.reason.code);
    expect(codes).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  });
});
