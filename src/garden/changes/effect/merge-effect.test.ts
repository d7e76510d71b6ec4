import { expect, test } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { spawnSessionAt } from "../../sessions/spawn-session.ts";
import { sessionHead } from "../../sessions/topology.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { proposeRevert } from "../apply/propose-revert.ts";
import { receive } from "../inbox/receive.ts";
import { decide } from "../proposals/decide.ts";
import { resolveMerge } from "../proposals/resolve-merge.ts";
import { type Review, reviewProposal } from "./review.ts";

type Texts = Readonly<Record<string, string | undefined>>;

const notes = {
  "notes/a.md": "# A\n\none\ntwo\nthree\n",
  "notes/b.md": "# B\n",
  "notes/c.md": "# C\n\nlast\n",
  "notes/picture.png": "\u0000png",
};

/** A session that made these changes on main as it is, in one commit. */
async function worked(garden: Garden, name: string, texts: Texts): Promise<string> {
  await spawnSessionAt(garden, (await garden.repo.resolve(MAIN_REF))!, { name, briefing: { goal: "Tidy" } });
  const edits = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: text === undefined ? text : Buffer.from(text),
  }));
  const expected = await sessionHead(garden.repo, name);
  const done = await commitSession(garden, name, {
    expect: expected,
    kind: "refactor",
    message: "Tidy",
    tree: { edits },
  });
  if (done.kind !== "committed") throw new Error(done.kind);
  return done.commit;
}

async function proposed(garden: Garden, session: string): Promise<Proposal> {
  const got = await receive(garden, { identity: commandLineOwner, action: "propose-merge", payload: { session } });
  if (got.kind === "refused") throw got.failure;
  return got.proposal;
}

/** A person's commit on main. */
function byHand(dir: string, texts: Texts): void {
  files(
    dir,
    Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  );
  for (const [path, text] of Object.entries(texts)) if (text === undefined) git(dir, "rm", "-q", path);
  git(dir, "add", "-A");
  git(dir, "-c", "user.name=Olena", "-c", "user.email=o@example.org", "commit", "-qm", "By hand");
}

const approve = async (garden: Garden, proposal: Proposal, chosen?: readonly string[]): Promise<Proposal> => {
  const { digest } = await reviewProposal(garden, proposal);
  return decide(garden, { proposal: proposal.id, verdict: "approve", digest, by: commandLineOwner, files: chosen });
};
const textAt = (dir: string, path: string): string => git(dir, "show", `main:${path}`);
const pathsOf = ({ files: shown }: Review): string[] => shown.map(({ path, change }) => `${change} ${path}`);

test.each<[string, Texts, Texts, string | Texts]>([
  [
    "another file",
    { "notes/a.md": "# A\n" },
    { "notes/b.md": "# B2\n" },
    { "notes/a.md": "# A\n", "notes/b.md": "# B2\n" },
  ],
  [
    "other lines of the same file",
    { "notes/a.md": "# A\n\none\ntwo\nTHREE\n" },
    { "notes/a.md": "# AA\n\none\ntwo\nthree\n" },
    { "notes/a.md": "# AA\n\none\ntwo\nTHREE\n" },
  ],
  [
    "a file that the session moved",
    { "notes/b.md": undefined, "notes/old/b.md": "# B\n" },
    { "notes/b.md": "# B\n\nmore\n" },
    { "notes/old/b.md": "# B\n\nmore\n" },
  ],
  [
    "the same change",
    { "notes/a.md": "# A\n", "notes/d.md": "d\n" },
    { "notes/a.md": "# A\n" },
    { "notes/a.md": "# A\n", "notes/d.md": "d\n" },
  ],
  [
    "the same lines",
    { "notes/c.md": "# C\n\nmine\n" },
    { "notes/c.md": "# C\n\ntheirs\n" },
    "notes/c.md: the same lines were changed on main 3",
  ],
  [
    "a file that the session removed",
    { "notes/b.md": undefined },
    { "notes/b.md": "# B2\n" },
    "notes/b.md: changed on main, removed by the session 1",
  ],
  [
    "by removing a file that the session changed",
    { "notes/b.md": "# B2\n" },
    { "notes/b.md": undefined },
    "notes/b.md: removed on main, changed by the session 1",
  ],
  [
    "by adding a file of the same name",
    { "notes/n.md": "1\n" },
    { "notes/n.md": "2\n" },
    "notes/n.md: main has another file of this name now 1",
  ],
  [
    "by taking the place of a moved file",
    { "notes/b.md": undefined, "notes/x.md": "# B\n" },
    { "notes/x.md": "x\n" },
    "notes/x.md: main has another file of this name now ",
  ],
])("P-7 S-5 main changed %s since: merged per file, or told with the lines", async (_, theirs, ours, expected) => {
  const { garden, dir } = await gardenWith(notes);
  await worked(garden, "tidy", theirs);
  const proposal = await proposed(garden, "tidy");
  byHand(dir, ours);
  const main = git(dir, "rev-parse", "main");
  const review = await reviewProposal(garden, proposal);
  const applied = await approve(garden, proposal);
  if (typeof expected === "string") {
    expect(
      review.conflicts.map(({ path, why, hunks }) => `${path}: ${why.en} ${hunks.map(({ line }) => line).join()}`),
    ).toEqual([expected]);
    expect(review.files.length).toBeGreaterThan(0);
    expect([applied.status, git(dir, "rev-parse", "main")]).toEqual(["failed", main]);
    return;
  }
  expect(applied.status).toBe("applied");
  for (const [path, text] of Object.entries(expected)) expect(`${textAt(dir, path)}\n`).toBe(text);
  expect(git(dir, "rev-list", "--parents", "-1", "main").split(" ").slice(1)).toEqual([
    main,
    git(dir, "rev-parse", "agents/tidy"),
  ]);
  expect(git(dir, "status", "--porcelain")).toBe("");
});

