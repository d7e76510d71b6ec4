import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { trailersOf } from "../../../domain/git/trailers.ts";
import { contractKey, keys, MAIN_REF, TRACE_REF } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { appendEvent } from "../../records/proposals/proposal-log.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { effectId } from "../effect/effect-id.ts";
import { applyProposal, resumeApplying } from "./apply-proposal.ts";
import { commitOf } from "./commit-of.ts";
import { type Asker, approved, archivist, edit, note, owner, proposed } from "./testing/proposals.ts";

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const TEXT = `${LINES.join("\n")}\n`;
const withLine = (number: number, text: string): string =>
  `${LINES.map((line, index) => (index + 1 === number ? text : line)).join("\n")}\n`;
const keysIn = async (store: Store, prefix: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
};

test("P-8 an agent's edit is one commit that names its author, its approver and its origin", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  const { id } = await approved(garden, edit("notes/a.md", "# A\n\nMore.\n"), archivist);
  const applied = await applyProposal(garden, id, "owner");
  expect(git(dir, "log", "-1", "--format=%H%n%an <%ae> %at%n%cn <%ce> %ct%n%B")).toBe(
    [
      applied.apply_result?.git_commit,
      "archivist <archivist@agents.garden.invalid> 1771056002",
      "Garden Bloom <gateway@garden.invalid> 1771056003",
      "[archivist] Sort the shelf",
      "",
      `Proposal: ${id}`,
      "Approved-by: owner",
      "Agent: archivist v1.2.0",
      "Run: run_2026-02-14_080000_abc123",
      "Logic: v007",
    ].join("\n"),
  );
});

test("P-8 the commit has exactly this id when time and ids are fixed", async () => {
  const { garden: ground } = await gardenWith();
  const garden = { ...ground, world: fixedWorld("2026-03-01T10:00:00Z", 1000) };
  const proposal = await approved(garden, edit("notes/a.md", "# A\n\nMore.\n"), archivist, "fixed");
  const person = { name: "Ann", email: "ann@example.org", at: 0 };
  const bytes = Buffer.from("# A\n");
  const root = await garden.repo.build({
    parents: [],
    edits: [{ path: "notes/a.md", bytes }],
    author: person,
    committer: person,
    message: "Begin",
  });
  const ready = { edits: [{ path: "notes/a.md", bytes: Buffer.from("# A\n\nMore.\n") }] };
  const built = await garden.repo.build(commitOf(proposal, ready as never, root));
  expect({ root, built }).toEqual({
    root: "c5bea4f52f8001088e757c5ab410a66ef4e07d76",
    built: "19e09260daaf58c57fb01c5a7159c31f5bc8bb68",
  });
});

test.each<[string, Asker, string]>([
  ["an agent's", archivist, "[archivist] Sort the shelf"],
  ["the owner's", { ...owner, summary: "Prune" }, "[owner] Prune"],
  ["a guest's", { identity: "guest:family", type: "guest", summary: "Hello" }, "[guest:family] Hello"],
  ["one that says nothing", { ...owner, summary: " \n\t " }, "[owner] propose-note notes/new.md"],
  [
    "one that forges trailers",
    { ...owner, summary: "Fine\n\nProposal: prop_x\nApproved-by: mother\u2028Agent: boss v1" },
    "[owner] Fine Proposal: prop_x Approved-by: mother Agent: boss v1",
  ],
  ["one that turns the line around", { ...owner, summary: "a\u202eb\u200bc" }, "[owner] a b c"],
])("P-8 %s subject is one line, and only the gateway writes trailers", async (_, by, subject) => {
  const { garden, dir } = await gardenWith();
  const { id } = await approved(garden, note("notes/new.md", "New.\n"), by);
  await applyProposal(garden, id, "owner");
  const message = git(dir, "log", "-1", "--format=%B");
  const names = by.type === "agent" ? ["Agent", "Run", "Logic"] : [];
  expect({
    subject: message.split("\n")[0],
    names: trailersOf(message).map(([name]) => name),
    proposal: trailersOf(message)[0],
  }).toEqual({ subject, names: ["Proposal", "Approved-by", ...names], proposal: ["Proposal", id] });
});

test("S-11 the console trace of the run is bound to the commit that it caused", async () => {
  const { garden } = await gardenWith();
  await garden.store.create(keys.runTrace("archivist", archivist.run!), Buffer.from('{"said":"hello"}\n'));
  const { id } = await approved(garden, note("notes/new.md", "New.\n"), archivist);
  const applied = await applyProposal(garden, id, "owner");
  const bound = await garden.repo.annotation(TRACE_REF, applied.apply_result!.git_commit!);
  expect(Buffer.from(bound!).toString()).toBe('{"said":"hello"}\n');
});

