import { z } from "zod";
import { compareUtf8 } from "../../base/order.ts";
import { auditRecord } from "../../domain/audit-record.ts";
import { newestNames } from "../../garden/core/newest-names.ts";
import { explain } from "../../garden/insight/why/why.ts";
import type { Store } from "../../ports/store.ts";
import { AUDIT, isAuditKey, readRecord } from "../event-feed.ts";
import { route } from "../route.ts";
import { pageQuery, textShape } from "../shapes.ts";

const PAGE = 100;

export const auditRoute = route({
  method: "GET",
  path: "/audit",
  summary: {
    en: "what happened, oldest first; `after` is the `next` of the page before, or a day such as 2026-02-14; with `last=true` the last of it, and `left_out` says that there was more before",
    uk: "що сталося, від найдавнішого; `after` — це `next` попередньої сторінки або день, наприклад 2026-02-14; з `last=true` — останнє з цього, а `left_out` каже, що раніше було ще",
  },
  allows: ["owner"],
  rate: "read",
  query: z.strictObject({
    ...pageQuery,
    after: z
      .string()
      .refine((value) => isAuditKey(value) || z.iso.date().safeParse(value).success, { error: "after" })
      .optional(),
    last: z.enum(["true", "false"], { error: "boolean" }).default("false"),
  }),
  answer: z.object({
    records: z.array(z.object({ key: z.string(), record: auditRecord })),
    next: z.string().optional(),
    left_out: z.literal(true).optional(),
  }),
  async handle({ garden: { store }, query: { after, limit, last } }) {
    const from = after === undefined || isAuditKey(after) ? after : `audit/${after.slice(0, 7)}/${after.slice(8)}`;
    if (last === "true") {
      const { found, leftOut } = await lastKeys(store, from, limit);
      return { records: await read(store, found), ...(leftOut && { left_out: true as const }) };
    }
    const listed = await store.list(AUDIT, { limit, ...(from !== undefined && { after: from }) });
    const found = listed.entries.map(({ key }) => key);
    return {
      records: await read(store, found),
      ...(listed.next !== undefined && { next: found.at(-1) ?? listed.next }),
    };
  },
});

/** The last keys behind one, oldest first. It costs what is told, however much happened before. */
async function lastKeys(
  store: Store,
  from: string | undefined,
  limit: number,
): Promise<{ readonly found: string[]; readonly leftOut: boolean }> {
  const found: string[] = [];
  for await (const name of newestNames(store, AUDIT_NAMES)) {
    const key = `${AUDIT}${name}`;
    if (from !== undefined && compareUtf8(key, from) <= 0) break;
    if (found.length === limit) return { found: found.toReversed(), leftOut: true };
    found.push(key);
  }
  return { found: found.toReversed(), leftOut: false };
}

/** `2026-02/14/080000-…`: year and month, day, hour, minute, second. */
const AUDIT_NAMES = { folder: AUDIT, parts: [7, 10, 13, 15, 17], nameOf: (rest: string): string => rest };

async function read(store: Store, found: readonly string[]) {
  const records = [];
  for (let at = 0; at < found.length; at += PAGE) {
    const part = found.slice(at, at + PAGE);
    const some = await Promise.all(part.map(async (key) => ({ key, record: await readRecord(store, key) })));
    records.push(...some.flatMap(({ key, record }) => (record ? [{ key, record }] : [])));
  }
  return records;
}

const link = z.object({
  kind: z.string(),
  id: z.string(),
  where: z.string(),
  direction: z.enum(["subject", "because", "led-to"]),
  depth: z.int(),
  what: textShape,
  at: z.string().optional(),
  by: z.string().optional(),
  remarks: z.array(textShape),
  problems: z.array(textShape),
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
    missing: z.array(z.object({ link: z.string(), id: z.string(), where: z.string(), why: textShape })),
  }),
  handle: ({ garden, query }) => explain(garden, query.subject),
});
