import { z } from "zod";

/** L-8: recorded runs replayed with a proposed logic, as far as the recordings allow. */

const text = z.strictObject({ uk: z.string(), en: z.string() });

/** An icon of the proposed diagram; for a failure, of the diagram that the run followed. */
const place = z.strictObject({ diagram: z.string(), icon: z.string(), text: z.string() });
export type IconPlace = z.infer<typeof place>;

const comparisonKinds = ["same", "parts", "avoids", "cannot-tell", "unreadable"] as const;

const count = z.int().nonnegative();

/**
 * Proposals of the recorded runs, and of their replays: `lost` would not be made any more, `gained` were not made before. Beyond
 * the point where a recording ends, nothing is known of the rest (`undecided`).
 */
const proposalCounts = z.strictObject({ recorded: count, lost: count, gained: count, undecided: count });
export type ProposalCounts = z.infer<typeof proposalCounts>;

export const counterfactualRow = z.strictObject({
  run: z.string(),
  version: z.string().nullable(),
  status: z.enum(["completed", "failed", "cancelled"]).nullable(),
  /** Certainty of the run's own path: a fact, a claim of its model, or unknown (R-1a). */
  certainty: z.enum(["fact", "claim", "unknown"]),
  kind: z.enum(comparisonKinds),
  /** The first icon that differs. */
  at: place.optional(),
  /** The question without a recorded answer, or the reason why no statement is possible. */
  asked: place.optional(),
  why: text.optional(),
  end: z
    .strictObject({
      kind: z.enum(["done", "returned", "failed", "endless", "stopped"]),
      at: place.optional(),
      why: text.optional(),
    })
    .optional(),
  /** The failure that ended the run. In `avoids` the replay does not reach it. */
  failure: z
    .strictObject({ at: place.optional(), call: z.string().optional(), code: z.string(), why: text })
    .optional(),
  /** New icons on the path that ask no question. */
  detours: z.array(place).optional(),
  /** Absent if the path of the run is not recorded. */
  proposals: proposalCounts.optional(),
});
export type CounterfactualRow = z.infer<typeof counterfactualRow>;

const totals = z.strictObject({
  runs: count,
  same: count,
  parts: count,
  avoids: count,
  cannot_tell: count,
  unreadable: count,
  facts: count,
  claims: count,
  /** Over the runs whose path is recorded. Absent in reports of earlier versions. */
  proposals: proposalCounts.optional(),
});

const iconCount = z.strictObject({
  ...place.shape,
  parts: count,
  avoids: count,
  cannot_tell: count,
  /** Icons that the newest of these runs passes from here on, for the picture. */
  way: z.array(z.string()),
});

export const counterfactualReport = z.strictObject({
  /** Id of the replayed program: diagram, procedure and everything they call. */
  program: z.string(),
  /** A walk with more steps counts as endless. */
  most_steps: count,
  totals,
  icons: z.array(iconCount),
  rows: z.array(counterfactualRow),
});
export type CounterfactualReport = z.infer<typeof counterfactualReport>;
