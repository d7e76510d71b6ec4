import { Readable } from "node:stream";
import { z } from "zod";
import { auditKinds, auditRecord } from "../../domain/audit-record.ts";
import { streamAuditBundle } from "../../garden/federation/audit/audit-bundle.ts";
import { findAudit, isAuditKey, listAudit } from "../../garden/insight/audit-log.ts";
import { explain } from "../../garden/insight/why/explain.ts";
import { noNote } from "../../garden/records/notes/read-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { type Route, route } from "../route.ts";
import { commitId, pageQuery, textShape } from "../shapes.ts";

const link = z.object({
  kind: z.string(),
  id: z.string(),
  where: z.string(),
  direction: z.enum(["subject", "because", "led-to"]),
  depth: z.int(),
  what: textShape,
  at: z.string().optional(),
  by: z.string().optional(),
  /** The commit that contains this contract for the first time; `by` is its author. Only for contracts. */
  commit: z.string().optional(),
  remarks: z.array(textShape),
  problems: z.array(textShape),
});

export const auditRoutes: readonly Route[] = [
  route("GET /audit", {
    summary: {
      en: "audit records, oldest first; `after` is the `next` of the page before, or a day such as 2026-02-14; with `last=true` the newest ones, and `left_out` says that there are older ones",
      uk: "що сталося, від найдавнішого; `after` — це `next` попередньої сторінки або день, наприклад 2026-02-14; з `last=true` — останнє з цього, а `left_out` каже, що раніше було ще",
    },
    allows: ["owner"],
    query: z.strictObject({
      ...pageQuery,
      after: z
        .string()
        .refine((value) => isAuditKey(value) || z.iso.date().safeParse(value).success, { error: "after" })
        .optional(),
      last: z.enum(["true", "false"], { error: "boolean" }).default("false"),
      /** With one of these, the newest records that match. */
      kind: z.enum(auditKinds).optional(),
      by: z.string().max(200).optional(),
      subject: z.string().max(200).optional(),
    }),
    answer: z.object({
      records: z.array(z.object({ key: z.string(), record: auditRecord })),
      next: z.string().optional(),
      left_out: z.literal(true).optional(),
    }),
    handle: ({ garden, query: { after, limit, last, kind, by, subject } }) =>
      kind === undefined && by === undefined && subject === undefined
        ? listAudit(garden.store, { after, limit, last: last === "true" })
        : findAudit(garden.store, { kind, by, subject, after: after?.startsWith("audit/") ? undefined : after, limit }),
  }),
  route("GET /audit/bundle", {
    summary: {
      en: "commits with the records behind them as one file that anybody can check offline; those after `from`, up to `to`",
      uk: "коміти із записами, що за ними стоять, одним файлом, який кожен перевірить без мережі; після `from`, до `to`",
    },
    allows: ["owner"],
    query: z.strictObject({ from: commitId.optional(), to: commitId.optional() }),
    answer: "application/octet-stream",
    async handle({ garden, query }) {
      const bytes = streamAuditBundle(garden, query);
      const first = await bytes.next(); // a range that is wrong is an error, not the end of a download
      const all = async function* () {
        if (first.done !== true) yield first.value;
        yield* bytes;
      };
      return new Response(Readable.toWeb(Readable.from(all())) as ReadableStream, {
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Disposition": 'attachment; filename="audit.bundle"',
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": "private, no-store",
        },
      });
    },
  }),
  route("GET /audit/why", {
    summary: {
      en: "causes and results of a commit, a path or path:line, a proposal or a run (P-11); an agent asks about the notes that it sees",
      uk: "чому щось саме таке і що з цього вийшло: коміт, шлях або шлях:рядок, пропозиція, запуск (P-11); агент питає про нотатки, які бачить",
    },
    allows: ["owner", "agent"],
    query: z.strictObject({ subject: z.string().min(1).max(1000) }),
    answer: z.object({
      subject: z.object({ kind: z.string(), asked: z.string(), id: z.string() }),
      links: z.array(link),
      missing: z.array(z.object({ link: z.string(), id: z.string(), where: z.string(), why: textShape })),
    }),
    async handle({ garden, query: { subject }, identity }) {
      const path = subject.replace(/:\d+$/, "");
      if (identity.type === "agent" && !(await visibleNotes(garden, identity))(path)) throw noNote(path);
      return explain(garden, subject);
    },
  }),
];
