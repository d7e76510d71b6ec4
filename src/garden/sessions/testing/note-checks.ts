import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Oid } from "../../../domain/git/git-names.ts";
import { machine, sessionBranch, TRACE_REF } from "../../../domain/layout.ts";
import { MAX_TRACE_BYTES } from "../../../domain/session/console-trace.ts";
import { traceIdOf, tracesOf } from "../traces.ts";
import { attachTrace } from "./attach-trace.ts";
import type { SessionCheck } from "./object-checks.ts";
import { gitWith, reopened, type SessionSpace, spawned } from "./space.ts";
import { pending, saidAndDone, say, sayer, textsOf, traced } from "./trace-checks.ts";

/** Notes by git itself, as many as wanted, through fast-import. */
function importNotes(space: SessionSpace, commits: readonly Oid[]): void {
  const head = space.git("rev-parse", TRACE_REF);
  const notes = commits.map((commit) => `N inline ${commit}\ndata 8\n{"n":1}\n\n`).join("");
  const stream = `commit ${TRACE_REF}\ncommitter Git <git@example.org> 1700000000 +0000\ndata 5\nnotes\nfrom ${head}\n${notes}\n`;
  gitWith(space.dir, stream, "fast-import", "--quiet");
}

/** T29 to T36. */
export const noteChecks: readonly SessionCheck[] = [
  [
    "torn last line is ignored, later appends go on",
    async () => {
      const space = await sayer();
      await say(space, "whole");
      appendFileSync(join(space.dir, machine.traceBuffer("scout")), '{"at":"2026-02-14T08:00:00Z","kind":"say","te');
      const torn = await pending(space);
      await say(space, "later");
      expect([torn, await pending(space)]).toEqual([["whole"], ["whole", "later"]]);
    },
  ],
  [
    "commit and note appear in one transaction (stale notes ref retried)",
    async () => {
      const space = await saidAndDone();
      await spawned(space, "other");
      await say(space, "a");
      await say(space, "b", "other");
      const commits = await Promise.all([
        traced(space, "scout", { a: "2" }),
        traced(await reopened(space.dir), "other", { b: "1" }),
      ]);
      expect(await Promise.all(commits.map((commit) => textsOf(space, commit)))).toEqual([["a"], ["b"]]);
    },
  ],
  [
    "reads notes written by plain git (no fan-out)",
    async () => {
      const space = await sayer();
      const line =
        '{"type":"console-trace","commit":"x","agent":"scout","entries":[{"at":"t","kind":"say","text":"by hand"}]}';
      space.git("notes", "--ref=trace", "add", "-m", line, space.root);
      expect([space.git("ls-tree", "--name-only", TRACE_REF), await textsOf(space, space.root)]).toEqual([
        space.root,
        ["by hand"],
      ]);
    },
  ],
  [
    "a note at a deep fan-out path is found and replaced, never doubled",
    async () => {
      const space = await saidAndDone();
      const { commit } = space;
      const line = '{"type":"console-trace","commit":"x","agent":"scout","entries":[]}\n';
      const blob = gitWith(space.dir, line, "hash-object", "-w", "--stdin");
      const tree = (entry: string): string => gitWith(space.dir, `${entry}\n`, "mktree");
      const leaf = tree(`100644 blob ${blob}\t${commit.slice(4)}`);
      const deep = tree(`040000 tree ${tree(`040000 tree ${leaf}\t${commit.slice(2, 4)}`)}\t${commit.slice(0, 2)}`);
      space.git("update-ref", TRACE_REF, space.git("commit-tree", deep, "-m", "deep"));
      const found = await traceIdOf(space.repo, commit);
      await attachTrace(space, { commit, agent: "scout", entries: [{ at: "t", kind: "say", text: "new" }] });
      expect([found, space.git("ls-tree", "-r", "--name-only", TRACE_REF)]).toEqual([
        blob,
        `${commit.slice(0, 2)}/${commit.slice(2)}`,
      ]);
    },
  ],
  [
    "redaction runs before the buffer",
    async () => {
      const space = await sayer({ secrets: ["correct-horse-battery"] });
      await say(space, "key: correct-horse-battery and sk-abcdefghijklmnopqrstuvwx");
      const stored = Buffer.from((await space.folder.read(machine.traceBuffer("scout"), 10_000))!).toString();
      expect([/correct-horse|sk-abc/.test(stored), await pending(space)]).toEqual([
        false,
        ["key: [redacted] and [redacted]"],
      ]);
    },
  ],
  [
    "oversized trace is cut, marked, below the cap",
    async () => {
      const space = await sayer();
      const path = join(space.dir, machine.traceBuffer("scout"));
      await say(space, "begin");
      const line = `${JSON.stringify({ at: "2026-02-14T08:00:00Z", kind: "out", text: "x".repeat(1000) })}\n`;
      appendFileSync(path, line.repeat(6000));
      await say(space, "y".repeat(2 * 1024 * 1024));
      const commit = await traced(space, "scout", { a: "1" });
      const [trace] = await tracesOf(space.repo, commit);
      const size = Number(space.git("cat-file", "-s", space.git("notes", "--ref=trace", "list", commit)));
      expect([
        size < MAX_TRACE_BYTES,
        trace!.entries[0]!.text,
        trace!.truncated!.entries + trace!.entries.length,
        await pending(space),
      ]).toEqual([true, "begin", 6002, []]);
    },
  ],
  [
    "notes merge with a peer (cat_sort_uniq) stays readable JSONL",
    async () => {
      const space = await saidAndDone();
      space.git("update-ref", "refs/notes/peer", TRACE_REF);
      await attachTrace(space, {
        commit: space.commit,
        agent: "scout",
        entries: [{ at: "t", kind: "say", text: "mine" }],
      });
      space.git(
        "notes",
        "--ref=peer",
        "append",
        "-m",
        '{"type":"console-trace","commit":"x","agent":"peer","entries":[{"at":"t","kind":"say","text":"theirs"}]}',
        space.commit,
      );
      space.git("notes", "--ref=trace", "merge", "-q", "-s", "cat_sort_uniq", "refs/notes/peer");
      expect((await textsOf(space, space.commit)).toSorted()).toEqual(["first", "mine", "second", "theirs"]);
    },
  ],
  [
    "300 notes by git fast-import and 20 by us in one tree: readable by both",
    async () => {
      const space = await saidAndDone();
      const commits: Oid[] = [];
      for (let i = 0, parent = space.commit; i < 320; i++) {
        parent = await space.repo.build(
          {
            parents: [parent],
            edits: [],
            author: { name: "a", email: "a@b", at: i },
            committer: { name: "a", email: "a@b", at: i },
            message: `c${i}`,
          },
          { durable: "with-move" },
        );
        commits.push(parent);
      }
      await space.repo.move([{ ref: "refs/heads/many", from: undefined, to: commits.at(-1)! }]);
      importNotes(space, commits.slice(0, 300));
      for (const commit of commits.slice(300)) await attachTrace(space, { commit, agent: "scout", entries: [] });
      expect(space.git("notes", "--ref=trace", "list").split("\n")).toHaveLength(321);
      const ours = await Promise.all(commits.map((commit) => space.repo.annotation(TRACE_REF, commit)));
      expect([
        ours.filter((note) => note !== undefined).length,
        space.git("fsck", "--no-dangling"),
        space.git("rev-parse", sessionBranch("scout")),
      ]).toEqual([320, "", space.commit]);
    },
  ],
];