test("P-10a an approval of a merge is refused if main moved so that it would do something else", async () => {
  const { garden, dir } = await gardenWith(notes);
  await worked(garden, "tidy", { "notes/a.md": "# A\n", "notes/d.md": "d\n" });
  const proposal = await proposed(garden, "tidy");
  const { digest } = await reviewProposal(garden, proposal);
  byHand(dir, { "notes/a.md": "# A\n" });
  await expect(
    decide(garden, { proposal: proposal.id, verdict: "approve", digest, by: commandLineOwner }),
  ).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
});

test.each([
  ["a file outside of the notes", { "garden.yaml": "x: 1\n" }, "FORBIDDEN"],
  ["an agent's contract", { "agents/x/_agent.md": "x\n" }, "FORBIDDEN"],
  ["memory", { "memory/x/facts.md": "x\n" }, "FORBIDDEN"],
  ["a hidden file", { "notes/.obsidian/app.json": "{}" }, "FORBIDDEN"],
  ["nothing", {}, "DUPLICATE_ENTRY"],
  ["an attachment", { "notes/picture.png": "\u0000other" }, "made"],
])("P-4a a merge of a session that changed %s", async (_, texts, expected) => {
  const { garden } = await gardenWith(notes);
  await worked(garden, "tidy", texts);
  const code = await proposed(garden, "tidy").then(
    () => "made",
    (error: { code: string }) => error.code,
  );
  expect(code).toBe(expected);
});

test("S-11 P-10a the owner takes a part of a merge, which the decision records and main gets", async () => {
  const { garden, dir } = await gardenWith(notes);
  const head = await worked(garden, "tidy", {
    "notes/a.md": "# A\n",
    "notes/b.md": undefined,
    "notes/old/b.md": "# B\n",
    "notes/d.md": "d\n",
  });
  const proposal = await proposed(garden, "tidy");
  const main = git(dir, "rev-parse", "main");
  for (const [chosen, message] of [
    [["notes/zz.md"], /does not change/],
    [["notes/b.md", "notes/a.md"], /one move/],
    [[], /no file/],
  ] as const)
    await expect(approve(garden, proposal, chosen)).rejects.toThrow(message);
  const applied = await approve(garden, proposal, ["notes/d.md", "notes/b.md", "notes/old/b.md"]);
  expect(applied.approval).toMatchObject({ files: ["notes/b.md", "notes/d.md", "notes/old/b.md"] });
  expect(applied.approval?.effect).toBe((await reviewProposal(garden, applied)).effect);
  expect(pathsOf(await reviewProposal(garden, applied))).toEqual([
    "removed notes/b.md",
    "added notes/d.md",
    "added notes/old/b.md",
  ]);
  expect(git(dir, "diff", "--name-status", "--no-renames", main, "main")).toBe(
    "D\tnotes/b.md\nA\tnotes/d.md\nA\tnotes/old/b.md",
  );
  expect(git(dir, "rev-list", "--parents", "-1", "main").split(" ").slice(1)).toEqual([main, head]);
  // The rest was declined: a later merge brings what the session does after it, not the rest again.
  await commitSession(garden, "tidy", {
    expect: head,
    kind: "finding",
    message: "More",
    tree: { edits: [{ path: "notes/e.md", bytes: Buffer.from("e\n") }] },
  });
  expect(pathsOf(await reviewProposal(garden, await proposed(garden, "tidy")))).toEqual(["added notes/e.md"]);
});

