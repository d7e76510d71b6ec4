import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { keys } from "../../domain/layout.ts";
import { reviewProposal } from "../changes/effect/review.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { activeAgent, live, manifestOf, portsWith, requestedRun, stepsOf } from "./testing/agent-ground.ts";
import { oneGarden } from "./testing/one-garden.ts";

const shared = oneGarden();
let agents = 0;

/** The proposals of a run with this script, and its agent. */
async function proposed(script: Script, over: Readonly<Record<string, string>> = {}, body?: string) {
  const garden = shared();
  const slug = `gardener-${++agents}`;
  await activeAgent(garden, slug, { model: "claude-sonnet-4-5-20250929", max_steps: "6", ...over }, body);
  const place = await requestedRun(garden, slug);
  await live(garden, place, portsWith(scriptedModel(script)));
  const { outcome } = await manifestOf(garden, place);
  const ids = (outcome as { proposals?: string[] }).proposals ?? [];
  return { garden, place, proposals: await Promise.all(ids.map((id) => readProposal(garden.store, id))) };
}

const note = (name: string, more: object = {}) => ({
  tool: "create-proposal",
  input: { type: "propose-note", path: `notes/${name}.md`, text: `# ${name}\n`, ...more },
});

describe("P-5a a proposal of an agent says why", () => {
  test("with the agent's own reason", async () => {
    const { proposals } = await proposed([{ calls: [note("why-1", { reason: "It is missing." })] }, { text: "Done." }]);
    expect(proposals[0]!.content).toMatchObject({ text: "# why-1\n", reasoning: "It is missing." });
  });

  test("with the model's text in the turn of the call, and the notes that it had read", async () => {
    const { garden, proposals } = await proposed([
      { text: "I look.", calls: [{ tool: "read-notes", input: {} }] },
      { text: "Nobody has written about this yet.", calls: [note("why-2")] },
      { text: "Done." },
    ]);
    const [proposal] = proposals;
    expect(proposal!.content.reasoning).toBe("Nobody has written about this yet.");
    expect(proposal!.content.citations).toContainEqual({ source: "read-notes", step: 3 });
    expect((await reviewProposal(garden, proposal!)).words).toMatchObject({
      reasoning: "Nobody has written about this yet.",
      citations: proposal!.content.citations,
    });
  });

  test("with the line that a comment is about", async () => {
    const comment = { type: "propose-comment", note: "a", content: "Which A?", line: 1 };
    const script: Script = [{ calls: [{ tool: "create-proposal", input: comment }] }, { text: "Done." }];
    const { proposals } = await proposed(script, { safe_outputs: "[propose-comment]" });
    expect(proposals[0]!.content.citations).toEqual([{ source: "notes/a.md", line: 1, quote: "# A" }]);
  });

  test("with its place in the procedure, where the procedure is followed without a model", async () => {
    const body =
      'ПОЧАТОК "Луна"\n  нотатки ← read-notes()\n  create-proposal(тип: "propose-note", шлях: "notes/echo-5a.md", текст: "# Луна")\nКІНЕЦЬ\n';
    const { proposals } = await proposed([], { model: "bloom/follower" }, body);
    expect(proposals[0]!.content.reasoning).toMatch(
      /^Its procedure prescribes this \(line 3\), after the steps read-notes/,
    );
    expect(proposals[0]!.content.citations).not.toEqual([]);
  });
});

describe("R-5b the proposals of one run", () => {
  test.each([
    { budget: "{ proposals: 2 }", asked: 4, made: 2 },
    { budget: "{}", asked: 12, made: 10 },
  ])("are $made of $asked with the budget $budget", async ({ budget, asked, made }) => {
    const name = (index: number) => `budget-${asked}-${index}`;
    const calls = Array.from({ length: asked }, (_, index) => note(name(index)));
    const { garden, place, proposals } = await proposed([{ calls }, { text: "Done." }], { budget });
    expect(proposals.map(({ target }) => target)).toEqual(
      Array.from({ length: made }, (_, index) => `notes/${name(index)}.md`),
    );
    const last = (await stepsOf(garden, place)).findLast(({ kind }) => kind === "tool");
    expect(last!.output).toMatchObject({ status: "refused", code: "FORBIDDEN" });
  });
});

test("P-5 the folder of a run has its proposals", async () => {
  const { garden, place, proposals } = await proposed([{ calls: [note("out-1"), note("out-2")] }, { text: "Done." }]);
  expect(proposals).toHaveLength(2);
  for (const [index, { id, digest, content }] of proposals.entries()) {
    const key = keys.runOutput(place.slug, place.run, `proposal-note-out-${index + 1}.json`);
    const stored = JSON.parse(Buffer.from((await garden.store.get(key))!.bytes).toString()) as object;
    expect(stored).toMatchObject({ id, digest, content });
  }
});
