import { z } from "zod";
import { isSessionRef } from "../../domain/federation/peer-origin.ts";
import { slugField } from "../../domain/identity.ts";
import { adoptSession } from "../../garden/sessions/adopt-session.ts";
import { archiveSession, deleteArchived, listArchived, restoreSession } from "../../garden/sessions/archive-session.ts";
import { headMoved } from "../../garden/sessions/failures.ts";
import { mergeSession, type SessionMerged } from "../../garden/sessions/merge-session.ts";
import { resolveConflicts } from "../../garden/sessions/resolve-conflicts.ts";
import { startSession } from "../../garden/sessions/start-session.ts";
import { type Route, route } from "../route.ts";
import { sessionCommit } from "../session-shapes.ts";
import { textShape } from "../shapes.ts";

const MOST_FILES = 2000;
/** A session of this garden, or of another one: `alice/scout`. */
const sessionRef = z.string().max(127).refine(isSessionRef, "slug");
const nameParams = z.strictObject({ name: slugField });
const commitId = z.string().regex(/^[0-9a-f]{40}$/, { error: "commit" });

const mergeAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("merged"), commit: z.string() }),
  z.object({ kind: z.literal("up-to-date") }),
  z.object({
    kind: z.literal("conflicts"),
    ours: z.string(),
    theirs: z.string(),
    conflicts: z.array(
      z.object({
        path: z.string(),
        why: textShape,
        hunks: z.array(z.object({ line: z.int(), ours: z.string(), theirs: z.string() })),
      }),
    ),
  }),
]);

const archivedAnswer = z.object({ name: z.string(), head: z.string(), dossier: z.string().optional() });

const landed = (into: string, merged: SessionMerged): z.input<typeof mergeAnswer> => {
  if (merged.kind === "conflict") throw headMoved(into);
  return merged as z.input<typeof mergeAnswer>;
};

/** Sessions as branches: what changes them. None of these moves main: that takes an approved proposal. */
export const sessionChangeRoutes: readonly Route[] = [
  route("POST /sessions", {
    summary: {
      en: "starts a session on its own branch: at main, where another session is (`from`), at a commit (`at`), or `empty` (S-2)",
      uk: "починає сесію на власній гілці: від main, від іншої сесії (`from`), від коміту (`at`) або без файлів (`empty`) (S-2)",
    },
    allows: ["owner"],
    body: z.strictObject({
      name: slugField,
      goal: z.string().min(1).max(20_000),
      from: sessionRef.optional(),
      at: z.string().min(4).max(40).optional(),
      empty: z.boolean().optional(),
    }),
    answer: z.object({ name: z.string(), commit: z.string(), briefing: z.string() }),
    status: 201,
    handle: ({ garden, body }) => startSession(garden, body),
  }),
  route("POST /sessions/:name/merge", {
    summary: {
      en: "merges another session (`from`) into this one; where both changed the same lines nothing is written, and the conflicts are named (S-5)",
      uk: "зливає іншу сесію (`from`) у цю; де обидві змінили ті самі рядки, нічого не записано, а розбіжності названо (S-5)",
    },
    allows: ["owner"],
    params: nameParams,
    body: z.strictObject({ from: sessionRef }),
    answer: mergeAnswer,
    handle: async ({ garden, params: { name }, body: { from } }) =>
      landed(name, await mergeSession(garden, { into: name, from })),
  }),
  route("POST /sessions/:name/resolve", {
    summary: {
      en: "concludes a merge with a text for every path in conflict; `null` removes the file. `ours` and `theirs` are the heads that were shown (S-5)",
      uk: "завершує злиття текстом для кожного шляху з розбіжностями; `null` видаляє файл. `ours` і `theirs` — показані коміти (S-5)",
    },
    allows: ["owner"],
    bodySize: "submission",
    params: nameParams,
    body: z.strictObject({
      from: sessionRef,
      ours: commitId,
      theirs: commitId,
      files: z
        .array(z.strictObject({ path: z.string().min(1).max(4096), text: z.string().nullable() }))
        .max(MOST_FILES),
    }),
    answer: mergeAnswer,
    handle: async ({ garden, params: { name }, body: { files, ...heads } }) =>
      resolveConflicts(garden, {
        into: name,
        ...heads,
        files: new Map(files.map(({ path, text }) => [path, text === null ? undefined : Buffer.from(text)])),
      }),
  }),
  route("POST /sessions/:name/adopt", {
    summary: {
      en: "takes a branch up again that a person made, worked on or rewrote: dossier, spawn commit and traces are put right (S-2, S-6)",
      uk: "бере гілку, яку людина створила, доповнила чи переписала: виправляє досьє, перший коміт і сліди (S-2, S-6)",
    },
    allows: ["owner"],
    params: nameParams,
    body: z.strictObject({ goal: z.string().min(1).max(20_000).optional() }),
    answer: z.object({
      name: z.string(),
      head: z.string(),
      genesis: z.enum(["kept", "made"]),
      dossier: z.enum(["kept", "made", "repaired"]),
      byHand: z.int(),
      rebound: z.object({
        bound: z.array(z.object({ commit: z.string(), from: z.array(z.string()) })),
        orphans: z.array(z.string()),
      }),
    }),
    handle: ({ garden, params: { name }, body: { goal } }) => adoptSession(garden, { name, goal }),
  }),
  route("GET /session-archive", {
    summary: { en: "sessions that were put away, by name (S-2)", uk: "відкладені сесії за назвою (S-2)" },
    allows: ["owner"],
    answer: z.object({ sessions: z.array(z.object({ name: z.string(), head: sessionCommit })) }),
    handle: async ({ garden }) => ({ sessions: await listArchived(garden.repo) }),
  }),
  route("POST /sessions/:name/archive", {
    summary: {
      en: "puts a session away: out of the branches, with its commits, briefing and traces kept (S-2)",
      uk: "відкладає сесію: прибирає з гілок, зберігає коміти, завдання і сліди (S-2)",
    },
    allows: ["owner"],
    params: nameParams,
    answer: archivedAnswer,
    handle: ({ garden, params: { name } }) => archiveSession(garden, name),
  }),
  route("POST /sessions/:name/restore", {
    summary: {
      en: "brings a session back from the archive; `at` tells which one, if the name was put away more than once (S-2)",
      uk: "повертає сесію з архіву; `at` каже котру, якщо назву відкладали не раз (S-2)",
    },
    allows: ["owner"],
    params: nameParams,
    body: z.strictObject({ at: z.string().min(4).max(40).optional() }),
    answer: archivedAnswer,
    handle: ({ garden, params: { name }, body: { at } }) => restoreSession(garden, name, at),
  }),
  route("DELETE /session-archive/:name", {
    summary: {
      en: "deletes a session that is in the archive, for good; its edges go too (S-2)",
      uk: "остаточно видаляє відкладену сесію разом із її зв'язками (S-2)",
    },
    allows: ["owner"],
    params: nameParams,
    query: z.strictObject({ at: z.string().min(4).max(40).optional() }),
    answer: archivedAnswer,
    handle: ({ garden, params: { name }, query: { at } }) => deleteArchived(garden, name, at),
  }),
];
