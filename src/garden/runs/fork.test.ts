import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { drawnAgent } from "../insight/learning/testing/drawn-agent.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { answerRequest } from "./answer.ts";
import { type ForkWish, forkRun } from "./fork.ts";
import { activeAgent, live, manifestOf, namesOf, portsWith, requestedRun, stepsOf } from "./testing/agent-ground.ts";
import { oneGarden } from "./testing/one-garden.ts";

const shared = oneGarden();
let agents = 0;
const by = commandLineOwner;

const note = (path: string) => ({ type: "propose-note", path, text: `# ${path}\n` });

/** Proposes a note whose name is derived from the input and a person's answer. */
const script =
  (slug: string): Script =>
  ({ prompt }, turn) => {
    const block = JSON.stringify(prompt).replaceAll('\\"', '"');
    const said = /"choice":"(\w+)"/.exec(block)?.[1];
    const topic = /"topic":"(\w+)"/.exec(block)?.[1];
    const name = [topic, said].filter(Boolean).join("-");
    switch (turn) {
      case 0:
        return {
          calls: [{ tool: "ask-human", input: { question: "Which?", form: "choice", options: ["left", "right"] } }],
        };
      case 1:
        return { calls: [{ tool: "create-proposal", input: note(`notes/${slug}-${name}.md`) }] };
      default:
        return { text: "One proposal." };
    }
  };

interface Ended {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly live: (place: RunPlace, choice?: string) => Promise<number>;
}

/** A completed run with one answer of a person. The number counts the calls that reached the model. */
async function endedRun(): Promise<Ended> {
  const garden = shared();
  const slug = `gardener-${++agents}`;
  await activeAgent(garden, slug, { model: "claude-sonnet-4-5-20250929", tools: "[ask-human, create-proposal]" });
  const lives = async (place: RunPlace, choice = "left"): Promise<number> => {
    const model = scriptedModel(script(slug));
    const end = await live(garden, place, portsWith(model));
    if (end.kind === "held") {
      await answerRequest(garden, { request: end.request, value: { choice }, by });
      await live(garden, place, portsWith(model));
    }
    return model.seen.length;
  };
  const place = await requestedRun(garden, slug, { topic: "trees" });
  await lives(place);
  return { garden, place, live: lives };
}

const forked = async ({ garden, place }: Ended, wish: Omit<ForkWish, "place" | "by">): Promise<RunPlace> => {
  const { run_id: run } = await forkRun(garden, { place, by, ...wish });
  return { slug: place.slug, run };
};

const proposalsOf = async (garden: Garden, place: RunPlace): Promise<string[]> =>
  ((await manifestOf(garden, place)).outcome as { proposals: string[] }).proposals;

