import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { agent, drawn, storeWith } from "../../records/logic/testing/agent.ts";
import { viewKey } from "../../records/proposals/proposal-log.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { receive } from "../inbox/receive.ts";
import { decide } from "../proposals/decide.ts";
import { proposeRevert } from "./propose-revert.ts";

const NOTE = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join("");

const done = async (garden: Garden, action: string, payload: unknown): Promise<Proposal> => {
  const received = await receive(garden, { identity: by, action, payload, summary: "Change" });
  if (received.kind === "refused") throw received.failure;
  const { id, digest } = received.proposal;
  return decide(garden, { proposal: id, verdict: "approve", digest, by });
};

const takenBack = async (garden: Garden, { id }: Proposal): Promise<Proposal> => {
  const received = await proposeRevert(garden, { proposal: id, by, reason: "a mistake" });
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  return decide(garden, { proposal: proposal.id, verdict: "approve", digest: proposal.digest, by });
};

const shown = async (garden: Garden, dir: string, target: string): Promise<string | undefined> => {
  if (!target.startsWith("store:"))
    return existsSync(join(dir, target)) ? readFileSync(join(dir, target), "utf8") : undefined;
  const object = await garden.store.get(target.slice("store:".length));
  return object && Buffer.from(object.bytes).toString();
};

const artifact = { agent: "archivist", name: "digest.md", text: "one\n" };
const DIGEST = "store:agents/archivist/artifacts/digest.md";
const summary = { note: "notes/a.md", text: "Short." };
const facts = { op: "append", file: "facts.md", section: "Facts", text: "- it rained" };

test.each<[string, string, unknown, string]>([
  ["a new note", "propose-note", { path: "notes/new.md", text: "N\n" }, "notes/new.md"],
  ["an edit", "propose-edit", { path: "notes/a.md", text: NOTE.replace("line 3", "three") }, "notes/a.md"],
  ["a removal", "propose-edit", { path: "notes/a.md", remove: true }, "notes/a.md"],
  ["tags", "propose-tag", { path: "notes/t.md", add: ["x", "a"], remove: ["b"] }, "notes/t.md"],
  ["a section", "propose-summary", { ...summary, into: { kind: "section" } }, "notes/a.md"],
  [
    "a summary",
    "propose-summary",
    { ...summary, into: { kind: "artifact", agent: "archivist", name: "digest.md" } },
    DIGEST,
  ],
  ["an artifact", "propose-artifact", artifact, DIGEST],
])(
  "P-10b %s is reverted by a proposal that names it, and a revert of the revert restores it",
  async (_, action, payload, target) => {
    const { garden, dir } = await gardenWith({
      "notes/a.md": NOTE,
      "notes/t.md": "---\ntags: [a, b] # these\n---\nT\n",
    });
    await agent(garden);
    const before = await shown(garden, dir, target);
    const first = await done(garden, action, payload);
    const changed = await shown(garden, dir, target);
    const back = await takenBack(garden, first);
    const after = await shown(garden, dir, target);
    const again = await takenBack(garden, back);
    const asTags = (text: string | undefined): string | undefined =>
      text?.replace(/tags: \[.*\]/, (list) => list.split(/\W+/).toSorted().join(" "));
    expect({
      first: first.status,
      back: back.status,
      reverts: back.reverts,
      after: asTags(after),
      shown: asTags(await shown(garden, dir, target)),
      again: again.status,
    }).toEqual({
      first: "applied",
      back: "applied",
      reverts: first.id,
      after: asTags(before),
      shown: asTags(changed),
      again: "applied",
    });
  },
);

test("P-10b a revert removes a comment", async () => {
  const { garden, dir } = await gardenWith();
  const first = await done(garden, "propose-comment", { note: "notes/a.md", text: "Why?" });
  const key = `store:${first.apply_result!.object_path!}`;
  const there = await shown(garden, dir, key);
  const back = await takenBack(garden, first);
  expect({ wasThere: there !== undefined, status: back.status, shown: await shown(garden, dir, key) }).toEqual({
    wasThere: true,
    status: "applied",
    shown: undefined,
  });
});

test("P-10b a revert of an artifact finds the one it replaced newest first, and ignores a damaged view", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": NOTE });
  await agent(garden);
  const old = await done(garden, "propose-note", { path: "notes/old.md", text: "old\n" });
  await garden.store.put(viewKey(old)!, Buffer.from("garbage{"));
  await done(garden, "propose-artifact", artifact);
  const { hash: replaces } = (await garden.store.get(DIGEST.slice("store:".length)))!;
  const second = await done(garden, "propose-artifact", { ...artifact, text: "two\n", replaces });
  const looked: string[] = [];
  const get = (key: string) => {
    if (key.startsWith("proposals/applied/")) looked.push(key);
    return garden.store.get(key);
  };
  const { status } = await takenBack({ ...garden, store: storeWith(garden.store, { get }) }, second);
  expect({ status, shown: await shown(garden, dir, DIGEST), looksAtOld: looked.includes(viewKey(old)!) }).toEqual({
    status: "applied",
    shown: "one\n",
    looksAtOld: false,
  });
});

