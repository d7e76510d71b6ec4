import { describe, expect, test } from "vitest";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { answerRequest } from "../../runs/answer.ts";
import { forkRun } from "../../runs/fork.ts";
import { openRequests } from "../../runs/hold.ts";
import { manifestAt, openRunIds, requestAt } from "../../runs/open-runs.ts";
import { runAgent } from "../../runs/run-agent.ts";
import { live, manifestOf, namesOf, portsWith, requestedRun, stepsOf } from "../../runs/testing/agent-ground.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { startRuns } from "../../runs/testing/start-runs.ts";
import { drawnAgent, drawnFrom } from "../learning/testing/drawn-agent.ts";
import { explain } from "../why/explain.ts";
import { moveRun, newerVersionFor, planMove } from "./move-run.ts";

const shared = oneGarden();
let agents = 0;
const by = commandLineOwner;

const BEFORE = `BEGIN "Ask"
  notes ← read-notes()
  answer ← ask-human("Which?", form: "choice", options: ["left", "right"])
  create-proposal(type: "propose-note", path: "notes/" + mark + "-old.md", text: "# " + answer.choice)
END
`;
const LATER = BEFORE.replace("-old.md", "-new.md");
const EARLIER = BEFORE.replace("read-notes()", 'read-context("a")');
const ASKS_ELSE = BEFORE.replace('"Which?"', '"Which one?"');
const INSERTED = BEFORE.replace("  answer", "  x ← 1\n  answer");

type Execution = "flow" | "prompt";

const contractOf = (execution: Execution, version: string) => ({
  execution,
  model: "bloom/follower",
  tools: "[read-notes, read-context, ask-human, create-proposal]",
  safe_outputs: "[propose-note]",
  max_steps: "20",
  logic_version: version,
});

interface Held {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly lives: (place: RunPlace) => ReturnType<typeof live>;
  /** A new logic version with this procedure. */
  readonly update: (procedure: string, over?: Readonly<Record<string, string>>) => Promise<void>;
}

async function heldRun(execution: Execution, procedure = BEFORE, model = "bloom/follower"): Promise<Held> {
  const garden = shared();
  const slug = `asker-${++agents}`;
  await drawnAgent(garden, slug, procedure, { ...contractOf(execution, "v001"), model });
  const scripted = scriptedModel([{ text: "sun" }]);
  const lives = (place: RunPlace) => live(garden, place, portsWith(scripted));
  const place = await requestedRun(garden, slug, { mark: slug });
  expect(await lives(place)).toMatchObject({ kind: "held" });
  const replace = async (key: string, bytes: Uint8Array): Promise<unknown> =>
    garden.store.swap(key, (await garden.store.get(key))!.hash, bytes);
  return {
    garden,
    place,
    lives,
    async update(later, over = {}) {
      const { tree } = parsePseudocode(later);
      const body = renderPseudocode(tree!, { language: "en" }).text;
      await replace(keys.diagram(slug, MAIN_DIAGRAM), Buffer.from(drawnFrom(later)));
      await replace(keys.pseudocode(slug), Buffer.from(body));
      const fields = {
        generated_from: MAIN_DIAGRAM,
        ...contractOf(execution, "v002"),
        model,
        status: "active",
        ...over,
      };
      await replace(contractKey(slug), Buffer.from(contractText(slug, fields, body)));
    },
  };
}

const moved = async ({ garden, place }: Held, correlation?: string): Promise<RunPlace> => {
  const { run_id: run } = await moveRun(garden, { place, by, correlation });
  return { slug: place.slug, run };
};
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    ({ code, text }: { code: string; text: { en: string } }) => `${code} ${text.en}`,
  );
const questionOf = async (garden: Garden, { run }: RunPlace): Promise<string | undefined> =>
  (await openRequests(garden)).find(({ run_id }) => run_id === run)?.id;

