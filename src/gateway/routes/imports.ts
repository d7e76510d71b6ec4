import { z } from "zod";
import { languages } from "../../base/text.ts";
import { importFormats } from "../../domain/import/import-draft.ts";
import { fates } from "../../domain/import/import-report.ts";
import { importAgents } from "../../garden/agents/import/import-agents.ts";
import { type ImportRequest, planImport } from "../../garden/agents/import/plan-import.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";

const MOST_FILES = 2000;

const importBody = {
  format: z.enum(importFormats),
  /** The files below one folder; `base64` for a file that is not text. */
  files: z
    .array(
      z.union([
        z.strictObject({ path: z.string().min(1).max(500), text: z.string() }),
        z.strictObject({ path: z.string().min(1).max(500), base64: z.base64() }),
      ]),
    )
    .min(1)
    .max(MOST_FILES),
  /** The files that describe agents; all of them if left out. */
  mains: z.array(z.string().min(1).max(500)).max(MOST_FILES).optional(),
  /** Slugs that the owner chose, by file. */
  slugs: z.record(z.string().max(500), z.string().max(100)).optional(),
  rename: z.boolean().optional(),
  model: z.string().max(200).optional(),
  language: z.enum(languages).optional(),
};
const importShape = z.strictObject(importBody);

const reportShape = z.object({
  file: z.string(),
  format: z.enum(importFormats),
  outcome: z.enum(["agent", "clash", "component", "refused"]),
  slug: z.string().optional(),
  free_slug: z.string().optional(),
  name: z.string().optional(),
  counts: z.object({ mapped: z.int(), kept: z.int(), lost: z.int(), refused: z.int() }),
  entries: z.array(
    z.object({
      file: z.string(),
      line: z.int(),
      key: z.string(),
      fate: z.enum(fates),
      why: textShape,
      to: z.string().optional(),
    }),
  ),
  grants: z.array(z.object({ what: textShape, before: textShape, after: textShape })),
  missing: z.array(textShape),
  /** Icons of the first diagram; 0: instructions in prose. */
  icons: z.int(),
  contract: z.string().optional(),
});

/** Agents of other products come in: a report first, then the drafts that the owner confirms (I-1, I-4). */
export const importRoutes: readonly Route[] = [
  route("POST /imports/check", {
    summary: {
      en: "reads files of another product and reports the fate of every key by line; creates nothing. `digest` confirms the report (I-1)",
      uk: "читає файли іншого продукту й звітує про долю кожного ключа за рядком; нічого не створює. `digest` підтверджує звіт (I-1)",
    },
    allows: ["owner"],
    rate: "read",
    bodySize: "submission",
    body: importShape,
    answer: z.object({ digest: z.string(), reports: z.array(reportShape) }),
    async handle({ garden, body }) {
      const { digest, agents } = await planImport(garden, requestOf(garden, body));
      return { digest, reports: agents.map(({ report }) => report) };
    },
  }),
  route("POST /imports", {
    summary: {
      en: "creates the draft agents of a report that the owner has seen (`digest`); other files are a conflict (I-1)",
      uk: "створює агентів-чернеток зі звіту, який бачив власник (`digest`); інші файли — конфлікт (I-1)",
    },
    allows: ["owner"],
    bodySize: "submission",
    body: z.strictObject({ ...importBody, digest: z.string().max(100) }),
    status: 201,
    answer: z.object({ digest: z.string(), reports: z.array(reportShape), created: z.array(z.string()) }),
    handle: ({ garden, body: { digest, ...body }, identity }) =>
      importAgents(garden, requestOf(garden, body), identity, digest),
  }),
];

function requestOf(garden: Garden, { files, mains, language, ...body }: z.output<typeof importShape>): ImportRequest {
  const bytes = files.map((file): [string, Uint8Array] => [
    file.path,
    "text" in file ? Buffer.from(file.text) : Buffer.from(file.base64, "base64"),
  ]);
  const all = new Map(bytes);
  return {
    ...body,
    files: all,
    mains: mains ?? [...all.keys()].filter((path) => /\.md$/i.test(path)).toSorted(),
    language: language ?? garden.config.language ?? "uk",
  };
}
