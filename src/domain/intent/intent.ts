import { z } from "zod";
import { repoPathProblem } from "../git/git-names.ts";
import { isPlainTag } from "../note/plain-tag.ts";
import type { Action } from "../proposal/action.ts";
import { memoryOperation } from "../proposal/operation.ts";
import { type CheckedFields, checkFields, type FieldProblem } from "../text/checked-fields.ts";
import { group } from "../text/checked-yaml.ts";
import { across, agentNames, either, line, oid, oneOf, slug, text, theAgent } from "./intent-fields.ts";
import { logicRollbackWish, logicUpdateWish } from "./intent-logic.ts";
import { intentExpectations } from "./intent-words.ts";

/**
 * Payloads of senders (P-4a), parsed strictly: all problems at once, unknown fields with a suggestion. Later steps
 * turn it into an `Operation`: a title gets its path, a diff is applied to its base.
 */
const path = z
  .string("path")
  .max(1000, "path")
  .refine((value) => repoPathProblem(value) === undefined, "path");
const tag = z.string("tag").refine(isPlainTag, "tag");
const tags = z.array(tag, "tags").max(100, "tags");
const lineNumber = z.int("count").positive("count");
const priority = z.enum(["normal", "high"], "priority");
const citation = group({ source: line, quote: text.optional(), line: lineNumber.optional() });

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const added = (fields: Readonly<Record<string, unknown>>): readonly unknown[] => [
  ...listIn(fields["add"]),
  ...listIn(fields["tags"]),
];

const wishes = {
  "propose-note": group({ path: path.optional(), title: line.optional(), folder: path.optional(), text }).refine(
    ...either("path", "title", "path-or-title"),
  ),
  "propose-edit": group({
    path,
    diff: text.optional(),
    text: text.optional(),
    /** Deletes the note; for the owner only. */
    remove: z.literal(true, "remove").optional(),
    /** The commit that the sender read; later changes are merged. Default: the current main. */
    base: oid("commit").optional(),
  }).refine(...oneOf(["diff", "text", "remove"], "diff-or-text")),
  "propose-tag": group({ path, add: tags.optional(), remove: tags.optional(), tags: tags.optional() })
    .refine(...across((fields) => [...added(fields), ...listIn(fields["remove"])].length > 0, "some-tags", "add"))
    .refine(
      ...across(
        (fields) => !added(fields).some((each) => listIn(fields["remove"]).includes(each)),
        "same-tag",
        "remove",
      ),
    )
    .transform(({ path: note, add, remove, tags: more }) => ({
      path: note,
      add: unique([...(add ?? []), ...(more ?? [])]),
      remove: unique(remove ?? []),
    })),
  "propose-comment": group({
    note: path,
    text: text.optional(),
    line: lineNumber.optional(),
    /** Deletes the comment that this proposal made; for the owner only. */
    removes: line.optional(),
  })
    .refine(...oneOf(["text", "removes"], "text-or-removes"))
    .transform((wish) => ({ ...wish, text: wish.text ?? "" })),
  "propose-summary": group({
    note: path,
    text,
    citations: z.array(citation, "citations").max(200, "citations").default([]),
    into: z
      .discriminatedUnion(
        "kind",
        [
          group({ kind: z.literal("artifact"), agent: slug.optional(), name: line.optional() }),
          group({ kind: z.literal("section"), heading: line.optional() }),
        ],
        "into",
      )
      .optional(),
  }),
  "propose-artifact": group({
    agent: slug.optional(),
    name: line,
    type: line.optional(),
    text: text.optional(),
    base64: z.base64("base64").optional(),
    replaces: oid("hash").optional(),
    /** Deletes the object that `replaces` names; for the owner only. */
    remove: z.literal(true, "remove").optional(),
  }).refine(...oneOf(["text", "base64", "remove"], "text-or-base64")),
  "memory-update": group({
    ...agentNames,
    operations: z.array(memoryOperation, "operations").min(1, "operations").max(100, "operations"),
    expectedVersion: z.int("number").nonnegative("number"),
    priority: priority.default("normal"),
  })
    .refine(...theAgent.once)
    .transform(theAgent.take),
  "logic-update": logicUpdateWish,
  "logic-rollback": logicRollbackWish,
  "propose-merge": group({
    /** The name of the session, or its branch `agents/<name>`. */
    session: line.optional(),
    branch: line.optional(),
    /** Default: the newest commit of the session. */
    head: oid("commit").optional(),
  }).refine(...either("session", "branch", "session-or-branch")),
} as const satisfies Record<Action, z.ZodType>;

/** A parsed wish, before it is checked against the garden. */
export type Intent = { [A in Action]: { readonly action: A; readonly wish: z.output<(typeof wishes)[A]> } }[Action];
export type IntentOf<A extends Action> = Extract<Intent, { action: A }>;

export interface TextLimits {
  readonly noteBytes: number;
  readonly artifactBytes: number;
}

export function readIntent(action: Action, payload: unknown, limits: TextLimits): CheckedFields<Intent> {
  const checked = checkFields<unknown>(payload, wishes[action], intentExpectations);
  if (checked.kind === "problems") return checked;
  const intent = { action, wish: checked.value } as Intent;
  const large = [...tooLarge(intent.wish, "", action === "propose-artifact" ? limits.artifactBytes : limits.noteBytes)];
  return large.length > 0 ? { kind: "problems", problems: large } : { kind: "value", value: intent };
}

/** Every text in a wish above the limit; base64 counts decoded. */
function* tooLarge(value: unknown, field: string, limit: number): Generator<FieldProblem> {
  if (typeof value === "string") {
    const bytes = field === "base64" ? Math.floor((value.length * 3) / 4) : Buffer.byteLength(value);
    if (bytes > limit)
      yield {
        field,
        found: { en: `found ${bytes} bytes`, uk: `знайдено ${bytes} байтів` },
        expected: { en: `at most ${limit} bytes`, uk: `не більше ${limit} байтів` },
      };
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value))
      yield* tooLarge(
        member,
        field === "" ? key : Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`,
        limit,
      );
  }
}

/** The note of a wish, or the folder of a new note; undefined if the wish concerns an agent's folder. */
export function noteOf(intent: Intent, notesRoot: string): string | undefined {
  switch (intent.action) {
    case "propose-note":
      return intent.wish.path ?? intent.wish.folder ?? notesRoot;
    case "propose-edit":
    case "propose-tag":
      return intent.wish.path;
    case "propose-comment":
    case "propose-summary":
      return intent.wish.note;
    default:
      return undefined;
  }
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
