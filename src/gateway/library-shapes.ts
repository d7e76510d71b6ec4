import { z } from "zod";
import { textShape } from "./shapes.ts";

/** Shapes of the behaviour library (S-9b). */

const interval = z.object({ low: z.number(), high: z.number() });
export const libraryFiguresShape = z
  .object({
    runs: z.int(),
    judged: z.int(),
    good: z.int(),
    rate: z.number().nullable(),
    interval: interval.nullable(),
  })
  .meta({ id: "LibraryFigures" });

export const behaviourReplayShape = z
  .object({
    agent: z.string(),
    version: z.string().nullable(),
    at: z.iso.datetime(),
    evidence: z.object({ agrees: z.int(), differs: z.int(), verdict_only: z.int() }),
    runs: z.object({ same: z.int(), better: z.int(), worse: z.int(), unknown: z.int() }),
    good: z.int(),
    judged: z.int(),
  })
  .meta({ id: "BehaviourReplay" });

const modelCounts = z.object({
  model: z.string(),
  temperature: z.number().nullable(),
  runs: z.int(),
  failed: z.int(),
  good: z.int(),
  bad: z.int(),
});

export const libraryRowShape = z
  .object({
    /** The behaviour id for an own one; for others with their source before it: `alice.3f2a…`. */
    id: z.string(),
    behaviour: z.string(),
    name: z.string(),
    kind: z.enum(["session-flow", "prompt"]).nullable(),
    version: z.string().nullable(),
    source: z.enum(["own", "kept", "garden", "file"]),
    garden: z.string().nullable(),
    key: z.string().nullable(),
    state: z.enum(["sound", "lying", "refused"]),
    problems: z.array(textShape),
    sent: libraryFiguresShape.extend({ models: z.array(modelCounts) }).nullable(),
    here: libraryFiguresShape.nullable(),
    agents: z.array(z.object({ agent: z.string(), version: z.string(), current: z.boolean() })),
    replays: z.array(behaviourReplayShape),
  })
  .meta({ id: "LibraryRow" });

export const libraryDetailShape = libraryRowShape
  .extend({
    procedure: z.string(),
    diagram: z.string().nullable(),
    evidence: z.array(
      z.object({
        verdict: z.enum(["good", "bad", "open"]),
        model: z.string(),
        temperature: z.number().nullable(),
        outcome: z.enum(["agrees", "verdict-only", "differs"]),
        why: textShape.optional(),
      }),
    ),
  })
  .meta({ id: "LibraryDetail" });

const side = z.object({ label: z.string(), behaviour: z.string(), figures: libraryFiguresShape });
export const behaviourComparisonShape = z
  .object({
    before: side,
    after: side,
    same: z.boolean(),
    summary: textShape,
    riskLevel: z.enum(["low", "medium", "high"]),
    reasons: z.array(textShape),
    diff: z.string(),
    claim: z
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
  })
  .meta({ id: "BehaviourComparison" });

/** An id of the library in a path. */
export const libraryParams = z.strictObject({
  id: z.string().regex(/^(?:(?:[a-z0-9][a-z0-9-]{0,62}|_[0-9a-f]{12})\.)?[0-9a-f]{40}$/, { error: "id" }),
});