test("S-11 a part without the files in conflict can be taken", async () => {
  const { garden, dir } = await gardenWith(notes);
  await worked(garden, "tidy", { "notes/c.md": "# C\n\nmine\n", "notes/d.md": "d\n" });
  byHand(dir, { "notes/c.md": "# C\n\ntheirs\n" });
  const proposal = await proposed(garden, "tidy");
  expect((await approve(garden, proposal, ["notes/d.md"])).status).toBe("applied");
  expect(textAt(dir, "notes/c.md")).toBe("# C\n\ntheirs");
});

test("S-5 the owner resolves conflicts by giving texts, and a new proposal takes the place of the first", async () => {
  const { garden, dir } = await gardenWith(notes);
  const head = await worked(garden, "tidy", {
    "notes/c.md": "# C\n\nmine\n",
    "notes/b.md": "# B2\n",
    "notes/d.md": "d\n",
  });
  byHand(dir, { "notes/c.md": "# C\n\ntheirs\n", "notes/b.md": undefined, "notes/e.md": "e\n" });
  const first = await proposed(garden, "tidy");
  const main = git(dir, "rev-parse", "main");
  const by = commandLineOwner;
  const resolve = (given: Record<string, string | null>) =>
    resolveMerge(garden, { proposal: first.id, by, files: given });
  await expect(resolve({ "notes/c.md": "# C\n\nboth\n" })).rejects.toThrow(/missing: notes\/b.md/);
  await expect(resolve({ "notes/c.md": "x", "notes/b.md": null, "notes/d.md": "x" })).rejects.toThrow(
    /not in conflict/,
  );
  const texts = { "notes/c.md": "# C\n\nboth\n", "notes/b.md": null };
  const resolved = await resolve(texts);
  expect(resolved.first).toMatchObject({ status: "rejected", approval: { superseded_by: resolved.proposal.id } });
  const again = await resolve(texts);
  expect(again.proposal.id).toBe(resolved.proposal.id);
  const tip = git(dir, "rev-parse", "agents/tidy");
  expect(git(dir, "rev-list", "--parents", "-1", tip).split(" ").slice(1)).toEqual([head, main]);
  expect(git(dir, "ls-tree", "-r", "--name-only", tip, "notes/")).toBe(
    "notes/a.md\nnotes/c.md\nnotes/d.md\nnotes/e.md\nnotes/picture.png",
  );
  const review = await reviewProposal(garden, resolved.proposal);
  expect([review.conflicts, pathsOf(review)]).toEqual([[], ["changed notes/c.md", "added notes/d.md"]]);
  await approve(garden, resolved.proposal);
  expect(textAt(dir, "notes/c.md")).toBe("# C\n\nboth");
  expect(git(dir, "rev-parse", "main:notes")).toBe(git(dir, "rev-parse", `${tip}:notes`));
});

test("P-10b a merge is taken back by a proposal that keeps what main changed since, and that can be taken back too", async () => {
  const { garden, dir } = await gardenWith(notes);
  await worked(garden, "tidy", { "notes/a.md": "# A\n\none\n", "notes/b.md": undefined, "notes/old/b.md": "# B\n" });
  const before = git(dir, "rev-parse", "main:notes");
  const first = await approve(garden, await proposed(garden, "tidy"));
  byHand(dir, { "notes/old/b.md": "# B\n\nmore\n", "notes/e.md": "e\n" });
  const take = async (proposal: string): Promise<Proposal> => {
    const got = await proposeRevert(garden, { proposal, by: commandLineOwner });
    if (got.kind === "refused") throw got.failure;
    return got.proposal;
  };
  const revert = await take(first.id);
  expect(revert).toMatchObject({ action: "propose-merge", reverts: first.id, status: "pending" });
  const review = await reviewProposal(garden, revert);
  expect([review.conflicts, pathsOf(review)]).toEqual([
    [],
    ["changed notes/a.md", "added notes/b.md", "removed notes/old/b.md"],
  ]);
  const back = await approve(garden, revert);
  expect(textAt(dir, "notes/b.md")).toBe("# B\n\nmore");
  expect(git(dir, "diff", "--name-only", before, "main:notes")).toBe("b.md\ne.md");
  const again = await approve(garden, await take(back.id));
  expect([again.status, textAt(dir, "notes/old/b.md")]).toEqual(["applied", "# B\n\nmore"]);
});
