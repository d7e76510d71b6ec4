import { z } from "zod";
import { canonicalId } from "../../base/canonical.ts";
import { isLogicVersion, type LogicVersion } from "../logic/logic-version.ts";
import { type RunManifest, runId } from "./run-manifest.ts";
import { type Decisions, verdictOf } from "./run-path.ts";

/**
 * Sums over an agent's runs, kept incrementally: one more run is one addition. A run is counted as a whole, by its
 * end and the decisions on its proposals; a later decision counts it again (L-4, L-4a).
 */
const count = z.int().nonnegative();

/** Decisions on the proposals of runs. `waiting` are undecided, `expired` were not decided in time. */
const decisionCounts = {
  accepted: count,
  edited: count,
  rejected: count,
  reverted: count,
  waiting: count,
  expired: count,
};

export const runCount = z.strictObject({
  version: z.string().refine(isLogicVersion),
  behaviour: z.string().nullable(),
  /** S-9a: no part of the behaviour, shown beside its figures. Missing in counts of earlier versions of the program. */
  model: z.string().optional(),
  /** Missing if the manifest does not have it: runs before it was recorded. */
  temperature: z.number().optional(),
  failed: z.boolean(),
  tokens: count,
  ms: count,
  verdict: z.enum(["good", "bad", "open"]),
  ...decisionCounts,
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
  ...decisionCounts,
});
export type RunSum = z.infer<typeof runSum>;

export const NO_RUNS = Object.fromEntries(Object.keys(runSum.shape).map((field) => [field, 0])) as RunSum;

/**
 * Sums by `v007 <behaviour> <model> <temperature>`: the version that a run names, the logic that it actually followed, and what answered.
 * `-` stands for a part that is not known.
 */
export type RunSums = Readonly<Record<string, RunSum>>;

/**
 * The count of a run; undefined if it says nothing about a version: cancelled by a person, without a version, or a
 * fork, which repeats steps that are already counted.
 */
export function countOf(
  manifest: RunManifest,
  fates: Omit<Decisions, "open"> & { readonly waiting: number; readonly expired: number },
): RunCount | undefined {
  const { logic_version: version, status, tokens_used, forked_from, experiment } = manifest;
  if (version === null || status === "cancelled" || forked_from !== null || experiment) return undefined;
  const { accepted, edited, rejected, reverted, waiting, expired } = fates;
  return {
    version,
    behaviour: manifest.behaviour_id,
    model: manifest.model_used,
    ...(manifest.temperature !== undefined && { temperature: manifest.temperature }),
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

type GroupedCount = Pick<RunCount, "version" | "behaviour" | "model" | "temperature">;

const UNKNOWN = "-";

/** A model's name may contain spaces. */
const groupOf = ({ version, behaviour, model, temperature }: GroupedCount): string =>
  [
    version,
    behaviour ?? UNKNOWN,
    model === undefined ? UNKNOWN : encodeURIComponent(model),
    temperature ?? UNKNOWN,
  ].join(" ");

export interface RunGroup {
  readonly version: LogicVersion;
  readonly behaviour: string | null;
  readonly model: string | null;
  readonly temperature: number | null;
}

export const groupParts = (group: string): RunGroup => {
  const [version = "", ...rest] = group.split(" ");
  const [behaviour, model, temperature] = rest.map((part) => (part === UNKNOWN ? null : part));
  return {
    version,
    behaviour: behaviour ?? null,
    model: model == null ? null : decodeURIComponent(model),
    temperature: temperature == null ? null : Number(temperature),
  };
};

/** Replaces the counts of some runs: `was` is subtracted, `is` is added. */
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
  version: _version,
  behaviour: _behaviour,
  model: _model,
  temperature: _temperature,
  verdict,
  failed,
  ...counts
}: RunCount): RunSum => ({
  runs: 1,
  failed: failed ? 1 : 0,
  good: verdict === "good" ? 1 : 0,
  bad: verdict === "bad" ? 1 : 0,
  ...counts,
});

export function plus(a: RunSum, b: RunSum, by: 1 | -1 = 1): RunSum {
  const sum = { ...a };
  for (const field of Object.keys(NO_RUNS) as (keyof RunSum)[]) sum[field] += by * b[field];
  return sum;
}

/** The sum of all matching groups. */
export const sumWhere = (sums: RunSums, fits: (group: RunGroup) => boolean): RunSum =>
  Object.entries(sums)
    .filter(([group]) => fits(groupParts(group)))
    .reduce((total, [, sum]) => plus(total, sum), NO_RUNS);

/** A run being added to the sum: its old count and its new one. */
const folding = z.strictObject({
  run: runId,
  was: runCount.nullable(),
  is: runCount.nullable(),
  /** The number of the first sum that counted it. */
  first: count,
  /** Hash of the run's record that will be replaced; null if there is none. */
  replaces: z.string().nullable(),
});
export type Folding = z.infer<typeof folding>;

/** `sum.json`. `check` covers the rest: an edit by hand or a torn file is detected on reading. */
export const runTally = z.strictObject({
  /** 1 did not group by model and temperature: such a tally is rebuilt. */
  format: z.literal(2),
  /** Identifies this incarnation of the tally: records of another epoch are ignored. */
  epoch: z.string(),
  seq: count,
  /** True if every finished run is in the sum or marked to be counted. */
  whole: z.boolean(),
  sums: z.record(z.string(), runSum),
  folding: z.array(folding),
});
export type RunTally = z.infer<typeof runTally>;

/** The count of one run in the sum. */
export const talliedRun = z.strictObject({ epoch: z.string(), seq: count, first: count, count: runCount.nullable() });
export type TalliedRun = z.infer<typeof talliedRun>;

export const sealed = (value: RunTally | TalliedRun): Uint8Array =>
  Buffer.from(`${JSON.stringify({ ...value, check: canonicalId(value) })}\n`);

/** Undefined if the check does not match. */
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
