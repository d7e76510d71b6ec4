import { z } from "zod";
import { isSessionRef, type PeerOrigin, peerOrigin } from "../federation/peer-origin.ts";
import { repoPathProblem } from "../git/git-names.ts";
import { slugField } from "../identity.ts";
import { keySegment } from "../store-key.ts";
import { group } from "../text/checked-yaml.ts";
import type { Action } from "./action.ts";

/**
 * Everything a proposal would do: the action and its parsed payload. Apply uses nothing else; the proposer's words
 * beside it are never interpreted. The review is made from this, too (P-10a).
 */
const path = z
  .string()
  .max(1000)
  .refine((text) => repoPathProblem(text) === undefined, "path");
const line = z.string("line").regex(/^[^\u0000-\u001f\u007f]{1,200}$/, "line");
/** Any well-formed text without NUL; its maximum length is a setting (`limits`). */
const text = z.string("text").refine((value) => value.isWellFormed() && !value.includes("\0"), "text");
const tag = z.string().regex(/^[^\s,#[\]{}"'\u0000-\u001f\u007f][^,[\]{}\u0000-\u001f\u007f]{0,99}$/u, "tag");
const citation = z.strictObject({ source: line, quote: text.optional(), line: z.int().positive().optional() });
const runId = z.string().regex(/^[a-z0-9_-]{1,100}$/i, "run");
const version = z.string().regex(/^v\d{3}$/, "version");

const memoryFile = z.enum(["snapshot.md", "facts.md", "open_loops.md", "decisions.md"], "memory-file");
/** A fixed order of keys, so that the same files give the same operation. */
const restoredFile = text.nullable().optional();
const restoredFiles = group({
  "snapshot.md": restoredFile,
  "facts.md": restoredFile,
  "open_loops.md": restoredFile,
  "decisions.md": restoredFile,
  "values.json": restoredFile,
});
export const memoryOperation = z.discriminatedUnion(
  "op",
  [
    group({ op: z.literal("append"), file: memoryFile, section: line.optional(), text }),
    /** Replaces a section, or the whole file if no section is named. */
    group({ op: z.literal("replace"), file: memoryFile, section: line.optional(), text }),
    group({ op: z.literal("close-loop"), loop: line, resolution: text.optional() }),
    /** `write-memory`: an observation of a run, with named values beside it. */
    group({ op: z.literal("observe"), text, values: z.record(line, z.json(), "values").optional() }),
    /** Whole files as they were at a commit or in an archive (`from`), byte by byte; null deletes a file. Needs a person. */
    group({ op: z.literal("restore"), files: restoredFiles, from: line }),
  ],
  "memory-op",
);
export type MemoryOperation = z.infer<typeof memoryOperation>;

/** Source 000 §4.6; `evidence` is an alias of `evidenceRuns` (L-5a). */
export const rationale = z.strictObject({
  problem: text,
  change: text.optional(),
  evidenceRuns: z.array(runId).max(1000).default([]),
  expectedImprovement: text.optional(),
  riskAssessment: text.optional(),
  /** The share of recorded runs, from 0 to 1, for which the recording cannot tell what the change would do. */
  cannotTell: z.number().min(0).max(1).optional(),
});
export type Rationale = z.infer<typeof rationale>;

const payloads = {
  "propose-note": z.strictObject({ path, text }),
  /** `remove` deletes the note (with empty `text`): the owner's revert of a created note. */
  "propose-edit": z.strictObject({ path, text, remove: z.literal(true).optional() }),
  "propose-tag": z.strictObject({ path, add: z.array(tag).max(100), remove: z.array(tag).max(100) }),
  "propose-comment": z.strictObject({
    note: path,
    text,
    line: z.int().positive().optional(),
    /** Deletes the comment that this proposal made (with empty `text`); for reverts. */
    removes: z
      .string()
      .regex(/^prop_[0-9a-z_-]{1,60}$/, "proposal")
      .optional(),
  }),
  "propose-summary": z.strictObject({
    note: path,
    text,
    citations: z.array(citation).max(200),
    /** A file of the agent, or a section of the note itself. */
    into: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("artifact"), agent: slugField, name: line }),
      z.strictObject({ kind: z.literal("section"), heading: line }),
    ]),
  }),
  "propose-artifact": z.strictObject({
    agent: slugField,
    name: line,
    /** Media type, for display. */
    type: line,
    body: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("text"), text }),
      z.strictObject({ kind: z.literal("base64"), base64: z.base64() }),
      /** Deletes the object that `replaces` names. */
      z.strictObject({ kind: z.literal("none") }),
    ]),
    /** The hash of the object that it replaces; without it, an existing name is a conflict. */
    replaces: z.string().optional(),
  }),
  "memory-update": z.strictObject({
    agent: slugField,
    operations: z.array(memoryOperation).min(1).max(100),
    expectedVersion: z.int().nonnegative(),
    priority: z.enum(["normal", "high"]),
  }),
  "logic-update": z.strictObject({
    agent: slugField,
    /** The version that it is based on; undefined for the first version. */
    currentVersion: version.optional(),
    /** The text of a `.drakon.json`; an agent without a diagram versions its pseudocode alone. */
    diagram: text.optional(),
    pseudocode: text.optional(),
    rationale,
    optimizerRunId: runId.optional(),
    requiresHumanReview: z.literal(true),
  }),
  "logic-rollback": z.strictObject({
    agent: slugField,
    currentVersion: version,
    toVersion: version,
    rationale,
    requiresHumanReview: z.literal(true),
  }),
  /** The changes of the session up to `head`, counted from the newest commit that it shares with main (S-11). */
  "propose-merge": z.strictObject({
    /** A session of this garden, or of another one (`alice/scout`). */
    session: z.string().refine(isSessionRef, "slug"),
    head: z.string().regex(/^[0-9a-f]{40}$/),
    /** S-10: the work of other gardens in it. */
    origins: z.array(peerOrigin).min(1).max(100).optional(),
  }),
} as const satisfies Record<Action, z.ZodType>;