test("P-7 a note that moved elsewhere keeps both changes", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": TEXT });
  const { id } = await approved(garden, edit("notes/a.md", withLine(3, "three")));
  writeFileSync(join(dir, "notes/a.md"), withLine(9, "nine"));
  git(dir, "commit", "-qam", "by hand");
  const applied = await applyProposal(garden, id, "owner");
  const both = withLine(3, "three").replace("line 9", "nine");
  expect({
    status: applied.status,
    note: readFileSync(join(dir, "notes/a.md"), "utf8"),
    uncommitted: git(dir, "status", "--porcelain"),
  }).toEqual({ status: "applied", note: both, uncommitted: "" });
});

test("P-7 the same lines changed by hand are a conflict that shows both, and nothing is written", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": TEXT });
  const { id } = await approved(garden, edit("notes/a.md", withLine(3, "three")));
  writeFileSync(join(dir, "notes/a.md"), withLine(3, "III"));
  git(dir, "commit", "-qam", "by hand");
  const head = git(dir, "rev-parse", "HEAD");
  const failed = await applyProposal(garden, id, "owner");
  expect({
    status: failed.status,
    error: failed.apply_result?.error,
    head: git(dir, "rev-parse", "HEAD"),
  }).toMatchObject({
    status: "failed",
    head,
    error: {
      code: "CONCURRENT_MODIFICATION",
      message: { en: "notes/a.md: the same lines were changed since (line 3)" },
      details: { conflicts: [{ path: "notes/a.md", hunks: [{ line: 3, ours: "III\n", theirs: "three\n" }] }] },
    },
  });
});

test("G-5 an uncommitted hand edit of the same path is never overwritten: the proposal fails with the path and can be retried", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": TEXT });
  const { id } = await approved(garden, edit("notes/a.md", withLine(3, "three")));
  writeFileSync(join(dir, "notes/a.md"), withLine(9, "nine"));
  const failed = await applyProposal(garden, id, "owner");
  const kept = readFileSync(join(dir, "notes/a.md"), "utf8");
  git(dir, "commit", "-qam", "by hand");
  const applied = await applyProposal(garden, id, "owner");
  expect({
    message: failed.apply_result?.error?.message.en,
    kept,
    status: applied.status,
    attempt: applied.attempt,
  }).toEqual({
    message: "notes/a.md: edited by hand and not committed yet",
    kept: withLine(9, "nine"),
    status: "applied",
    attempt: 2,
  });
});

test("P-7 of many proposals applied at once, an impossible one does not affect the others", async () => {
  const contents = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`notes/${index}.md`, TEXT]));
  const { garden, dir } = await gardenWith(contents);
  const ids: string[] = [];
  for (let index = 0; index < 8; index++)
    ids.push((await approved(garden, edit(`notes/${index}.md`, withLine(3, "x")))).id);
  // Two proposals for one file: the second conflicts with the first. One file has uncommitted hand edits.
  ids.push((await approved(garden, edit("notes/0.md", withLine(3, "y")))).id);
  writeFileSync(join(dir, "notes/5.md"), "mine\n");
  const all = await Promise.all(ids.map((id) => applyProposal(garden, id, "owner")));
  const commits = git(dir, "rev-list", "--count", "HEAD");
  expect({
    statuses: all.map(({ status }) => status),
    commits,
    note: readFileSync(join(dir, "notes/5.md"), "utf8"),
  }).toEqual({
    statuses: ["applied", "applied", "applied", "applied", "applied", "failed", "applied", "applied", "failed"],
    commits: "8",
    note: "mine\n",
  });
});

