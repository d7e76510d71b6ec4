import { z } from "zod";
import { auditRecord } from "../../domain/audit-record.ts";
import { why } from "../../garden/why/why.ts";
import { AUDIT, isAuditKey, readRecord } from "../event-feed.ts";
import { route } from "../route.ts";
import { page, text } from "../shapes.ts";

const PAGE = 100;

export const auditRoute = route({
  method: "GET",
  path: "/audit",
  summary: {
    en: "what happened, oldest first; `after` is the `next` of the page before, or a day such as 2026-02-14",
    uk: "що сталося, від найдавнішого; `after` — це `next` попередньої сторінки або день, наприклад 2026-02-14",
  },
  allows: ["owner"],
  rate: "read",
  query: z.strictObject({
    ...page,
    after: z
      .string()
      .refine((value) => isAuditKey(value) || z.iso.date().safeParse(value).success, { error: "after" })
      .optional(),
  }),
  answer: z.object({
    records: z.array(z.object({ key: z.string(), record: auditRecord })),
    next: z.string().optional(),
  }),
  async handle({ garden: { store }, query: { after, limit } }) {
    const from = after === undefined || isAuditKey(after) ? after : `audit/${after.slice(0, 7)}/${after.slice(8)}`;
    const listed = await store.list(AUDIT, { limit, ...(from !== undefined && { after: from }) });
    const records = [];
    for (let at = 0; at < listed.entries.length; at += PAGE) {
      const part = listed.entries.slice(at, at + PAGE);
      const read = await Promise.all(part.map(async ({ key }) => ({ key, record: await readRecord(store, key) })));
      records.push(...read.filter(({ record }) => record !== undefined));
    }
    return { records, ...(listed.next !== undefined && { next: listed.entries.at(-1)?.key ?? listed.next }) };
  },
});

const link = z.object({
  kind: z.string(),
  id: z.string(),
  where: z.string(),
  direction: z.enum(["subject", "because", "led-to"]),
  depth: z.int(),
  what: text,
  at: z.string().optional(),
  by: z.string().optional(),
  remarks: z.array(text),
  problems: z.array(text),
});

export const whyRoute = route({
  method: "GET",
  path: "/audit/why",
  summary: {
    en: "why something is so, and what came of it: a commit, a path or path:line, a proposal, a run (P-11)",
    uk: "чому щось саме таке і що з цього вийшло: коміт, шлях або шлях:рядок, пропозиція, запуск (P-11)",
  },
  allows: ["owner"],
  rate: "read",
  query: z.strictObject({ subject: z.string().min(1).max(1000) }),
  answer: z.object({
    subject: z.object({ kind: z.string(), asked: z.string(), id: z.string() }),
    links: z.array(link),
    missing: z.array(z.object({ link: z.string(), id: z.string(), where: z.string(), why: text })),
  }),
  handle: ({ garden, query }) => why(garden, query.subject),
});
