import { z } from "zod";
import { heatMeasures } from "../../domain/logic/icon-heat.ts";
import { logicMeta } from "../../domain/logic/logic-meta.ts";
import { logicChangelog, logicRationale, logicVersions } from "../../garden/changes/logic/read-logic.ts";
import { heatPicture, logicHeat } from "../../garden/insight/learning/logic-heat.ts";
import { logicPerformance } from "../../garden/insight/learning/logic-performance.ts";
import { proposeRollback } from "../../garden/insight/learning/propose-rollback.ts";
import { performanceAnswer } from "../../garden/runs/tools/logic/logic-performance.ts";
import { type Route, route } from "../route.ts";
import { agentParams, textShape, wholeNumber } from "../shapes.ts";
import { expectOwnAgent } from "./agents.ts";
import { receivedAnswer, receivedBody } from "./inbox.ts";

const version = z.string().regex(/^v\d{3}$/, { error: "version" });
const figure = z.number().nullable();
const interval = z.object({ low: z.number(), high: z.number() });
const decisions = z.object({
  accepted: z.int(),
  edited: z.int(),
  rejected: z.int(),
  reverted: z.int(),
  open: z.int(),
});

const figures = z.object({
  success_rate: figure,
  avg_tokens: figure,
  error_rate: figure,
  totalRuns: z.int(),
  success_interval: interval.nullable(),
  avg_ms: figure,
  judgedRuns: z.int(),
  good_rate: figure,
  good_interval: interval.nullable(),
  proposals: decisions,
  acceptance_rate: figure,
  acceptance_interval: interval.nullable(),
  pooledWith: z.array(z.string()),
});

const metricNames = Object.keys(figures.shape) as [keyof typeof figures.shape, ...(keyof typeof figures.shape)[]];

const heat = {
  visits: z.int(),
  claimed: z.int(),
  runs: z.int(),
  failures: z.int(),
  calls: z.int(),
  tokens: z.int(),
  ms: z.number(),
  proposals: decisions,
  good: z.int(),
  bad: z.int(),
};

const entry = z.object({
  version: z.string(),
  date: z.string().optional(),
  text: z.string(),
  fields: z.record(z.string(), z.string()),
});

