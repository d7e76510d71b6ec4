import { z } from "zod";
import { canonicalId } from "../../base/canonical.ts";
import { isLogicVersion, type LogicVersion } from "../logic/logic-version.ts";
import { type RunManifest, runId } from "./run-manifest.ts";
import { type Decisions, verdictOf } from "./run-path.ts";

/**
 * What the runs of an agent come to, kept as a sum so that one more run costs one addition. A run is counted as a whole: how it
 * ended, and what people decided about what it proposed; when they decide later, it is counted anew (L-4, L-4a).
 */
const count = z.int().nonnegative();

export const runCount = z.strictObject({
  version: z.string().refine(isLogicVersion),
  behaviour: z.string().nullable(),
  failed: z.boolean(),
  tokens: count,
  ms: count,
  verdict: z.enum(["good", "bad", "open"]),
  accepted: count,
  edited: count,
  rejected: count,
  reverted: count,
  /** Proposals about which somebody may still decide, and such that nobody decided about in time. */
  waiting: count,
  expired: count,
});
export type RunCount = z.infer<typeof runCount>;

/** The sum over some runs. */
export const runSum = z.strictObject({
  runs: count,
  failed: count,
  tokens: count,
  ms: count,
  good: count,
  bad: count,
  accepted: count,
  edited: count,
  rejected: count,
  reverted: count,
  waiting: count,
  expired: count,
});
export type RunSum = z.infer<typeof runSum>;

export const NO_RUNS: RunSum = {
  runs: 0,
  failed: 0,
  tokens: 0,
  ms: 0,
  good: 0,
  bad: 0,
  accepted: 0,
  edited: 0,
  rejected: 0,
  reverted: 0,
  waiting: 0,
  expired: 0,
};

/** Sums by `v007 <behaviour>`: which version a run names, and what it really followed. */
export type RunSums = Readonly<Record<string, RunSum>>;

/**
 * How a run counts; undefined for one that says nothing about a version: cancelled by somebody, under no version, or a fork, which
 * repeats what was counted already.
 */
export function countOf(
  manifest: RunManifest,
  fates: Omit<Decisions, "open"> & { readonly waiting: number; readonly expired: number },
): RunCount | undefined {
  const { logic_version: version, status, tokens_used, forked_from } = manifest;
  if (version === null || status === "cancelled" || forked_from !== null) return undefined;
  const { accepted, edited, rejected, reverted, waiting, expired } = fates;
  return {
    version,
    behaviour: manifest.behaviour_id,
    failed: status === "failed",
    tokens: tokens_used.input + tokens_used.output,
    ms: Math.max(0, Date.parse(manifest.finished_at) - Date.parse(manifest.started_at)),
    verdict: verdictOf(manifest, { accepted, edited, rejected, reverted, open: waiting + expired }),
    accepted,
    edited,
    rejected,
    reverted,
    waiting,
    expired,
  };
}

const groupOf = ({ version, behaviour }: Pick<RunCount, "version" | "behaviour">): string =>
  behaviour === null ? version : `${version} ${behaviour}`;

export const groupParts = (group: string): { readonly version: LogicVersion; readonly behaviour: string | null } => {
  const [version, behaviour] = group.split(" ") as [string, string?];
  return { version, behaviour: behaviour ?? null };
};

/** The sums with some runs counted otherwise than before: `was` is taken out, `is` comes in. */
export function recounted(
  sums: RunSums,
  changes: readonly { readonly was: RunCount | null; readonly is: RunCount | null }[],
): RunSums {
  const next = new Map(Object.entries(sums));
  const change = (run: RunCount | null, by: 1 | -1): void => {
    if (!run) return;
    const group = groupOf(run);
    next.set(group, plus(next.get(group) ?? NO_RUNS, asSum(run), by));
  };
  for (const { was, is } of changes) {
    change(was, -1);
    change(is, 1);
  }
  return Object.fromEntries([...next].filter(([, { runs }]) => runs !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const asSum = ({
  verdict,
  failed,
  tokens,
  ms,
  accepted,
  edited,
  rejected,
  reverted,
  waiting,
  expired,
}: RunCount): RunSum => ({
  runs: 1,
  failed: failed ? 1 : 0,
  tokens,
  ms,
  good: verdict === "good" ? 1 : 0,
  bad: verdict === "bad" ? 1 : 0,
  accepted,
  edited,
  rejected,
  reverted,
  waiting,
  expired,
});

export function plus(a: RunSum, b: RunSum, by: 1 | -1 = 1): RunSum {
  const sum = { ...a };
  for (const field of Object.keys(NO_RUNS) as (keyof RunSum)[]) sum[field] += by * b[field];
  return sum;
}

/** All groups that fit, as one. */
export const sumWhere = (sums: RunSums, fits: (group: ReturnType<typeof groupParts>) => boolean): RunSum =>
  Object.entries(sums)
    .filter(([group]) => fits(groupParts(group)))
    .reduce((total, [, sum]) => plus(total, sum), NO_RUNS);

/** One run that is on its way into the sum: as what it was counted, and as what it is now. */
const folding = z.strictObject({
  run: runId,
  was: runCount.nullable(),
  is: runCount.nullable(),
  /** The number of the sum that first counted it. */
  first: count,
  /** Hash of the record of this run that is to be replaced; null: there is none. */
  replaces: z.string().nullable(),
});
export type Folding = z.infer<typeof folding>;

/** `sum.json`. `check` is over the rest: an edit by hand, or a torn file, is noticed when it is read. */
export const runTally = z.strictObject({
  format: z.literal(1),
  /** Names this life of the tally: what was counted in another life is nothing. */
  epoch: z.string(),
  seq: count,
  /** Every run that ended is in the sum, or marked to be counted. */
  whole: z.boolean(),
  sums: z.record(z.string(), runSum),
  folding: z.array(folding),
});
export type RunTally = z.infer<typeof runTally>;

/** As what one run stands in the sum. */
export const talliedRun = z.strictObject({ epoch: z.string(), seq: count, first: count, count: runCount.nullable() });
export type TalliedRun = z.infer<typeof talliedRun>;

export const sealed = (value: RunTally | TalliedRun): Uint8Array =>
  Buffer.from(`${JSON.stringify({ ...value, check: canonicalId(value) })}\n`);

/** Undefined for what this program did not write so. */
export function unsealed<T extends RunTally | TalliedRun>(bytes: Uint8Array, shape: z.ZodType<T>): T | undefined {
  try {
    const { check, ...value } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Record<
      string,
      unknown
    >;
    const read = shape.parse(value);
    return check === canonicalId(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
