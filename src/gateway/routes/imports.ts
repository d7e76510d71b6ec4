import { Readable } from "node:stream";
import { z } from "zod";
import { languages } from "../../base/text.ts";
import { type ImportFormat, importFormats } from "../../domain/import/import-draft.ts";
import { fates } from "../../domain/import/import-report.ts";
import { exportSkill, type SkillFolder } from "../../garden/agents/import/export-skill.ts";
import { importAgents } from "../../garden/agents/import/import-agents.ts";
import { type ImportRequest, planImport } from "../../garden/agents/import/plan-import.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { packArchive } from "../../garden/life/backup/archive.ts";
import { type Route, route } from "../route.ts";
import { slugParams, textShape } from "../shapes.ts";

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

/** The folder as an archive whose entries begin with the folder's name. */
async function* archived(at: number, { name, files }: SkillFolder): AsyncGenerator<Uint8Array> {
  yield* packArchive(at, async (add) => {
    for (const [path, bytes] of files) await add({ name: `${name}/${path}`, size: bytes.length, bytes: [bytes] });
  });
}

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
  route("GET /agents/:slug/skill", {
    summary: {
      en: "one agent as a skill folder for other products: SKILL.md, diagrams as pictures, the agent's own files; a gzipped tar archive (I-4)",
      uk: "один агент текою навички для інших продуктів: SKILL.md, діаграми як зображення, власні файли агента; архів tar.gz (I-4)",
    },
    allows: ["owner"],
    params: slugParams,
    answer: "application/octet-stream",
    async handle({ garden, params: { slug } }) {
      const folder = await exportSkill(garden, slug);
      const chunks = Readable.from(archived(garden.world.now(), folder));
      return new Response(Readable.toWeb(chunks) as ReadableStream, {
        headers: {
          "Content-Type": "application/gzip",
          "Content-Disposition": `attachment; filename="${folder.name}.tar.gz"`,
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": "private, no-store",
        },
      });
    },
  }),
];

/** The files that describe agents if the request names none. */
const usualMains: Readonly<Record<ImportFormat, RegExp>> = {
  "gh-aw": /\.md$/i,
  skill: /(?:^|\/)SKILL\.md$/,
  subagent: /\.md$/i,
  "agents-md": /(?:^|\/)(?:AGENTS|CLAUDE)\.md$/,
};

function requestOf(garden: Garden, { files, mains, language, ...body }: z.output<typeof importShape>): ImportRequest {
  const bytes = files.map((file): [string, Uint8Array] => [
    file.path,
    "text" in file ? Buffer.from(file.text) : Buffer.from(file.base64, "base64"),
  ]);
  const all = new Map(bytes);
  return {
    ...body,
    files: all,
    mains: mains ?? [...all.keys()].filter((path) => usualMains[body.format].test(path)).toSorted(),
    language: language ?? garden.config.language ?? "uk",
  };
}