export const logicFigureRoutes: readonly Route[] = [
  route("GET /logic/:agentId/performance", {
    summary: {
      en: "logic-performance: figures and decisions per version with their intervals; a trend where there are enough runs",
      uk: "logic-performance: показники й рішення за версіями з інтервалами; тенденція, якщо запусків досить",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({
      versions: z
        .string()
        .regex(/^v\d{3}(?:,v\d{3}){0,998}$/, { error: "version" })
        .transform((list) => list.split(","))
        .optional(),
      /** Source 000 §5.4: only these figures, and `totalRuns`. */
      metrics: z
        .string()
        .transform((list) => list.split(","))
        .pipe(z.array(z.enum(metricNames)).max(50))
        .optional(),
    }),
    answer: z.object({
      agentId: z.string(),
      versions: z.record(z.string(), figures.partial().required({ totalRuns: true })),
      trend: z.enum(["unknown", "improving", "declining", "stable"]),
      recommendation: z.string(),
      confidence: z.number(),
      enoughRuns: z.int(),
      comparison: z
        .object({
          before: z.string(),
          after: z.string(),
          metric: z.enum(["good_rate", "success_rate"]),
          from: z.number(),
          to: z.number(),
          interval,
          runs: z.object({ before: z.int(), after: z.int() }),
          verdict: z.enum(["better", "worse", "alike"]),
        })
        .nullable(),
    }),
    async handle({ garden, params: { agentId }, query: { versions, metrics }, identity, language }) {
      expectOwnAgent(identity, agentId);
      return performanceAnswer(await logicPerformance(garden, { slug: agentId, versions }), metrics, language);
    },
  }),
  route("GET /logic/:agentId/versions", {
    summary: {
      en: "every version, newest first, with its meta and its changelog entry",
      uk: "усі версії, найновіші перші, з метаданими й записом у changelog",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    answer: z.object({
      agentId: z.string(),
      versions: z.array(
        z.object({ version: z.string(), current: z.boolean(), meta: logicMeta.nullable(), entry: entry.nullable() }),
      ),
    }),
    async handle({ garden, params: { agentId }, identity }) {
      expectOwnAgent(identity, agentId);
      const versions = (await logicVersions(garden, agentId)).map(({ meta, entry: found, ...row }) => ({
        ...row,
        meta: meta ?? null,
        entry: found ? entryBody(found) : null,
      }));
      return { agentId, versions };
    },
  }),
  route("GET /logic/:agentId/changelog", {
    summary: {
      en: "the changelog, newest first: what changed, when and why, with the measured result",
      uk: "що, коли й чому змінено, найновіше перше, і що з того вийшло",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({ limit: wholeNumber(10, 999) }),
    answer: z.object({ agentId: z.string(), entries: z.array(entry) }),
    async handle({ garden, params: { agentId }, query: { limit }, identity }) {
      expectOwnAgent(identity, agentId);
      const entries = await logicChangelog(garden, agentId, limit);
      return { agentId, entries: entries.map(entryBody) };
    },
  }),
  route("GET /logic/:agentId/versions/:version/rationale", {
    summary: {
      en: "why a version was adopted, with its evidence runs",
      uk: "чому версію прийнято, із запусками-доказами",
    },
    allows: ["owner", "agent"],
    params: agentParams.extend({ version }),
    answer: z.object({
      agentId: z.string(),
      version: z.string(),
      text: z.string(),
      problem: z.string().optional(),
      change: z.string().optional(),
      evidenceRuns: z.array(z.string()).optional(),
      expectedImprovement: z.string().optional(),
      riskAssessment: z.string().optional(),
    }),
    async handle({ garden, params: { agentId, version: asked }, identity }) {
      expectOwnAgent(identity, agentId);
      return logicRationale(garden, agentId, asked);
    },
  }),
  route("GET /logic/:agentId/heat", {
    summary: {
      en: "visits, failures, cost and rejections of runs per icon and branch; with `by`, drawn as SVG too",
      uk: "де запуски проходили, падали, витрачали й діставали відмову, за іконами й гілками; з `by` — ще й SVG",
    },
    allows: ["owner"],
    params: agentParams,
    query: z.strictObject({
      version: version.optional(),
      runs: wholeNumber(500, 5000),
      facts: z.enum(["true", "false"], { error: "boolean" }).default("false"),
      by: z.enum(heatMeasures, { error: "measure" }).optional(),
    }),
    answer: z.object({
      agentId: z.string(),
      logicVersion: z.string(),
      pooledWith: z.array(z.string()),
      /** The file of the agent's own diagram; other icons belong to diagrams that it calls. */
      mainFile: z.string(),
      runs: z.object({
        fact: z.int(),
        claim: z.int(),
        unknown: z.int(),
        unreadable: z.array(z.object({ run: z.string(), why: textShape })),
      }),
      icons: z.array(
        z.object({
          diagram: z.string(),
          icon: z.string(),
          text: z.string(),
          ...heat,
          branches: z.array(z.object({ answer: z.union([z.boolean(), z.int()]).nullable(), ...heat })),
        }),
      ),
      svg: z.string().optional(),
    }),
    async handle({ garden, params: { agentId }, query: { version: asked, runs, facts, by }, language }) {
      const question = { slug: agentId, version: asked, most: runs, factsOnly: facts === "true" };
      const { heat: found, diagrams, mainFile } = await logicHeat(garden, question);
      if (by === undefined) return { ...found, mainFile };
      return { ...found, mainFile, svg: heatPicture(found, mainFile, diagrams.get(mainFile)!, { by, language }) };
    },
  }),
  route("POST /logic/:agentId/rollback", {
    summary: {
      en: "proposes a rollback to a version; like any change of logic it waits for a person",
      uk: "запропонувати повернення до версії; чекає на людину, як будь-яка зміна логіки",
    },
    allows: ["owner"],
    rate: "submit",
    params: agentParams,
    body: z.strictObject({
      toVersion: version,
      reason: z.string({ error: "text" }).min(1, { error: "text" }).max(20_000, { error: "text" }),
      /** Default: the newest runs of the current version that failed or were rejected. */
      evidenceRuns: z
        .array(z.string().regex(/^[a-z0-9_-]{1,100}$/i, { error: "run" }))
        .max(1000)
        .optional(),
    }),
    answer: receivedAnswer,
    status: 201,
    async handle({ garden, params: { agentId }, body: { toVersion, reason, evidenceRuns }, identity }) {
      return receivedBody(
        await proposeRollback(garden, { slug: agentId, to: toVersion, by: identity, reason, evidence: evidenceRuns }),
      );
    },
  }),
];

const entryBody = <E extends { readonly fields: ReadonlyMap<string, string> }>(found: E) => ({
  ...found,
  fields: Object.fromEntries(found.fields),
});