describe.each(["flow", "prompt"] as const)("O-3a a held run is moved to a new logic version (%s)", (execution) => {
  test("if only icons after its question changed: recorded steps are taken over, and none is done again", async () => {
    const held = await heldRun(execution);
    const { garden, place, lives } = held;
    await held.update(LATER);
    expect(await newerVersionFor(garden, place)).toBe("v002");
    expect(await planMove(garden, place)).toEqual({ kind: "same", from: "v001", to: "v002" });
    const before = await namesOf(garden, place);
    const to = await moved(held);
    expect(await lives(to)).toMatchObject({ kind: "held" });
    const request = await questionOf(garden, to);
    const steps = await stepsOf(garden, to);
    expect(steps.map(({ name }) => name)).toEqual(before);
    expect(steps.slice(1)).toEqual((await stepsOf(garden, place)).slice(1));
    await answerRequest(garden, { request, value: { choice: "left" }, by });
    expect(await lives(to)).toEqual({ kind: "ended" });
    const manifest = await manifestOf(garden, to);
    expect(manifest).toMatchObject({
      status: "completed",
      logic_version: "v002",
      moved_from: { run: place.run, step: before.length },
    });
    const names = (await namesOf(garden, to)).filter((name) => name === "read-notes" || name === "create-proposal");
    expect(names).toEqual(["read-notes", "create-proposal"]);
    const proposal = (await stepsOf(garden, to)).find(({ name }) => name === "create-proposal")!;
    expect(JSON.stringify(proposal.input)).toContain("-new.md");
    // A fork of the new run shares steps of both versions.
    const fork = await forkRun(garden, { place: to, at: before.length, by });
    expect(await lives({ slug: place.slug, run: fork.run_id })).toMatchObject({ kind: "held" });
  });

  test.each([
    ["an icon before its question", EARLIER, "read-context"],
    ["its question", ASKS_ELSE, "Which one?"],
  ])("not if %s changed: the icon is named, and the run stays held", async (_, procedure, text) => {
    const held = await heldRun(execution);
    await held.update(procedure);
    const said = await refusal(moved(held));
    expect(said).toMatch(
      /^INVALID_TRANSITION the run \S+ cannot be moved to v002: .* at the icon \d+ \(main-flow\.drakon\.json\)/,
    );
    expect(said).toContain(text);
    expect(await held.lives(held.place)).toMatchObject({ kind: "held" });
    expect(await held.garden.store.get(keys.runCancel(held.place.slug, held.place.run))).toBeUndefined();
  });
});

describe("O-3a a run of a language model", () => {
  const MODEL = "claude-sonnet-4-5-20250929";
  const asks = (procedure: string): string => procedure.replace("  answer", "  word ← sum it up in a word\n  answer");

  test("in flow is moved with the recorded answers of its icons; the model is asked nothing again", async () => {
    const held = await heldRun("flow", asks(BEFORE), MODEL);
    await held.update(asks(LATER), { temperature: "0.9" });
    const to = await moved(held);
    // The scripted model has one reply.
    expect(await held.lives(to)).toMatchObject({ kind: "held" });
    expect((await stepsOf(held.garden, to)).slice(1)).toEqual((await stepsOf(held.garden, held.place)).slice(1));
  });

  test("in prompt is not moved: its path is only claimed", async () => {
    const garden = shared();
    const slug = `asker-${++agents}`;
    await drawnAgent(garden, slug, BEFORE, { ...contractOf("prompt", "v001"), model: MODEL });
    const place = await requestedRun(garden, slug, { mark: slug });
    const call = { tool: "ask-human", input: { question: "Which?", form: "choice", options: ["left", "right"] } };
    await live(garden, place, portsWith(scriptedModel([{ calls: [call] }])));
    const contract = (await garden.store.get(contractKey(slug)))!;
    const newer = Buffer.from(contract.bytes).toString().replace("logic_version: v001", "logic_version: v002");
    await garden.store.swap(contractKey(slug), contract.hash, Buffer.from(newer));
    expect(await planMove(garden, place)).toMatchObject({
      kind: "cannot-tell",
      why: { en: expect.stringContaining("only claimed") },
    });
  });
});

