import { z } from "zod";
import { proposalStates } from "../../domain/proposal/proposal-state.ts";
import { importKv, type KvImport, kvOutcomes, planKvImport } from "../../garden/life/legacy/import-kv.ts";
import { listLegacy, showLegacy } from "../../garden/life/legacy/read-legacy.ts";
import { type Route, route } from "../route.ts";
import { pageQuery, textShape } from "../shapes.ts";

const count = z.int().nonnegative();
const reportShape = z.object({
  digest: z.string(),
  counts: z.object({ imported: count, kept: count, left: count, earlier: count, refused: count }),
  records: z.array(
    z.object({
      key: z.string(),
      at: z.int(),
      outcome: z.enum(kvOutcomes),
      why: textShape,
      note: z.string().optional(),
      proposal: z.string().optional(),
    }),
  ),
  backup: z.string().optional(),
  until: z.string().optional(),
});

const cardShape = z.object({
  kind: z.enum(["proposal", "zone"]),
  id: z.string(),
  name: z.string(),
  guest: z.string().optional(),
  status: z.enum(["pending", "accepted", "rejected"]).optional(),
  created_at: z.string(),
  reviewed_at: z.string().optional(),
  expires_at: z.string().optional(),
  imported_at: z.string(),
  until: z.string(),
  now: z.enum(["kept", "refused", "open", "pending", "decided"]),
  proposal: z.string().optional(),
});

const dump = z.string().min(1);
const lines = (report: KvImport): z.input<typeof reportShape> => ({ ...report, records: [...report.records] });

/** I-2: records of the earlier system come in after a report, and are read beside the new ones for a week. */
export const legacyRoutes: readonly Route[] = [
  route("POST /imports/kv/check", {
    summary: {
      en: "reads a dump of the key-value store of the earlier system and reports on each record; changes nothing. `digest` confirms the report (I-2)",
      uk: "читає дамп сховища «ключ — значення» попередньої системи й звітує про кожен запис; нічого не змінює. `digest` підтверджує звіт (I-2)",
    },
    allows: ["owner"],
    rate: "read",
    bodySize: "submission",
    body: z.strictObject({ dump }),
    answer: reportShape,
    handle: async ({ garden, body }) => lines(await planKvImport(garden, Buffer.from(body.dump))),
  }),
  route("POST /imports/kv", {
    summary: {
      en: "imports the records of a report that the owner has seen (`digest`), after a backup; a repetition doubles nothing (I-2)",
      uk: "імпортує записи зі звіту, який бачив власник (`digest`), після резервної копії; повторення нічого не подвоює (I-2)",
    },
    allows: ["owner"],
    bodySize: "submission",
    body: z.strictObject({ dump, digest: z.string().max(100) }),
    status: 201,
    answer: reportShape,
    handle: async ({ garden, body, identity }) =>
      lines(await importKv(garden, Buffer.from(body.dump), identity, body.digest)),
  }),
  route("GET /legacy", {
    summary: {
      en: "imported records of the earlier system beside what they became; read-only (I-2)",
      uk: "імпортовані записи попередньої системи поруч із тим, чим вони стали; лише читання (I-2)",
    },
    allows: ["owner"],
    query: z.strictObject(pageQuery),
    answer: z.object({ records: z.array(cardShape), next: z.string().optional() }),
    async handle({ garden, query }) {
      const { records, next } = await listLegacy(garden, query);
      return { records: [...records], ...(next !== undefined && { next }) };
    },
  }),
  route("GET /legacy/:id", {
    summary: {
      en: "one imported record in full, with what it became and whether the texts agree; texts until the end of the parallel reading (I-2)",
      uk: "один імпортований запис цілком, чим він став і чи збігаються тексти; тексти — до кінця паралельного читання (I-2)",
    },
    allows: ["owner"],
    params: z.strictObject({ id: z.string().max(100) }),
    answer: z.object({
      record: cardShape,
      /** The record of the earlier system, without access codes. */
      old: z.record(z.string(), z.json()),
      text: z.enum(["same", "merged", "none"]),
      status: z.enum(proposalStates).optional(),
      why: textShape.optional(),
    }),
    async handle({ garden, params }) {
      const { card, record, answer, text } = await showLegacy(garden, params.id);
      return {
        record: card,
        old: JSON.parse(JSON.stringify(record.old)) as Record<string, z.core.util.JSONType>,
        text,
        ...(answer.kind === "proposal" && { status: answer.status }),
        ...(answer.kind === "refused" && { why: answer.why }),
      };
    },
  }),
];
