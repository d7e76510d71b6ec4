import { expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import { reviewProposal } from "../changes/effect/review.ts";
import { decide } from "../changes/proposals/decide.ts";
import { addRemark } from "../changes/proposals/remarks.ts";
import { readEdges } from "../sessions/edge-stream.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import { sessionLog } from "../sessions/topology.ts";
import { sessionTraces } from "../sessions/traces.ts";
import { gardenWith, git } from "../testing/scratch.ts";
import { sendBack } from "./send-back.ts";
import { activeAgent, live, manifestOf, namesOf, portsWith, requestedRun, stepsOf } from "./testing/agent-ground.ts";
import { onBranch, planted, sessionRun } from "./testing/session-ground.ts";
import { tryAgent } from "./trial/try-agent.ts";

const notes = { "notes/a.md": "# A\n", "notes/b.md": "# B\n\none\ntwo\n", "notes/c.md": "# C\n" };
const lines = [
  'move-note("a", to: "old/")',
  'write-note("b", content: "# B\\n\\none\\nTWO\\n")',
  'write-note("d", content: "# D\\n")',
  'delete-note("c")',
];
const script = [
  { calls: [{ tool: "move-note", input: { note: "a", to: "old/" } }] },
  { calls: [{ tool: "write-note", input: { note: "b", content: "# B\n\none\nTWO\n" } }] },
  {
    calls: [
      { tool: "write-note", input: { note: "d", content: "# D\n" } },
      { tool: "delete-note", input: { note: "c" } },
    ],
  },
  { text: "The notes are in order." },
];

test.each([
  ["flow", { lines }],
  ["prompt", { script }],
])("S-11 P-4a a run in %s works on its branch and ends with one proposal to merge it", async (mode, how) => {
  const { garden, dir } = await gardenWith(notes);
  const { place, session, proposal } = await sessionRun(garden, "tidy", how);
  const main = proposal.base.revision;
  expect((await namesOf(garden, place)).filter((name) => /note|merge|propos/.test(name))).toEqual([
    "move-note",
    "write-note",
    "write-note",
    "delete-note",
    "propose-merge",
  ]);
  expect(proposal).toMatchObject({
    status: "pending",
    action: "propose-merge",
    target: `agents/${session.name}`,
    operation: { payload: { session: session.name, head: session.head } },
    base: { revision: main },
    source: { identity: "tidy", run_id: place.run },
  });
  if (mode === "prompt") expect(proposal.summary).toBe("The notes are in order.");
  const { commits } = await sessionLog(garden.repo, session.name);
  expect(commits.map(({ typed }) => typed?.kind)).toEqual(["refactor", "finding", "refactor", "refactor", "spawn"]);
  const texts = (await sessionTraces(garden.repo, session.name)).flatMap(({ traces }) => traces);
  expect(texts.every(({ entries }) => entries.length > 0)).toBe(true);
  const review = await reviewProposal(garden, proposal);
  expect(review.files.map(({ path, change, moved_from, moved_to }) => [change, path, moved_from ?? moved_to])).toEqual([
    ["removed", "notes/a.md", "notes/old/a.md"],
    ["changed", "notes/b.md", undefined],
    ["removed", "notes/c.md", undefined],
    ["added", "notes/d.md", undefined],
    ["added", "notes/old/a.md", "notes/a.md"],
  ]);
  expect(await garden.repo.resolve(MAIN_REF)).toBe(main);

  const applied = await decide(garden, {
    proposal: proposal.id,
    verdict: "approve",
    digest: review.digest,
    by: commandLineOwner,
  });
  const commit = await garden.repo.commit(applied.apply_result!.git_commit!);
  expect(commit.parents).toEqual([main, session.head]);
  expect(commit.message).toMatch(
    new RegExp(
      `^\\[tidy\\] .*\\n\\nProposal: ${proposal.id}\\nApproved-by: .*\\nAgent: tidy v1\\.\\d\\.0\\nRun: ${place.run}\\n`,
    ),
  );
  expect(git(dir, "ls-files", "notes")).toBe("notes/b.md\nnotes/d.md\nnotes/old/a.md");
  expect(git(dir, "status", "--porcelain")).toBe("");
  expect(git(dir, "rev-parse", `${commit.oid}^{tree}:notes`)).toBe(git(dir, "rev-parse", `${session.head}:notes`));
  expect(applied.apply_result?.events).toEqual(["session/merged"]);
  expect((await readEdges(garden.repo)).all()).toEqual([{ kind: "merges", from: "main", to: session.name }]);
});

test("S-11 a run on a branch that changes nothing, fails or is blocked proposes nothing", async () => {
  const { garden } = await gardenWith(notes);
  const outcomes: unknown[] = [];
  const endings = ["NOOP: all is in order", "BLOCKED: I may not", "FAILED: I do not know how"];
  for (const [index, text] of endings.entries()) {
    const slug = `tidy-${index}`;
    await activeAgent(garden, slug, { ...onBranch, model: "claude-sonnet-4-5-20250929" });
    const place = await requestedRun(garden, slug);
    const write = { tool: "write-note", input: { note: "d", content: "# D\n" } };
    const turns = index === 0 ? [{ text }] : [{ calls: [write] }, { text }];
    await live(garden, place, portsWith(scriptedModel(turns)));
    outcomes.push((await manifestOf(garden, place)).outcome?.kind);
    expect((await runSessionOf(garden.repo, place)) !== undefined).toBe(true);
  }
  expect(outcomes).toEqual(["noop", "blocked", "failed"]);
});

test("S-11 the agent's own words for the proposal are kept until the run ends", async () => {
  const { garden } = await gardenWith(notes);
  const { proposal } = await sessionRun(garden, "tidy", {
    lines: [
      'create-proposal("propose-merge", summary: "Old notes apart", reason: "They were in the way")',
      'move-note("a", to: "old/")',
    ],
  });
  expect(proposal).toMatchObject({ summary: "Old notes apart", reasoning: "They were in the way" });
});

test("S-11 P-3 an agent cannot propose the session of another run", async () => {
  const { garden } = await gardenWith(notes);
  const { session } = await sessionRun(garden, "tidy", { lines });
  await planted(
    garden,
    "thief",
    { safe_outputs: "[propose-merge]", tools: "[create-proposal]", model: "bloom/follower", execution: "flow" },
    [`create-proposal("propose-merge", branch: "${session.name}", head: "${session.head}")`],
  );
  const place = await requestedRun(garden, "thief");
  await live(garden, place, portsWith(scriptedModel([])));
  const { outcome } = await manifestOf(garden, place);
  expect(JSON.stringify(outcome)).not.toContain("prop_");
});

test("S-11 a trial of an agent on a branch shows the merge, and leaves no branch", async () => {
  const { garden, dir } = await gardenWith(notes);
  await planted(garden, "tidy", { ...onBranch, model: "bloom/follower", execution: "flow" }, lines);
  const refs = git(dir, "for-each-ref");
  const trial = await tryAgent(garden, portsWith(scriptedModel([])), { slug: "tidy", by: commandLineOwner });
  expect(trial.effects).toMatchObject([{ kind: "possible", action: "propose-merge", files: { length: 5 } }]);
  expect(git(dir, "for-each-ref")).toBe(refs);
});

test("P-10c S-11 a merge that is sent back is revised from where it was, with remarks that name their files", async () => {
  const { garden } = await gardenWith(notes);
  const { session, proposal } = await sessionRun(garden, "tidy", { lines });
  const by = commandLineOwner;
  await addRemark(garden, {
    proposal: proposal.id,
    by,
    text: "Shorter",
    place: { path: "notes/b.md", side: "after", line: 4 },
  });
  const back = await sendBack(garden, { proposal: proposal.id, by, digest: proposal.digest, note: "Nearly" });
  const place = { slug: "tidy", run: back.approval!.revision_requested!.run };
  // The same procedure finds its notes moved and gone by now.
  await live(garden, place, portsWith(scriptedModel([])));
  const revised = (await runSessionOf(garden.repo, place))!;
  expect((await garden.repo.commit(revised.genesis)).parents).toEqual([session.head]);
  const brief = (await stepsOf(garden, place)).find(({ name }) => name === "load-context");
  expect(JSON.stringify(brief?.output)).toContain('"text":"Shorter","path":"notes/b.md","line":4');
});
