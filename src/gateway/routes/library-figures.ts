import { z } from "zod";
import { behaviourRates } from "../../domain/library/behaviour-figures.ts";
import { libraryStatistics } from "../../garden/federation/library/library-statistics.ts";
import { learningSettings } from "../../garden/insight/learning/logic-performance.ts";
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
];
