import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Oid } from "../../../domain/git/git-names.ts";
import { machine, TRACE_REF } from "../../../domain/layout.ts";
import { commitWithTrace } from "../commit-with-trace.ts";
import type { SessionGarden } from "../session-garden.ts";
import { sessionHead } from "../topology.ts";
import { pendingTrace, recordTrace } from "../trace-buffer.ts";
import { sessionTraces, traceHistory, traceIdOf, tracesOf } from "../traces.ts";
import { attachTrace } from "./attach-trace.ts";
import { committed } from "./branch-checks.ts";
import type { SessionCheck } from "./object-checks.ts";
import { codeOf, filesOf, newSpace, reopened, type SessionSpace, spawned } from "./space.ts";

/** A commit that drains the buffer. */
export async function traced(
  space: SessionGarden,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Oid> {
  const done = await commitWithTrace(space, name, {
    expect: await sessionHead(space.repo, name),
    kind: "finding",
    message: "Work",
    tree: filesOf(files),
  });
  if (done.kind !== "committed") throw new Error(done.kind);
  return done.commit;
}
export const say = (space: SessionGarden, text: string, name = "scout"): Promise<number> =>
  recordTrace(space, name, { kind: "say", text });
export const pending = async (space: SessionGarden, name = "scout"): Promise<string[]> =>
  (await pendingTrace(space, name)).entries.map(({ text }) => text);
export const textsOf = async (space: SessionGarden, commit: Oid): Promise<string[]> =>
  (await tracesOf(space.repo, commit)).flatMap(({ entries }) => entries.map(({ text }) => text));

export async function sayer(options?: Parameters<typeof newSpace>[0]): Promise<SessionSpace & { root: Oid }> {
  const space = await newSpace(options);
  return { ...space, root: await spawned(space, "scout") };
}
export async function saidAndDone(): Promise<SessionSpace & { root: Oid; commit: Oid }> {
  const space = await sayer();
  await say(space, "first");
  await say(space, "second");
  return { ...space, commit: await traced(space, "scout", { a: "1" }) };
}
/** A commit on a head that has moved. */
const lateCommit = (space: SessionGarden, root: Oid) =>
  commitWithTrace(space, "scout", { expect: root, kind: "finding", message: "Late", tree: filesOf({ b: "1" }) });

/** T1 to T15. */
export const bufferChecks: readonly SessionCheck[] = [
  ["empty at start", async () => expect(await pending(await sayer())).toEqual([])],
  [
    "append returns a growing position",
    async () => {
      const space = await sayer();
      const [a, b] = [await say(space, "a"), await say(space, "b")];
      expect([a > 0, b > a]).toEqual([true, true]);
    },
  ],
  [
    "pending in order",
    async () => {
      const space = await sayer();
      for (const text of ["a", "b", "c"]) await say(space, text);
      expect(await pending(space)).toEqual(["a", "b", "c"]);
    },
  ],
  [
    "buffers are per agent",
    async () => {
      const space = await sayer();
      await spawned(space, "other");
      await say(space, "mine");
      expect([await pending(space), await pending(space, "other")]).toEqual([["mine"], []]);
    },
  ],
  [
    "unknown agent",
    async () => {
      const space = await sayer();
      expect([await codeOf(say(space, "x", "nobody-here")), await codeOf(pendingTrace(space, "nobody-here"))]).toEqual([
        "NOT_FOUND",
        "NOT_FOUND",
      ]);
    },
  ],
  [
    "buffer survives reopen",
    async () => {
      const space = await sayer();
      await say(space, "kept");
      expect(await pending(await reopened(space.dir))).toEqual(["kept"]);
    },
  ],
  [
    "plain commit leaves the buffer",
    async () => {
      const space = await sayer();
      await say(space, "kept");
      await committed(space, "scout", { a: "1" });
      expect(await pending(space)).toEqual(["kept"]);
    },
  ],
  [
    "drains everything since the last drain",
    async () => {
      const space = await saidAndDone();
      await say(space, "third");
      const next = await traced(space, "scout", { a: "2" });
      expect([await textsOf(space, space.commit), await textsOf(space, next), await pending(space)]).toEqual([
        ["first", "second"],
        ["third"],
        [],
      ]);
    },
  ],
  [
    "trace names commit and agent",
    async () => {
      const space = await saidAndDone();
      expect(await tracesOf(space.repo, space.commit)).toMatchObject([
        { type: "console-trace", commit: space.commit, agent: "scout" },
      ]);
    },
  ],
  [
    "entries order kept",
    async () => {
      const space = await sayer();
      const texts = Array.from({ length: 30 }, (_, index) => `line ${index}`);
      for (const text of texts) await say(space, text);
      expect(await textsOf(space, await traced(space, "scout", { a: "1" }))).toEqual(texts);
    },
  ],
  [
    "trace id = note blob id",
    async () => {
      const space = await sayer();
      await say(space, "x");
      const done = await commitWithTrace(space, "scout", {
        expect: space.root,
        kind: "test",
        message: "m",
        tree: { edits: [] },
      });
      if (done.kind !== "committed") throw new Error(done.kind);
      expect(space.git("notes", "--ref=trace", "list", done.commit)).toBe(done.trace);
    },
  ],
  [
    "git notes shows it",
    async () => {
      const { git, commit } = await saidAndDone();
      expect(JSON.parse(git("notes", "--ref=trace", "show", commit))).toMatchObject({
        entries: [{ text: "first" }, { text: "second" }],
      });
    },
  ],
  [
    "git log --notes=trace shows it",
    async () => {
      const { git, commit } = await saidAndDone();
      expect(git("log", "-1", "--notes=trace", "--format=%N", commit)).toContain('"text":"second"');
    },
  ],
  [
    "not in the commit tree",
    async () => {
      const { git, commit } = await saidAndDone();
      expect(git("ls-tree", "-r", "--name-only", commit)).toBe("a");
    },
  ],
  [
    "attaching does not change the commit id",
    async () => {
      const space = await saidAndDone();
      await attachTrace(space, { commit: space.commit, agent: "scout", entries: [] });
      expect(await sessionHead(space.repo, "scout")).toBe(space.commit);
    },
  ],
];

/** T16 to T28. */
export const drainChecks: readonly SessionCheck[] = [
  [
    "failed commit keeps the buffer",
    async () => {
      const space = await saidAndDone();
      await say(space, "kept");
      expect([await lateCommit(space, space.root), await pending(space)]).toEqual([
        { kind: "conflict", head: space.commit },
        ["kept"],
      ]);
    },
  ],
  [
    "failed commit binds nothing",
    async () => {
      const space = await saidAndDone();
      const before = space.git("rev-parse", TRACE_REF);
      await say(space, "kept");
      await lateCommit(space, space.root);
      expect(space.git("rev-parse", TRACE_REF)).toBe(before);
    },
  ],
  [
    "invalid kind keeps the buffer",
    async () => {
      const space = await sayer();
      await say(space, "kept");
      const bad = commitWithTrace(space, "scout", {
        expect: space.root,
        kind: "nope",
        message: "m",
        tree: { edits: [] },
      });
      expect(await codeOf(bad)).toBe("VALIDATION_FAILED");
    },
  ],
  [
    "… still pending",
    async () => {
      const space = await sayer();
      await say(space, "kept");
      await codeOf(
        commitWithTrace(space, "scout", { expect: space.root, kind: "nope", message: "m", tree: { edits: [] } }),
      );
      expect(await pending(space)).toEqual(["kept"]);
    },
  ],
  [
    "next commit takes it",
    async () => {
      const space = await saidAndDone();
      await say(space, "kept");
      await lateCommit(space, space.root);
      expect(await textsOf(space, await traced(space, "scout", { a: "3" }))).toEqual(["kept"]);
    },
  ],
  [
    "commit with empty buffer still binds an empty trace",
    async () => {
      const space = await sayer();
      expect(await tracesOf(space.repo, await traced(space, "scout", { a: "1" }))).toMatchObject([
        { agent: "scout", entries: [] },
      ]);
    },
  ],
  [
    "rebinding: new trace id, old still readable",
    async () => {
      const space = await saidAndDone();
      const old = (await traceIdOf(space.repo, space.commit))!;
      const id = await attachTrace(space, {
        commit: space.commit,
        agent: "scout",
        entries: [{ at: "2026-02-14T08:00:00Z", kind: "say", text: "amended" }],
      });
      expect([await traceIdOf(space.repo, space.commit), id === old, space.git("cat-file", "-t", old)]).toEqual([
        id,
        false,
        "blob",
      ]);
    },
  ],
  [
    "rebinding history from the notes chain",
    async () => {
      const space = await saidAndDone();
      const old = await traceIdOf(space.repo, space.commit);
      const id = await attachTrace(space, { commit: space.commit, agent: "scout", entries: [] });
      expect((await traceHistory(space.repo, space.commit)).map((binding) => binding.id)).toEqual([id, old]);
    },
  ],
  [
    "history survives reflog expiry and gc",
    async () => {
      const space = await saidAndDone();
      await attachTrace(space, { commit: space.commit, agent: "scout", entries: [] });
      const before = await traceHistory(space.repo, space.commit);
      await space.repo.close();
      space.git("reflog", "expire", "--expire=now", "--all");
      space.git("gc", "--quiet", "--prune=now");
      expect(await traceHistory((await reopened(space.dir)).repo, space.commit)).toEqual(before);
    },
  ],
  [
    "same binding twice is a no-op (no new notes commit)",
    async () => {
      const space = await saidAndDone();
      await attachTrace(space, { commit: space.commit, agent: "scout", entries: [] });
      const before = space.git("rev-parse", TRACE_REF);
      await attachTrace(space, { commit: space.commit, agent: "scout", entries: [] });
      expect(space.git("rev-parse", TRACE_REF)).toBe(before);
    },
  ],
  [
    "attach to a non-commit",
    async () => {
      const space = await saidAndDone();
      const blob = space.git("rev-parse", `${space.commit}:a`);
      expect(await codeOf(attachTrace(space, { commit: blob, agent: "scout", entries: [] }))).toBe("NOT_FOUND");
    },
  ],
  [
    "session-traces newest first",
    async () => {
      const space = await saidAndDone();
      await committed(space, "scout", { a: "plain" });
      const last = await traced(space, "scout", { a: "2" });
      expect((await sessionTraces(space.repo, "scout")).map(({ commit }) => commit)).toEqual([last, space.commit]);
    },
  ],
  [
    "crash between ref transaction and cursor: reconcile, no duplicates",
    async () => {
      const space = await saidAndDone();
      rmSync(join(space.dir, machine.traceCursor("scout")));
      await say(space, "after");
      await committed(space, "scout", { a: "plain" });
      expect([await pending(space), await textsOf(space, await traced(space, "scout", { a: "2" }))]).toEqual([
        ["after"],
        ["after"],
      ]);
    },
  ],
];