const operationOf = <A extends Action>(action: A) =>
  z.strictObject({ action: z.literal(action), payload: payloads[action] });

export const operation = z.discriminatedUnion("action", [
  operationOf("propose-note"),
  operationOf("propose-edit"),
  operationOf("propose-tag"),
  operationOf("propose-comment"),
  operationOf("propose-summary"),
  operationOf("propose-artifact"),
  operationOf("memory-update"),
  operationOf("logic-update"),
  operationOf("logic-rollback"),
  operationOf("propose-merge"),
]);
export type Operation = z.infer<typeof operation>;
export type OperationOf<A extends Action> = Extract<Operation, { action: A }>;
export type Citation = z.infer<typeof citation>;

/** S-10: the work of other gardens that a merge brings. */
export const originsOf = ({ action, payload }: Operation): readonly PeerOrigin[] =>
  action === "propose-merge" ? (payload.origins ?? []) : [];

/** The target of an operation: a path of the repository or a key of the store. */
export function targetOf({ action, payload }: Operation): string {
  switch (action) {
    case "propose-note":
    case "propose-edit":
    case "propose-tag":
      return payload.path;
    case "propose-comment":
      return payload.note;
    case "propose-summary":
      return payload.into.kind === "section" ? payload.note : artifactKey(payload.into.agent, payload.into.name);
    case "propose-artifact":
      return artifactKey(payload.agent, payload.name);
    case "memory-update":
      return `memory/${payload.agent}`;
    case "logic-update":
    case "logic-rollback":
      return `logic/${payload.agent}`;
    case "propose-merge":
      return `agents/${payload.session}`;
  }
}

/** The agent whose folders an operation may change; undefined for operations on notes. */
export function agentOf({ action, payload }: Operation): string | undefined {
  switch (action) {
    case "propose-artifact":
    case "memory-update":
    case "logic-update":
    case "logic-rollback":
      return payload.agent;
    case "propose-summary":
      return payload.into.kind === "artifact" ? payload.into.agent : undefined;
    default:
      return undefined;
  }
}

/** `weekly/digest 7.md` may contain folders; each part becomes a legal segment. */
export const artifactKey = (agent: string, name: string): string =>
  `agents/${agent}/artifacts/${name.split("/").map(keySegment).join("/")}`;
