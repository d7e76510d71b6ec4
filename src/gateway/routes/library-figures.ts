import { z } from "zod";
import { behaviourRates } from "../../domain/library/behaviour-figures.ts";
import { suggestionReasons } from "../../domain/library/suggestion-rules.ts";
import { dismissSuggestion } from "../../garden/federation/library/dismiss-suggestion.ts";
import { libraryStatistics } from "../../garden/federation/library/library-statistics.ts";
import {
  type SideFigures,
  suggestBehaviours,
  suggestionRelations,
} from "../../garden/federation/library/suggestions.ts";
import { learningSettings } from "../../garden/insight/learning/logic-performance.ts";
import { behaviourReplayShape } from "../library-shapes.ts";
import { type Route, route } from "../route.ts";

const rate = z.number().nullable();
const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const counts = { runs: z.int(), failed: z.int(), good: z.int(), bad: z.int() };
export const behaviourFigures = z.object({
  ...counts,
  success_rate: rate,
  success_interval: interval,
  good_rate: rate,
  good_interval: interval,
  judgedRuns: z.int(),
});

const models = z.array(z.object({ model: z.string().nullable(), temperature: z.number().nullable(), ...counts }));
const side = behaviourFigures.extend({ models });
const suggestion = z
  .object({
    id: z.string(),
    agent: z.string(),
    version: z.string(),
    entry: z.string(),
    name: z.string(),
    garden: z.string(),
    behaviour: z.string(),
    their_version: z.string(),
    reasons: z.array(z.enum(suggestionReasons)),
    relation: z.enum(suggestionRelations),
    shared: z.number().nullable(),
    theirs: side,
    ours: side,
    replay: behaviourReplayShape.nullable(),
  })
  .meta({ id: "BehaviourSuggestion" });
const dismissal = z.object({
  id: z.string(),
  agent: z.string(),
  behaviour: z.string(),
  name: z.string(),
  garden: z.string(),
  their_version: z.string(),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});

/** Figures of behaviours over this garden and those that it follows (S-9). */
export const libraryFigureRoutes: readonly Route[] = [
  route("GET /library/statistics", {
    summary: {
      en: "runs and session commits by behaviour id, of this garden and of those that it follows, with intervals (S-9)",
      uk: "запуски й коміти сесій за поведінкою, цього саду й тих, за якими він стежить, з інтервалами (S-9)",
    },
    allows: ["owner"],
    answer: z.object({
      confidence: z.number(),
      behaviours: z.array(
        z.object({
          behaviour: z.string(),
          gardens: z.array(
            behaviourFigures.extend({
              /** Null: this one. What another garden tells is its own claim. */
              garden: z.string().nullable(),
              tokens: z.int(),
              models: z.array(
                z.object({ model: z.string().nullable(), temperature: z.number().nullable(), ...counts }),
              ),
              agents: z.array(z.string()),
              sessions: z.int(),
              commits: z.record(z.string(), z.int()),
            }),
          ),
        }),
      ),
    }),
    async handle({ garden }) {
      const { confidence } = learningSettings(garden);
      const found = [...(await libraryStatistics(garden))];
      return {
        confidence,
        behaviours: found.map(([behaviour, told]) => ({
          behaviour,
          gardens: told.map(({ behaviour: _behaviour, ...one }) => ({ ...one, ...behaviourRates(one, confidence) })),
        })),
      };
    },
  }),
  route("GET /library/suggestions", {
    summary: {
      en: "behaviours of followed gardens that do better than the logic of an agent, with their intervals, and the dismissed ones (S-9b)",
      uk: "поведінки садів, за якими стежать, кращі за логіку агента, з інтервалами, і відхилені (S-9b)",
    },
    allows: ["owner"],
    answer: z.object({ confidence: z.number(), open: z.array(suggestion), dismissed: z.array(dismissal) }),
    async handle({ garden }) {
      const { confidence } = learningSettings(garden);
      const { open, dismissed } = await suggestBehaviours(garden);
      const rated = (one: SideFigures) => ({ ...one, ...behaviourRates(one, confidence) });
      return {
        confidence,
        open: open.map((one) => ({ ...one, theirs: rated(one.theirs), ours: rated(one.ours) })),
        dismissed: [...dismissed],
      };
    },
  }),
  route("POST /library/suggestions/:id/dismiss", {
    summary: {
      en: "dismisses a suggestion with a reason; it stays dismissed for that version of the behaviour",
      uk: "відхиляє пораду з причиною; для цієї версії поведінки її більше не показують",
    },
    allows: ["owner"],
    params: z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/, { error: "id" }) }),
    body: z.strictObject({
      reason: z.string({ error: "text" }).trim().min(1, { error: "text" }).max(2000, { error: "text" }),
    }),
    answer: dismissal,
    handle: ({ garden, params: { id }, body: { reason }, identity }) =>
      dismissSuggestion(garden, { id, reason }, identity),
  }),
];
