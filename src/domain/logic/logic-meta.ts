import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { metaTooLarge } from "./failures.ts";
import { isLogicVersion, type LogicVersion } from "./logic-version.ts";

/** L-1a: maximum size of `current.meta.json`. */
export const MAX_META_BYTES = 500;

/**
 * `current.meta.json` (source 000 §2.2), these fields in this order. Unknown values are `null`: a version without
 * runs has no success rate, not a rate of zero.
 */
export const logicMeta = z.strictObject({
  agentId: z.string().refine(isSlug),
  logicVersion: z.string().refine(isLogicVersion),
  activeSince: z.iso.datetime(),
  sourceProposal: z.string().min(1).max(100),
  runsOnThisVersion: z.int().nonnegative(),
  successRate: z.number().min(0).max(1).nullable(),
  avgTokensPerRun: z.number().nonnegative().nullable(),
  optimizerLastAnalysis: z.iso.datetime().nullable(),
  optimizerRecommendation: z.string().min(1).max(60),
  schemaVersion: z.literal("1.0"),
});
export type LogicMeta = z.infer<typeof logicMeta>;

/** The meta of a version when it is adopted (source 000 §6.2, step 6): no runs yet. */
export const adoptedMeta = (of: {
  readonly agentId: string;
  readonly logicVersion: LogicVersion;
  readonly activeSince: string;
  readonly sourceProposal: string;
  /** The date of the last analysis is kept; its recommendation concerned the previous version. */
  readonly before?: LogicMeta | undefined;
}): LogicMeta => ({
  agentId: of.agentId,
  logicVersion: of.logicVersion,
  activeSince: of.activeSince,
  sourceProposal: of.sourceProposal,
  runsOnThisVersion: 0,
  successRate: null,
  avgTokensPerRun: null,
  optimizerLastAnalysis: of.before?.optimizerLastAnalysis ?? null,
  optimizerRecommendation: "none",
  schemaVersion: "1.0",
});

export function metaText(meta: LogicMeta): string {
  const text = `${JSON.stringify(logicMeta.parse(meta), null, 2)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes >= MAX_META_BYTES) throw metaTooLarge(bytes, MAX_META_BYTES);
  return text;
}

/** Parses a meta file; undefined if it is invalid (truncated, edited). */
export function readMeta(text: string): LogicMeta | undefined {
  try {
    return logicMeta.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
