import { z } from "zod";

/** The most remarks on one proposal: a longer talk belongs into a note. */
export const MOST_REMARKS = 200;
export const MAX_REMARK = 4000;

/** The line of a reviewed file that a remark is about: as it will be, or as it is now if the change removes it. */
export const remarkPlace = z.strictObject({
  path: z.string().min(1).max(1100),
  line: z.int().positive().max(10_000_000),
  side: z.enum(["before", "after"]),
  /** The text of the line when the remark was made: the line may move. */
  quote: z.string().max(1000).optional(),
});
export type RemarkPlace = z.infer<typeof remarkPlace>;

/**
 * P-10c: words on a proposal that decide nothing. Each is one record, `proposals/remarks/<proposal>/<number>.json`, created once. Remarks
 * of people go to the agent with a send-back.
 */
export const remark = z.strictObject({
  number: z.int().nonnegative(),
  proposal: z.string().regex(/^prop_/),
  by: z.string(),
  at: z.iso.datetime(),
  text: z.string().min(1).max(MAX_REMARK),
  place: remarkPlace.optional(),
  /** Chosen by the caller: the same one gives the first remark again. */
  op: z.string().min(1).max(200),
});
export type Remark = z.infer<typeof remark>;