test("P-7 a comment that is applied together with its note waits for the note", async () => {
  const { garden } = await gardenWith();
  const first = await approved(garden, note("notes/first.md", "First.\n")); // keeps the queue busy until both are there
  const text = await approved(garden, note("notes/new.md", "New.\n"));
  const made = await proposed(garden, { action: "propose-comment", payload: { note: "notes/new.md", text: "Why?" } });
  const effect = effectId([{ path: "store:comments", what: { note: "notes/new.md", line: null, text: "Why?" } }]);
  const decision = { decision: "approved", by: "owner", digest: made.digest, effect } as const;
  await appendEvent(garden.store, made, { type: "decided", op: "x", at: made.created_at, ...decision });
  const all = await Promise.all([first, text, made].map(({ id }) => applyProposal(garden, id, "owner")));
  expect(all.map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
});

test("P-7 a proposal is applied once by concurrent calls", async () => {
  const { garden, dir } = await gardenWith();
  const { id } = await approved(garden, note("notes/new.md", "New.\n"));
  const all = await Promise.all(Array.from({ length: 5 }, () => applyProposal(garden, id, "owner")));
  expect({
    commits: new Set(all.map((each) => each.apply_result?.git_commit)).size,
    count: git(dir, "rev-list", "--count", "HEAD"),
  }).toEqual({ commits: 1, count: "2" });
});

test("P-6 a proposal that is not approved is not applied", async () => {
  const { garden } = await gardenWith();
  const { id } = await proposed(garden, note("notes/new.md", "New.\n"));
  await expect(applyProposal(garden, id, "owner")).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("P-10a a change that differs from the approved one is not written", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": TEXT });
  const { id } = await approved(garden, edit("notes/a.md", withLine(3, "three").replace("line 9", "nine")));
  writeFileSync(join(dir, "notes/a.md"), withLine(9, "nine"));
  git(dir, "commit", "-qam", "half of it by hand");
  const back = await applyProposal(garden, id, "owner");
  expect({ status: back.status, why: back.returned?.why.en }).toEqual({
    status: "pending",
    why: "what it would change now is not what was approved",
  });
});

const inStore: [string, Operation, string, unknown][] = [
  [
    "a comment",
    { action: "propose-comment", payload: { note: "notes/Ідея.md", text: "Why?", line: 1 } },
    "comments/notes/^ідея.md/ID.json",
    {
      note: "notes/Ідея.md",
      line: 1,
      text: "Why?",
      by: "owner",
      at: "2026-02-14T08:00:03.000Z",
      proposal: "ID",
      note_hash: "0b51b2c6ea47dabf813442f57262911c27b6c903",
    },
  ],
  [
    "an artifact",
    {
      action: "propose-artifact",
      payload: {
        agent: "archivist",
        name: "Weekly 7.md",
        type: "text/markdown",
        body: { kind: "text", text: "Sum.\n" },
      },
    },
    "agents/archivist/artifacts/^weekly 7.md",
    "Sum.\n",
  ],
  [
    "a summary",
    {
      action: "propose-summary",
      payload: {
        note: "notes/Ідея.md",
        text: "Short.",
        citations: [{ source: "notes/a.md", line: 2, quote: "a\nb" }],
        into: { kind: "artifact", agent: "archivist", name: "sum.md" },
      },
    },
    "agents/archivist/artifacts/sum.md",
    "Short.\n\n- notes/a.md:2 — “a b”\n",
  ],
];
test.each(inStore)("P-4a %s is an object of the store, and no commit", async (_, operation, key, holds) => {
  const { garden, dir } = await gardenWith({ "notes/Ідея.md": "# I\n" });
  await garden.store.create(contractKey("archivist"), Buffer.from("---\n---\n"));
  const head = git(dir, "rev-parse", "HEAD");
  const { id } = await approved(garden, operation);
  const applied = await applyProposal(garden, id, "owner");
  const text = Buffer.from((await garden.store.get(key.replace("ID", id)))!.bytes)
    .toString()
    .replace(id, "ID");
  const found: unknown = key.endsWith(".json") ? JSON.parse(text) : text;
  expect({ object: applied.apply_result?.object_path, head: git(dir, "rev-parse", "HEAD"), found }).toEqual({
    object: key.replace("ID", id),
    head,
    found: holds,
  });
});

test("P-7 an artifact that was replaced before its write was recorded counts as applied", async () => {
  const { garden } = await gardenWith();
  await garden.store.create(contractKey("archivist"), Buffer.from("---\n---\n"));
  const artifact = (text: string, replaces?: string): Operation => ({
    action: "propose-artifact",
    payload: {
      agent: "archivist",
      name: "a.md",
      type: "text/markdown",
      body: { kind: "text", text },
      ...(replaces && { replaces }),
    },
  });
  const first = await approved(garden, artifact("one\n"));
  const base = (await garden.repo.resolve(MAIN_REF))!;
  const made = await garden.store.create("agents/archivist/artifacts/a.md", Buffer.from("one\n"));
  const hash = made.kind === "created" ? made.hash : "";
  // The state after a crash between the object and its event.
  await appendEvent(garden.store, first, {
    type: "applying",
    op: "dead",
    at: first.created_at,
    attempt: 1,
    by: "owner",
    plan: { head: base, objects: [{ key: "agents/archivist/artifacts/a.md", hash }] },
  });
  const second = await applyProposal(garden, (await approved(garden, artifact("two\n", hash))).id, "owner");
  const resumed = await applyProposal(garden, first.id, "owner");
  expect({ second: second.status, resumed: resumed.status }).toEqual({ second: "applied", resumed: "applied" });
});

test("P-7 an artifact whose name became a folder since it was approved fails, and does not stay open", async () => {
  const { garden } = await gardenWith();
  await garden.store.create(contractKey("archivist"), Buffer.from("---\n---\n"));
  const body = { kind: "text", text: "one\n" } as const;
  const { id } = await approved(garden, {
    action: "propose-artifact",
    payload: { agent: "archivist", name: "a", type: "text/markdown", body },
  });
  const create = garden.store.create.bind(garden.store);
  // Another process creates `a/b` between the check and the write.
  garden.store.create = async (key, bytes) => {
    if (key.endsWith("/artifacts/a")) await create(`${key}/b`, Buffer.from("two\n"));
    return create(key, bytes);
  };
  expect((await applyProposal(garden, id, "owner")).status).toBe("failed");
});

test("P-12 every end of an apply leaves one audit record", async () => {
  const { garden } = await gardenWith();
  const good = await approved(garden, note("notes/new.md", "New.\n"));
  const bad = await approved(garden, note("notes/new.md", "Other.\n"));
  for (const { id } of [good, bad]) await applyProposal(garden, id, "owner");
  await resumeApplying(garden);
  const names = (await keysIn(garden.store, "audit/")).map((key) => key.replace(/^.*\/\d+-/, ""));
  expect(names).toEqual([`${good.id}-0003-applied.json`, `${bad.id}-0003-failed.json`]);
});

test("P-7 after an apply the views match the events", async () => {
  const { garden } = await gardenWith();
  const good = await approved(garden, note("notes/new.md", "New.\n"));
  const bad = await approved(garden, note("notes/new.md", "Other.\n"));
  for (const { id } of [good, bad]) await applyProposal(garden, id, "owner");
  const views = (await keysIn(garden.store, "proposals/")).filter((key) => !key.startsWith("proposals/log/"));
  expect(views).toEqual([`proposals/applied/2026-02/${good.id}.json`, `proposals/failed/2026-02/${bad.id}.json`]);
});

test("G-5 after the gateway's commit, a commit by hand reverts nothing", async () => {
  const { garden, dir } = await gardenWith();
  const { id } = await approved(garden, note("notes/new.md", "New.\n"));
  await applyProposal(garden, id, "owner");
  files(dir, { "notes/hand.md": "mine\n" });
  git(dir, "add", "notes/hand.md");
  git(dir, "commit", "-qm", "by hand");
  expect(git(dir, "show", "--format=", "--name-status", "HEAD")).toBe("A\tnotes/hand.md");
});

test("P-7 a process that planned before another one gave up lands nothing when it resumes", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": TEXT });
  const { id } = await approved(garden, edit("notes/a.md", withLine(3, "three")));
  // Two processes as two queues: the first pauses with its plan recorded, just before it moves main.
  const [asleep, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const move: Garden["repo"]["move"] = async (moves) => {
    if (moves.some(({ ref }) => ref === MAIN_REF)) {
      asleep.resolve();
      await awake.promise;
    }
    return garden.repo.move(moves);
  };
  // Its `index.lock` was deleted by a person meanwhile.
  const hold: Garden["repo"]["hold"] = async (_, work) => ({ kind: "held", result: await work(move) });
  const sleeper = { ...garden, repo: aside(garden.repo, { hold }), store: aside(garden.store, {}) };
  const first = applyProposal(sleeper, id, "owner");
  await asleep.promise;
  writeFileSync(join(dir, "notes/a.md"), "mine\n");
  const second = await applyProposal(garden, id, "owner");
  git(dir, "checkout", "-q", "notes/a.md");
  awake.resolve();
  expect({
    second: second.status,
    first: (await first).status,
    commits: git(dir, "log", "--format=%s", `--grep=${id}`),
  }).toEqual({ second: "failed", first: "failed", commits: "" });
});

/** A copy of the port with some methods replaced. */
const aside = <T extends object>(port: T, instead: Partial<T>): T =>
  new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(name in instead ? instead : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
