import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { type LogicMeta, metaText, readMeta } from "./logic-meta.ts";
import { isLogicVersion } from "./logic-version.ts";

/**
 * Record of one analysis of an agent's logic: created once by the analysing tool, before the result is returned to
 * the agent. The optimizer's fields of `current.meta.json` follow from the newest record (Z-6).
 */
export const analysisRecord = z.strictObject({
  agent: z.string().refine(isSlug),
  version: z.string().refine(isLogicVersion),
  behaviour: z.string(),
  /** The agent that asked, and its run. */
  by: z.string().refine(isSlug),
  run: z.string(),
  at: z.iso.datetime(),
  /** Number of recorded runs that were read. */
  runs: z.int().nonnegative(),
  verdict: z.enum(["normal", "problem", "unclear", "too-few"]),
  recommendation: z.string().regex(/^[a-z0-9][a-z0-9 -]{0,39}$/),
});
export type AnalysisRecord = z.infer<typeof analysisRecord>;

export function readAnalysis(bytes: Uint8Array): AnalysisRecord | undefined {
  try {
    return analysisRecord.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

/** The meta with the newest analysis. An analysis of another version updates the date only; its recommendation does not apply. */
export function withAnalysis(meta: LogicMeta, { version, at, recommendation }: AnalysisRecord): LogicMeta {
  const seconds = at.replace(/\.\d+Z$/, "Z");
  if (meta.optimizerLastAnalysis !== null && meta.optimizerLastAnalysis > seconds) return meta;
  return {
    ...meta,
    optimizerLastAnalysis: seconds,
    ...(version === meta.logicVersion && { optimizerRecommendation: recommendation }),
  };
}

/** True if a commit changed only the optimizer's fields of a meta. */
export function onlyAnalysis(before: string | undefined, after: string | undefined): boolean {
  const [then, now] = [before, after].map((text) => (text === undefined ? undefined : readMeta(text)));
  if (!then || !now) return false;
  const { optimizerLastAnalysis, optimizerRecommendation } = now;
  return metaText({ ...then, optimizerLastAnalysis, optimizerRecommendation }) === metaText(now);
}