describe("O-3a a run is not moved", () => {
  test("if it is not held, has the current version, is moved by an agent, or lost a tool that it has called", async () => {
    const held = await heldRun("flow");
    const { garden, place } = held;
    expect(await refusal(moved(held))).toContain("has the current logic version");
    await held.update(LATER, { tools: "[ask-human, create-proposal]" });
    expect(await refusal(moved(held))).toContain("the tool read-notes");
    await held.update(LATER, { execution: "prompt" });
    expect(await refusal(moved(held))).toContain("another `execution`");
    await held.update(LATER);
    const agent = { type: "agent", slug: place.slug, run: place.run } as const;
    expect(await refusal(moveRun(garden, { place, by: agent }))).toContain("FORBIDDEN");
    await answerRequest(garden, { run: place.run, value: { choice: "left" }, by });
    expect(await refusal(moved(held))).toContain("does not wait");
    await held.lives(place);
    expect(await refusal(moved(held))).toContain("it is completed");
  });

  test("by the follower, if icons were added before its question: it would not find its calls", async () => {
    const held = await heldRun("prompt");
    await held.update(INSERTED);
    expect(await refusal(moved(held))).toContain("icons before it were added or removed");
  });
});

test("O-3a a moved run does nothing if its agent changed again before it began: the check was for another version", async () => {
  const held = await heldRun("flow");
  await held.update(LATER);
  const to = await moved(held);
  await held.update(EARLIER, { logic_version: "v003" });
  await held.lives(to);
  const { status, error } = await manifestOf(held.garden, to);
  expect({ status, error }).toEqual({ status: "failed", error: expect.stringContaining("changed again") });
});

describe("O-3a a move happens once", () => {
  test("two owners at once and a repetition get the same run", async () => {
    const held = await heldRun("flow");
    await held.update(LATER);
    const runs = await Promise.all([moved(held), moved(held, "mine"), moved(held, "mine")]);
    runs.push(await moved(held));
    expect(new Set(runs.map(({ run }) => run)).size).toBe(1);
    const { garden, place } = held;
    const from = await Promise.all(
      (await openRunIds(garden.store)).map((run) => requestAt(garden.store, { slug: place.slug, run })),
    );
    expect(from.filter((request) => request?.moved_from?.run === place.run)).toHaveLength(1);
  });

  test("O-3 a process that dies between its two writes leaves a run that the next engine ends and continues", async () => {
    const held = await heldRun("flow");
    const { garden, place } = held;
    await held.update(LATER);
    const disarm = armCrashPoints((name) => {
      if (name === "runs.move.decided") throw new Error("killed");
    });
    await expect(moved(held)).rejects.toThrow("killed");
    disarm();
    const answer = answerRequest(garden, { request: await questionOf(garden, place), value: { choice: "left" }, by });
    expect(await refusal(answer)).toContain("was moved to");
    const engine = await startRuns(garden, {
      orchestrator: embeddedOrchestrator({ world: garden.world, limit: 4 }),
      flow: runAgent(portsWith(scriptedModel([]))),
    });
    await engine.settled();
    const to = await moved(held);
    await engine.settled();
    expect(await manifestAt(garden.store, place)).toMatchObject({
      status: "cancelled",
      error: `cancelled by owner: moved to ${to.run}`,
    });
    await answerRequest(garden, { request: await questionOf(garden, to), value: { choice: "right" }, by });
    await engine.settled();
    await engine.close();
    expect((await manifestOf(garden, to)).outcome).toMatchObject({ kind: "effects" });
    const why = await explain(garden, to.run);
    expect(JSON.stringify(why)).toContain(`moved from ${place.run}`);
  });
});
