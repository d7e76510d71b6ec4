import { expect, test } from "vitest";
import { commandLineOwner } from "../../domain/identity.ts";
import { reviewProposal } from "../changes/effect/review.ts";
import { decide } from "../changes/proposals/decide.ts";
import { closeFound, findGarden } from "../core/garden.ts";
import { verifyGarden } from "../insight/verify/verify.ts";
import { explain } from "../insight/why/explain.ts";
import { tellStory } from "../insight/why/story.ts";
import { closed, gardenWith, testPorts } from "../testing/scratch.ts";
import { sessionRun } from "./testing/session-ground.ts";

const notes = { "notes/a.md": "# A\n", "notes/b.md": "# B\n\none\ntwo\n" };
const lines = ['move-note("a", to: "old/")', 'write-note("b", content: "# B\\n\\none\\nTWO\\n")'];

test("P-11 S-11 why of a line leads through the merge to the session commit, its trace, the step and the icon", async () => {
  const made = await gardenWith(notes);
  const { garden } = made;
  const { place, session, proposal } = await sessionRun(garden, "tidy", { lines });
  const { digest } = await reviewProposal(garden, proposal);
  const files = ["notes/b.md"]; // the move stays on the branch
  const merged = await decide(garden, {
    proposal: proposal.id,
    verdict: "approve",
    digest,
    by: commandLineOwner,
    files,
  });
  const why = await explain(garden, "notes/b.md:4");
  expect(why.missing).toEqual([]);
  expect(why.links.map(({ kind, id, depth }) => [depth, kind, id])).toEqual([
    [0, "commit", session.head],
    [1, "trace", expect.anything()],
    [1, "commit", merged.apply_result?.git_commit],
    [2, "proposal", proposal.id],
    [3, "decision", expect.anything()],
    [3, "run", place.run],
    [4, "step", "3-write-note"],
    [4, "contract", "tidy"],
    [4, "logic", "v001"],
    [5, "icon", expect.anything()],
  ]);
  const story = (await tellStory(garden, "notes/b.md:4"))!;
  expect(story.links.map(({ kind, mark }) => `${kind} ${mark}`)).toEqual([
    "wish verified",
    "permission verified",
    "run verified",
    "step verified",
    "commit verified",
    "proposal verified",
    "decision verified",
    "commit verified",
    "since verified",
  ]);
  expect(story).toMatchObject({ revertible: proposal.id, diagram: { agent: "tidy" } });
  await closed(made);
  const found = await findGarden(testPorts(), made.dir);
  const findings = (await verifyGarden(found)).map(({ check, where, what }) => `${check} ${where} ${what.en}`);
  await closeFound(found);
  expect(findings).toEqual([]);
});
