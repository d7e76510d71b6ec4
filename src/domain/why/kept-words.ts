import { z } from "zod";

/** The longest reason to keep words that were not approved. */
export const MAX_KEEP_REASON = 1000;

/**
 * P-11: the owner keeps a commit although it does not match the proposal that it names. One record for each commit, created once:
 * `proposals/kept/<proposal>/<commit>.json`. A commit cannot change, so the record is about exactly these words.
 */
export const keptWords = z.strictObject({
  proposal: z.string().regex(/^prop_/),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  by: z.string(),
  at: z.iso.datetime(),
  reason: z.string().min(1).max(MAX_KEEP_REASON),
  /** Chosen by the writer: tells two writers with the same words apart. */
  op: z.string().min(1).max(200),
});
export type KeptWords = z.infer<typeof keptWords>;
