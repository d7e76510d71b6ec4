import { z } from "zod";
import { isSessionRef } from "../../domain/federation/peer-origin.ts";
import { isOid } from "../../domain/git/git-names.ts";
import { slugField } from "../../domain/identity.ts";
import { listKinds, takeKind } from "../../garden/federation/peer-kinds.ts";
import { registerKind } from "../../garden/sessions/kind-library.ts";
import { reviewSession, reviewsOf } from "../../garden/sessions/review-session.ts";
import { sessionCommitFiles, sessionCommitSizes } from "../../garden/sessions/session-files.ts";
import { sessionGraph } from "../../garden/sessions/session-graph.ts";
import { sessionConflicts } from "../../garden/sessions/shown-conflicts.ts";
import { pendingTrace } from "../../garden/sessions/trace-buffer.ts";
import { type Route, route } from "../route.ts";
import {
  consoleEntry,
  sessionCommit,
  sessionFilesShape,
  sessionReview,
  sessionSizesShape,
  shownConflict,
} from "../session-shapes.ts";

const sessionRef = z.string().max(127).refine(isSessionRef, "slug");
const named = z.strictObject({ name: slugField });
const oid = z.string().refine(isOid);
const ofCommit = z.strictObject({ name: slugField, commit: oid });
const kindText = z.string().min(1).max(63);
const listedKind = z.object({
  name: z.string(),
  parent: z.string().nullable(),
  id: z.string().nullable(),
  garden: z.string().nullable(),
});
const graphCommit = sessionCommit.extend({ parents: z.array(z.string()) });
/** Sessions in one graph: more would not be readable. */
const MOST_LANES = 60;
/** Entries shown of those that no commit has yet. */
const MOST_PENDING = 200;

/** The parts of a session that its page shows: branches over time, files and traces of a commit, entries without a commit. */
export const sessionPartRoutes: readonly Route[] = [
  route("GET /session-kinds", {
    summary: {
      en: "kinds of commits and objects, with the kind above and the federated id; also those of followed gardens, or of one (S-1, S-10)",
      uk: "види комітів та об'єктів, вид над кожним і спільний для садів ідентифікатор; також види садів, за якими стежать, або одного з них (S-1, S-10)",
    },
    allows: ["owner"],
    query: z.strictObject({ from: slugField.optional() }),
    answer: z.object({ kinds: z.array(listedKind) }),
    handle: async ({ garden, query: { from } }) => ({ kinds: await listKinds(garden.repo, from) }),
  }),
  route("POST /session-kinds", {
    summary: {
      en: "registers a kind below another one, or one of a followed garden as it is there, for good (S-1, S-10)",
      uk: "реєструє вид під іншим або вид саду, за яким стежать, яким він там є, назавжди (S-1, S-10)",
    },
    allows: ["owner"],
    status: 201,
    body: z.union([
      z.strictObject({ name: kindText, parent: kindText }),
      z.strictObject({ name: kindText, from: slugField }),
    ]),
    answer: z.object({ name: z.string(), parent: z.string() }),
    async handle({ garden, body }) {
      if ("from" in body) return takeKind(garden, body.from, body.name);
      await registerKind(garden, body);
      return body;
    },
  }),
  route("GET /session-reviews", {
    summary: {
      en: "the reviews of a session of this garden or another one (`alice/scout`), newest first (S-4)",
      uk: "огляди сесії цього або іншого саду (`alice/scout`), найновіші перші (S-4)",
    },
    allows: ["owner"],
    query: z.strictObject({ session: sessionRef }),
    answer: z.object({ reviews: z.array(sessionReview) }),
    handle: async ({ garden, query: { session } }) => ({ reviews: await reviewsOf(garden.repo, session) }),
  }),
  route("POST /session-reviews", {
    summary: {
      en: "reviews the work of a session of this garden or another one at its newest commit; merges nothing (S-4)",
      uk: "оглядає роботу сесії цього або іншого саду на її найновішому коміті; нічого не зливає (S-4)",
    },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({
      session: sessionRef,
      outcome: z.enum(["good", "changes", "comment"]),
      text: z.string().min(1).max(20_000),
    }),
    answer: sessionReview,
    handle: ({ garden, body, identity }) => reviewSession(garden, body, identity),
  }),
  route("GET /session-graph", {
    summary: {
      en: "branches of some sessions (names with commas) over time, and main's commits meanwhile (S-4)",
      uk: "гілки кількох сесій (назви через кому) в часі й коміти main за цей час (S-4)",
    },
    allows: ["owner"],
    query: z.strictObject({
      names: z
        .string()
        .transform((names) => names.split(","))
        .pipe(z.array(slugField).max(MOST_LANES)),
    }),
    answer: z.object({
      main: z.array(graphCommit),
      lanes: z.array(
        z.object({
          name: z.string(),
          goal: z.string().nullable(),
          from: z.string().nullable(),
          commits: z.array(graphCommit),
          left_out: z.int(),
        }),
      ),
    }),
    handle: ({ garden, query: { names } }) => sessionGraph(garden.repo, names),
  }),
  route("GET /sessions/:name/changes", {
    summary: {
      en: "how many files and lines each of the newest 200 commits of a session changed",
      uk: "скільки файлів і рядків змінив кожен із 200 найновіших комітів сесії",
    },
    allows: ["owner"],
    params: named,
    answer: sessionSizesShape,
    handle: async ({ garden, params: { name } }) => ({ changes: await sessionCommitSizes(garden.repo, name) }),
  }),
  route("GET /sessions/:name/conflicts", {
    summary: {
      en: "files that merging another session (`from`) into this one would conflict in, whole and with markers (S-5)",
      uk: "файли, у яких злиття іншої сесії (`from`) у цю матиме розбіжності, цілі й з позначками (S-5)",
    },
    allows: ["owner"],
    params: named,
    query: z.strictObject({ from: slugField }),
    answer: z.object({ ours: z.string(), theirs: z.string(), conflicts: z.array(shownConflict) }),
    handle: ({ garden, params: { name }, query: { from } }) => sessionConflicts(garden, name, from),
  }),
  route("GET /sessions/:name/pending", {
    summary: {
      en: "what a session has recorded since its last commit on this machine, newest 200 entries (S-6)",
      uk: "що сесія записала після останнього коміту на цій машині, найновіші 200 записів (S-6)",
    },
    allows: ["owner"],
    params: named,
    answer: z.object({ entries: z.array(consoleEntry), count: z.int() }),
    async handle({ garden, params: { name } }) {
      const { entries, skipped } = await pendingTrace(garden, name);
      return { entries: entries.slice(-MOST_PENDING), count: entries.length + skipped.entries };
    },
  }),
  route("GET /sessions/:name/commits/:commit", {
    summary: {
      en: "a commit of a session with its files, each as a diff",
      uk: "коміт сесії з його файлами, кожен як різниця",
    },
    allows: ["owner"],
    params: ofCommit,
    answer: sessionFilesShape,
    handle: ({ garden, params: { name, commit } }) => sessionCommitFiles(garden.repo, name, commit),
  }),
];
