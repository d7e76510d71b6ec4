import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { contractKey, MAIN_REF } from "../../../../domain/layout.ts";
import { joinDiagrams } from "../../../../drakon/diagram/called-diagrams.ts";
import type { Garden } from "../../../core/garden.ts";
import { commitHandEdits } from "../../../records/agents/commit-agent-files.ts";
import { agent, drawn } from "../../../records/logic/testing/agent.ts";
import { commitSession } from "../../../sessions/commit-session.ts";
import { spawnSessionAt } from "../../../sessions/spawn-session.ts";

type Asked = { readonly action: string; readonly payload: object };

/** One kind of change for the crash matrix: the garden before, the wish, and the file that shows that it was applied once. */
export interface Scenario {
  readonly name: string;
  /** The owner's wish. */
  readonly wish: (garden: Garden) => Promise<Asked>;
  /** An edit by hand before it is applied. */
  readonly meanwhile?: (dir: string) => void;
  /** A file of the work tree, or `store:<key>`, with its content before and after. */
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string | undefined | RegExp;
  readonly ends: "applied" | "failed";
}

export const NOTE = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join("");
const note = (path: string, text: string): Asked => ({ action: "propose-note", payload: { path, text } });
const edit = (path: string, text: string): Asked => ({ action: "propose-edit", payload: { path, text } });
const artifact = (text: string, replaces?: string): Asked => ({
  action: "propose-artifact",
  payload: { agent: "archivist", name: "digest.md", text, ...(replaces !== undefined && { replaces }) },
});
const DIGEST = "store:agents/archivist/artifacts/digest.md";

export const scenarios: readonly Scenario[] = [
  {
    name: "propose-note",
    wish: async () => note("notes/new.md", "New.\n"),
    target: "notes/new.md",
    before: undefined,
    after: "New.\n",
    ends: "applied",
  },
  {
    name: "propose-edit",
    wish: async () => edit("notes/a.md", NOTE.replace("line 3", "three")),
    target: "notes/a.md",
    before: NOTE,
    after: NOTE.replace("line 3", "three"),
    ends: "applied",
  },
  {
    name: "propose-edit, the note being edited by hand",
    wish: async () => edit("notes/b.md", "B\nmore\n"),
    meanwhile: (dir) => writeFileSync(join(dir, "notes/b.md"), "mine\n"),
    target: "notes/b.md",
    before: "mine\n",
    after: "mine\n",
    ends: "failed",
  },
  {
    name: "propose-edit, removing",
    wish: async () => ({ action: "propose-edit", payload: { path: "notes/b.md", remove: true } }),
    target: "notes/b.md",
    before: "B\n",
    after: undefined,
    ends: "applied",
  },
  {
    name: "propose-tag",
    wish: async () => ({ action: "propose-tag", payload: { path: "notes/b.md", add: ["x"], remove: [] } }),
    target: "notes/b.md",
    before: "B\n",
    after: "---\ntags: [x]\n---\nB\n",
    ends: "applied",
  },
  {
    name: "propose-comment",
    wish: async () => ({ action: "propose-comment", payload: { note: "notes/b.md", text: "Why?" } }),
    target: "store:comments/notes/b.md/ID.json",
    before: undefined,
    after: /"text": "Why\?"/,
    ends: "applied",
  },
  {
    name: "propose-summary, a section",
    wish: async () => ({
      action: "propose-summary",
      payload: { note: "notes/b.md", text: "Short.", citations: [], into: { kind: "section", heading: "Summary" } },
    }),
    target: "notes/b.md",
    before: "B\n",
    after: "B\n\n## Summary\n\nShort.\n",
    ends: "applied",
  },
  {
    name: "propose-summary, an artifact",
    wish: async () => ({
      action: "propose-summary",
      payload: {
        note: "notes/b.md",
        text: "Short.",
        citations: [],
        into: { kind: "artifact", agent: "archivist", name: "sum.md" },
      },
    }),
    target: "store:agents/archivist/artifacts/sum.md",
    before: undefined,
    after: "Short.\n",
    ends: "applied",
  },
  {
    name: "propose-artifact",
    wish: async () => artifact("one\n"),
    target: DIGEST,
    before: undefined,
    after: "one\n",
    ends: "applied",
  },
  {
    name: "propose-artifact, replacing",
    wish: async ({ store }) => {
      const made = await store.create(DIGEST.slice("store:".length), Buffer.from("one\n"));
      return artifact("two\n", made.kind === "created" ? made.hash : "");
    },
    target: DIGEST,
    before: "one\n",
    after: "two\n",
    ends: "applied",
  },
  {
    name: "propose-merge",
    wish: async (garden) => {
      const at = (await garden.repo.resolve(MAIN_REF))!;
      const spawned = await spawnSessionAt(garden, at, { name: "tidy", briefing: { goal: "Tidy" } });
      if (spawned.kind !== "spawned") throw new Error(spawned.kind);
      const edits = [
        { path: "notes/a.md", bytes: undefined },
        { path: "notes/b.md", bytes: Buffer.from("B\nmore\n") },
      ];
      await commitSession(garden, "tidy", {
        expect: spawned.commit,
        kind: "refactor",
        message: "Tidy",
        tree: { edits },
      });
      return { action: "propose-merge", payload: { session: "tidy" } };
    },
    target: "notes/b.md",
    before: "B\n",
    after: "B\nmore\n",
    ends: "applied",
  },
  {
    name: "memory-update",
    wish: async () => ({
      action: "memory-update",
      payload: {
        agent: "archivist",
        expectedVersion: 0,
        priority: "normal",
        operations: [
          { op: "replace", file: "snapshot.md", text: "Calm.\n" },
          { op: "observe", text: "it rained" },
        ],
      },
    }),
    target: "store:agents/archivist/memory/observations.jsonl",
    before: undefined,
    after: /^\{[^\n]*it rained[^\n]*\}\n$/,
    ends: "applied",
  },
  {
    name: "logic-update",
    wish: async () => ({
      action: "logic-update",
      payload: {
        agent: "archivist",
        diagram: drawn("Прочитати нотатки"),
        rationale: { problem: "first", evidenceRuns: [] },
        requiresHumanReview: true,
      },
    }),
    target: "store:agents/archivist/pseudocode.md",
    before: undefined,
    after: /Прочитати нотатки/,
    ends: "applied",
  },
  {
    name: "a called diagram, by logic-update",
    wish: async () => ({
      action: "logic-update",
      payload: {
        agent: "archivist",
        diagram: joinDiagrams({
          main: drawn("ВИКЛИКАТИ перевірка"),
          called: new Map([["перевірка.drakon.json", drawn("Перевірити теги")]]),
        }),
        rationale: { problem: "first", evidenceRuns: [] },
        requiresHumanReview: true,
      },
    }),
    target: "store:agents/archivist/drakon/перевірка.drakon.json",
    before: undefined,
    after: /Перевірити теги/,
    ends: "applied",
  },
];

export const scenarioNotes = { "notes/a.md": NOTE, "notes/b.md": "B\n" };

/** The agent of some scenarios. */
export async function scenarioGround(garden: Garden): Promise<void> {
  await agent(garden, "archivist");
  await commitHandEdits(garden, "archivist");
  if (!(await garden.store.get(contractKey("archivist"))) || !(await garden.repo.resolve(MAIN_REF)))
    throw new Error("no ground");
}