test("P-10b a revert of an artifact restores the one it replaced", async () => {
  const { garden, dir } = await gardenWith();
  await agent(garden);
  await done(garden, "propose-artifact", artifact);
  const { hash } = (await garden.store.get(DIGEST.slice("store:".length)))!;
  const second = await done(garden, "propose-artifact", { ...artifact, text: "two\n", replaces: hash });
  const back = await takenBack(garden, second);
  expect({ second: second.status, back: back.status, shown: await shown(garden, dir, DIGEST) }).toEqual({
    second: "applied",
    back: "applied",
    shown: "one\n",
  });
});

test("P-10b a revert of memory restores its former files and keeps later changes", async () => {
  const { garden, dir } = await gardenWith();
  await agent(garden);
  const at = (expectedVersion: number, operations: unknown[]) => ({ agent: "archivist", expectedVersion, operations });
  await done(garden, "memory-update", at(0, [{ op: "replace", file: "snapshot.md", text: "Calm.\n" }, facts]));
  const second = await done(
    garden,
    "memory-update",
    at(1, [{ op: "replace", file: "snapshot.md", text: "Stormy.\n" }]),
  );
  await done(garden, "memory-update", at(2, [{ ...facts, text: "- it snowed" }]));
  const back = await takenBack(garden, second);
  const known = await shown(garden, dir, "memory/archivist/facts.md");
  expect({
    status: back.status,
    snapshot: await shown(garden, dir, "memory/archivist/snapshot.md"),
    keepsLater: /rained[^]*snowed/.test(known ?? ""),
  }).toEqual({ status: "applied", snapshot: "Calm.\n", keepsLater: true });
});

test("P-10b a revert of logic rolls back to the version before, and only from the current one", async () => {
  const { garden } = await gardenWith();
  await agent(garden);
  const versions: Proposal[] = [];
  for (const line of ["Читати", "Писати", "Думати"])
    versions.push(
      await done(garden, "logic-update", { agent: "archivist", diagram: drawn(line), rationale: { problem: line } }),
    );
  const last = await proposeRevert(garden, { proposal: versions[2]!.id, by, reason: "worse" });
  const middle = proposeRevert(garden, { proposal: versions[1]!.id, by });
  const first = proposeRevert(garden, { proposal: versions[0]!.id, by });
  expect(last.kind === "accepted" && last.proposal).toMatchObject({
    action: "logic-rollback",
    reverts: versions[2]!.id,
    operation: { payload: { currentVersion: "v003", toVersion: "v002", rationale: { problem: "worse" } } },
  });
  await expect(middle).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
  await expect(first).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
});

test("P-10b a revert keeps later changes elsewhere in the note", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": NOTE });
  const first = await done(garden, "propose-edit", { path: "notes/a.md", text: NOTE.replace("line 3", "three") });
  writeFileSync(join(dir, "notes/a.md"), NOTE.replace("line 3", "three").replace("line 8", "eight"));
  git(dir, "commit", "-qam", "by hand");
  const back = await takenBack(garden, first);
  expect({ status: back.status, note: await shown(garden, dir, "notes/a.md") }).toEqual({
    status: "applied",
    note: NOTE.replace("line 8", "eight"),
  });
});

test.each<[string, string, unknown, string]>([
  [
    "lines that were changed again",
    "propose-edit",
    { path: "notes/a.md", text: NOTE.replace("line 3", "three") },
    NOTE.replace("line 3", "III"),
  ],
  ["a new note that was written in since", "propose-note", { path: "notes/b.md", text: "B\n" }, "B\nmine\n"],
])("P-10b %s are a conflict, and nothing is proposed", async (_, action, payload, now) => {
  const { garden, dir } = await gardenWith({ "notes/a.md": NOTE });
  const first = await done(garden, action, payload);
  writeFileSync(join(dir, first.target), now);
  git(dir, "commit", "-qam", "by hand");
  const received = await proposeRevert(garden, { proposal: first.id, by, reason: "a mistake" });
  expect(received.kind === "refused" && received.failure).toMatchObject({
    code: "CONCURRENT_MODIFICATION",
    details: { conflicts: [{ path: first.target }] },
  });
});

test("P-10b only an applied proposal can be reverted", async () => {
  const { garden } = await gardenWith();
  const received = await receive(garden, {
    identity: by,
    action: "propose-note",
    payload: { path: "notes/n.md", text: "N\n" },
  });
  const { id } = received.kind === "accepted" ? received.proposal : { id: "" };
  await expect(proposeRevert(garden, { proposal: id, by })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});
