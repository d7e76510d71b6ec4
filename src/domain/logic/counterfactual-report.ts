import { z } from "zod";

/** L-8: how recorded runs would have gone by a proposed logic, as far as the recordings tell. */

const text = z.strictObject({ uk: z.string(), en: z.string() });

/** An icon of the proposed diagram; of a failure, that of the diagram which the run followed. */
const place = z.strictObject({ diagram: z.string(), icon: z.string(), text: z.string() });
export type IconPlace = z.infer<typeof place>;

const comparisonKinds = ["same", "parts", "avoids", "cannot-tell", "unreadable"] as const;

export const counterfactualRow = z.strictObject({
  run: z.string(),
  version: z.string().nullable(),
  status: z.enum(["completed", "failed", "cancelled"]).nullable(),
  /** Whether the run's own way is a fact, a claim of its model, or unknown (R-1a). */
  certainty: z.enum(["fact", "claim", "unknown"]),
  kind: z.enum(comparisonKinds),
  /** Where the ways part. */
  at: place.optional(),
  /** Where something is asked that the recording does not know, or why nothing can be said. */
  asked: place.optional(),
  why: text.optional(),
  end: z
    .strictObject({
      kind: z.enum(["done", "returned", "failed", "endless", "stopped"]),
      at: place.optional(),
      why: text.optional(),
    })
    .optional(),
  /** What ended the run as failed. In `avoids` it would not have been reached. */
  failure: z
    .strictObject({ at: place.optional(), call: z.string().optional(), code: z.string(), why: text })
    .optional(),
  /** New icons on the way that ask nobody anything. */
  detours: z.array(place).optional(),
});
export type CounterfactualRow = z.infer<typeof counterfactualRow>;

const count = z.int().nonnegative();

const totals = z.strictObject({
  runs: count,
  same: count,
  parts: count,
  avoids: count,
  cannot_tell: count,
  unreadable: count,
  facts: count,
  claims: count,
});

const iconCount = z.strictObject({
  ...place.shape,
  parts: count,
  avoids: count,
  cannot_tell: count,
  /** Icons that the newest of them passes from here on, for the picture. */
  way: z.array(z.string()),
});

export const counterfactualReport = z.strictObject({
  /** Of the program that was walked: diagram, procedure and everything that they call. */
  program: z.string(),
  /** More steps than this and a walk is called endless. */
  most_steps: count,
  totals,
  icons: z.array(iconCount),
  rows: z.array(counterfactualRow),
});
export type CounterfactualReport = z.infer<typeof counterfactualReport>;
