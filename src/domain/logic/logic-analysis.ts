import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { type LogicMeta, metaText, readMeta } from "./logic-meta.ts";
import { isLogicVersion } from "./logic-version.ts";

/**
 * That somebody looked at an agent's logic, and what came of it: written once, by the tool that looked, before the agent that asked
 * hears of it. What `current.meta.json` says about an optimizer follows from the newest one (Z-6).
 */
export const logicAnalysis = z.strictObject({
  agent: z.string().refine(isSlug),
  version: z.string().refine(isLogicVersion),
  behaviour: z.string(),
  /** Who looked, and in which run. */
  by: z.string().refine(isSlug),
  run: z.string(),
  at: z.iso.datetime(),
  /** How many recorded runs were read for it. */
  runs: z.int().nonnegative(),
  verdict: z.enum(["normal", "problem", "unclear", "too-few"]),
  recommendation: z.string().regex(/^[a-z0-9][a-z0-9 -]{0,39}$/),
});
export type LogicAnalysis = z.infer<typeof logicAnalysis>;

export function readAnalysis(bytes: Uint8Array): LogicAnalysis | undefined {
  try {
    return logicAnalysis.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

/** The meta with what the newest analysis says. One of another version was made, but recommends nothing for this one. */
export function withAnalysis(meta: LogicMeta, { version, at, recommendation }: LogicAnalysis): LogicMeta {
  const seconds = at.replace(/\.\d+Z$/, "Z");
  if (meta.optimizerLastAnalysis !== null && meta.optimizerLastAnalysis > seconds) return meta;
  return {
    ...meta,
    optimizerLastAnalysis: seconds,
    ...(version === meta.logicVersion && { optimizerRecommendation: recommendation }),
  };
}

/** Whether a commit changed what the optimizer says, and nothing else of a meta. */
export function onlyAnalysis(before: string | undefined, after: string | undefined): boolean {
  const [then, now] = [before, after].map((text) => (text === undefined ? undefined : readMeta(text)));
  if (!then || !now) return false;
  const { optimizerLastAnalysis, optimizerRecommendation } = now;
  return metaText({ ...then, optimizerLastAnalysis, optimizerRecommendation }) === metaText(now);
}
