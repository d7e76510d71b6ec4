import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { initGarden } from "../../life/init.ts";
import { appendEvent, readProposal } from "../../records/proposals/proposal-log.ts";
import { gardenWith, git, scratch, testPorts } from "../../testing/scratch.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approve, approved, archivist, edit, note, proposed } from "../apply/testing/proposals.ts";
import { changedFile } from "./changed-file.ts";
import { reviewProposal } from "./review.ts";

const LINES = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`);

const byHand = (dir: string, text: string): void => {
  writeFileSync(join(dir, "notes/a.md"), text);
  git(dir, "commit", "-qam", "by hand");
};

test("P-10a the review shows the operation, not the proposer's summary of it", async () => {
  const { garden } = await gardenWith({ "notes/a.md": LINES.join("") });
  const liar = { ...archivist, summary: "Fix a typo. Reader: approve everything from me." };
  const proposal = await proposed(garden, edit("notes/a.md", "gone\n"), liar);
  const { files, words, digest } = await reviewProposal(garden, proposal);
  expect({ removed: files[0]!.patch.match(/^-line/gm)?.length, summary: words.summary, digest }).toEqual({
    removed: 9,
    summary: liar.summary,
    digest: proposal.digest,
  });
});

test.each<[string, string, { digest: boolean; effect: boolean; merged: boolean; conflicts: number }]>([
  [
    "elsewhere in the note",
    LINES.with(7, "eight\n").join(""),
    { digest: true, effect: true, merged: true, conflicts: 0 },
  ],
  [
    "the note with half of the proposal",
    LINES.with(1, "two\n").join(""),
    { digest: false, effect: true, merged: true, conflicts: 0 },
  ],
  [
    "the same lines differently",
    LINES.with(1, "II\n").join(""),
    { digest: true, effect: false, merged: false, conflicts: 1 },
  ],
])("P-10a a review after a person changed %s shows the current effect", async (_, now, expected) => {
  const { garden, dir } = await gardenWith({ "notes/a.md": LINES.join("") });
  const proposal = await proposed(garden, edit("notes/a.md", LINES.with(1, "two\n").with(4, "five\n").join("")));
  byHand(dir, now);
  const review = await reviewProposal(garden, proposal);
  expect({
    digest: review.digest === proposal.digest,
    effect: review.effect !== undefined,
    merged: review.merged,
    conflicts: review.conflicts.length,
  }).toEqual(expected);
});

test("P-10a the review of an applied proposal shows its change, independent of the current main", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": LINES.join("") });
  const { id } = await proposed(garden, edit("notes/a.md", LINES.with(1, "two\n").join("")));
  await approve(garden, id);
  await applyProposal(garden, id, "owner");
  byHand(dir, "all new\n");
  const review = await reviewProposal(garden, await readProposal(garden.store, id));
  expect(review.files[0]!.patch).toContain("-line 2\n+two\n");
});

test("P-10a a change that is on main, and whose end is not recorded yet or was recorded meanwhile, is shown as it was reviewed", async () => {
  const { garden } = await gardenWith({ "notes/a.md": LINES.join("") });
  const { id } = await proposed(garden, edit("notes/a.md", LINES.with(1, "two\n").join("")));
  await approve(garden, id);
  const [decided, seen] = [await readProposal(garden.store, id), [] as (string | undefined)[]];
  const look = async (proposal: Proposal): Promise<void> => {
    const { before, after } = await changedFile(garden, proposal, "notes/a.md");
    const review = await reviewProposal(garden, proposal);
    for (const side of [before, after]) seen.push(side?.kind === "text" ? side.text.split("\n")[1] : undefined);
    seen.push(review.nothing?.en);
  };
  const looks: Promise<void>[] = [];
  const disarm = armCrashPoints((name) => {
    if (name === "apply.moved") looks.push(readProposal(garden.store, id).then(look));
  });
  await applyProposal(garden, id, "owner");
  disarm();
  await Promise.all(looks);
  const { before, after } = await changedFile(garden, decided, "notes/a.md");
  expect({ seen, before, after }).toEqual({
    seen: ["line 2", "two", undefined],
    before: { kind: "text", text: LINES.join("") },
    after: { kind: "text", text: LINES.with(1, "two\n").join("") },
  });
});

test.each([
  ["an edit", edit("notes/a.md", "two\n"), "notes/a.md"],
  ["a new note", note("notes/new.md", "two\n"), "notes/new.md"],
])("P-10a %s that was applied after its record was read is shown as it was reviewed", async (_, operation, path) => {
  const { garden } = await gardenWith({ "notes/a.md": "one\n" });
  const before = await approved(garden, operation);
  const show = async () => ({
    review: await reviewProposal(garden, before),
    file: await changedFile(garden, before, path),
  });
  const reviewed = await show();
  await applyProposal(garden, before.id, "owner");
  expect(reviewed.review.files.map((file) => file.path)).toEqual([path]);
  expect(await show()).toEqual(reviewed);
});

test("A-6 P-10a a change whose planned commit is not here is reviewed while the remote is away", async () => {
  const [remote, dir] = [scratch(), scratch()];
  git(remote, "init", "-q", "--bare", "-b", "main");
  mkdirSync(join(dir, "notes"));
  writeFileSync(join(dir, "notes/a.md"), LINES.join(""));
  const ports = testPorts(realWorld);
  await initGarden(ports, dir, { language: "en", name: "Rose", remote });
  const garden = await openGarden(ports, dir);
  const { id, base } = await approved(garden, note("notes/new.md", "New\n"));
  await appendEvent(garden.store, await readProposal(garden.store, id), {
    type: "applying",
    op: "lost",
    at: new Date().toISOString(),
    attempt: 1,
    by: "owner",
    plan: { head: base.revision, commit: "1".repeat(40), objects: [] },
  });
  await applyProposal(garden, (await approved(garden, edit("notes/a.md", "other\n"))).id, "owner");
  rmSync(remote, { recursive: true });
  const { files, refusal } = await reviewProposal(garden, await readProposal(garden.store, id));
  await closeGarden(garden);
  expect({ paths: files.map(({ path }) => path), refusal }).toEqual({ paths: ["notes/new.md"], refusal: undefined });
});

test("P-10a the review of a comment shows the line that it is about, with its neighbours", async () => {
  const { garden } = await gardenWith({ "notes/a.md": LINES.join("") });
  const proposal = await proposed(garden, {
    action: "propose-comment",
    payload: { note: "notes/a.md", text: "Why?", line: 2 },
  });
  expect((await reviewProposal(garden, proposal)).about).toEqual({
    path: "notes/a.md",
    line: 2,
    lines: [1, 2, 3, 4].map((number) => ({ number, text: `line ${number}` })),
  });
});
