import { z } from "zod";

/**
 * Records about the work on a run that an earlier process left open, `attempts/NN-<part>.json`: `began` before the work, `alive`
 * when the process still answered some seconds into it, `over` when the work stopped in order (held, postponed, shut down).
 * An attempt with neither `over` nor a manifest ended with its process.
 */
export const attemptParts = ["began", "alive", "over"] as const;
export type AttemptPart = (typeof attemptParts)[number];

export const attemptRecord = z.strictObject({
  at: z.iso.datetime(),
  /** Number of records in the journal: equal at the beginning of two attempts if the first of them recorded nothing. */
  records: z.int().nonnegative(),
  op: z.string(),
});

/** Parses a key of the `attempts/` folder; undefined for a foreign name. */
export function attemptKeyParts(key: string): { readonly attempt: number; readonly part: AttemptPart } | undefined {
  const match = /\/attempts\/(\d{2,5})-(began|alive|over)\.json$/.exec(key);
  return match ? { attempt: Number(match[1]), part: match[2] as AttemptPart } : undefined;
}

export interface RunAttempt {
  readonly attempt: number;
  readonly records: number;
  readonly parts: readonly AttemptPart[];
}

/** Attempts that ended with their process before it could show that it still answered. */
const MOST_SILENT = 2;
/** Attempts that ended with their process, also those that were alive shortly before: power cuts during one long call. */
const MOST_LOST = 6;

/**
 * True if the last attempts all ended with their process and without a record, so often that the run itself must be suspected.
 * `records` is the number of records now.
 */
export function isSuspect(attempts: readonly RunAttempt[], records: number): boolean {
  let [silent, lost] = [0, 0];
  for (const one of attempts.toReversed()) {
    if (one.parts.includes("over") || one.records !== records) break;
    lost++;
    if (!one.parts.includes("alive")) silent++;
  }
  return silent >= MOST_SILENT || lost >= MOST_LOST;
}