describe("O-7 a fork", () => {
  test("a fork shares the journal up to a step, byte for byte, and continues alone to another end", async () => {
    const origin = await endedRun();
    const { garden } = origin;
    expect(await namesOf(garden, origin.place)).toEqual([
      "load-context",
      "model",
      "ask-human",
      "model",
      "create-proposal",
      "model",
      "execute-agent",
      "persist-results",
      "finalize",
    ]);
    // After the first turn: the question is asked again, and answered differently.
    const fork = await forked(origin, { at: 2 });
    expect(await origin.live(fork, "right")).toBe(2);
    const bytes = async ({ slug, run }: RunPlace, step: string): Promise<string> =>
      Buffer.from((await garden.store.get(`${keys.runSteps(slug, run)}${step}.json`))!.bytes).toString();
    for (const step of ["01-load-context", "02-model"])
      expect(await bytes(fork, step)).toBe(await bytes(origin.place, step));
    const targets = await Promise.all(
      [origin.place, fork].map(
        async (place) => (await readProposal(garden.store, (await proposalsOf(garden, place))[0]!)).target,
      ),
    );
    expect(targets.map((target) => target.split("-").at(-1))).toEqual(["left.md", "right.md"]);
    expect((await manifestOf(garden, fork)).forked_from).toEqual({ run: origin.place.run, step: 2 });
    expect((await manifestOf(garden, origin.place)).forked_from).toBeNull();
  });

  test("a fork after a person's answer has that answer and does not ask again", async () => {
    const origin = await endedRun();
    const fork = await forked(origin, { at: 3 });
    const calls = await origin.live(fork);
    const questions = (await stepsOf(origin.garden, fork)).filter(({ name }) => name === "ask-human");
    expect({ calls, questions: questions.length }).toEqual({ calls: 2, questions: 1 });
  });

  test("a fork of a run in flow shares the model calls of its icons", async () => {
    const garden = shared();
    const slug = `gardener-${++agents}`;
    const body = `BEGIN "T"\n  a ← sum it up in a word\n  create-proposal(type: "propose-note", path: "notes/${slug}.md", text: a)\nEND\n`;
    const contract = { execution: "flow", model: "claude-sonnet-4-5-20250929", tools: "[create-proposal]" };
    await drawnAgent(garden, slug, body, contract);
    const model = scriptedModel(() => ({ text: "sun" }));
    const place = await requestedRun(garden, slug);
    await live(garden, place, portsWith(model));
    const { run_id: run } = await forkRun(garden, { place, at: 2, by });
    await live(garden, { slug, run }, portsWith(model));
    const { error, steps_count } = await manifestOf(garden, { slug, run });
    expect({ error, steps_count, asked: model.seen.length }).toEqual({ error: null, steps_count: 6, asked: 1 });
  });

  test("a fork of the whole run makes no call and no proposal", async () => {
    const origin = await endedRun();
    const fork = await forked(origin, { at: 6 });
    expect(await origin.live(fork)).toBe(0);
    expect(await manifestOf(origin.garden, fork)).toMatchObject({ status: "failed", outcome: { kind: "failed" } });
  });

  test("a fork with an edited input uses it from the beginning", async () => {
    const origin = await endedRun();
    const fork = await forked(origin, { at: 1, set: { topic: "stones" } });
    await origin.live(fork);
    const [id] = await proposalsOf(origin.garden, fork);
    expect((await readProposal(origin.garden.store, id!)).target).toContain("-stones-left.md");
    const [, model] = await stepsOf(origin.garden, fork);
    expect(JSON.stringify(model!.input)).toContain("stones");
  });

  test("a fork whose edited input changes a shared step does nothing and says where to fork", async () => {
    const origin = await endedRun();
    const fork = await forked(origin, { at: 4, set: { topic: "stones" } });
    expect(await origin.live(fork)).toBe(0);
    expect(await manifestOf(origin.garden, fork)).toMatchObject({
      status: "failed",
      outcome: { kind: "failed" },
      error_details: { hint: { en: "Fork it at step 1 or before." } },
    });
  });

  test("a fork is quarantined: its proposals are marked and pending, also where a rule would approve them", async () => {
    const origin = await endedRun();
    const { garden, place } = origin;
    appendFileSync(`${garden.dir}/garden.yaml`, `auto_approve:\n  - { source: agent, actions: [propose-note] }\n`);
    const plain = await requestedRun(garden, place.slug, { topic: "bees" });
    await origin.live(plain);
    const fork = await forked(origin, { at: 1, set: { topic: "wasps" } });
    await origin.live(fork);
    const made = await Promise.all(
      [plain, fork].map(async (of) => readProposal(garden.store, (await proposalsOf(garden, of))[0]!)),
    );
    expect(made.map(({ status, forked_from }) => [status, forked_from])).toEqual([
      ["applied", undefined],
      ["pending", place.run],
    ]);
  });

  const refused: readonly [name: string, wish: Partial<ForkWish>, code: string][] = [
    ["a step that does not exist", { at: 99 }, "VALIDATION_FAILED"],
    ["nothing", { at: 0 }, "VALIDATION_FAILED"],
    ["half a step", { at: 1.5 }, "VALIDATION_FAILED"],
    ["a run that does not exist", { place: { slug: "nobody", run: "run_2020-01-01_000000_aaaaaa" } }, "NOT_FOUND"],
    ["by an agent", { by: { type: "agent", slug: "a", run: "run_2020-01-01_000000_aaaaaa" } }, "FORBIDDEN"],
  ];
  test("an invalid fork is refused", async () => {
    const { garden, place } = await endedRun();
    const codes = await Promise.all(
      refused.map(([, wish]) =>
        forkRun(garden, { place, at: 2, by, ...wish }).catch((error: { code: string }) => error.code),
      ),
    );
    expect(codes).toEqual(refused.map(([, , code]) => code));
  });
});
