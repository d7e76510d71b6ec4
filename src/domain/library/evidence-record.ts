import { z } from "zod";
import { canonicalJson, type Json } from "../../base/canonical.ts";

/** S-9b: one run of a behaviour as it travels: its verdict and, where it can be replayed, its decisions without any text of the garden. */

const json = z.json() as z.ZodType<Json>;

/** The request of an icon: `tool read-notes`, `judge question`. */
const asked = { ask: z.string().max(200), icon: z.string().max(100) };
const walkAnswer = z.union([
  z.strictObject({ ...asked, value: json }),
  z.strictObject({ ...asked, failed: z.string().max(100) }),
  z.strictObject({ ...asked, stopped: z.literal(true) }),
]);
export type WalkAnswer = z.infer<typeof walkAnswer>;

export const MOST_ANSWERS = 500;
export const MOST_ICONS_PASSED = 5000;
const evidenceWalk = z.strictObject({
  /** Initial values. */
  input: z.record(z.string().max(200), json),
  /** In the order in which the interpreter asks for them. */
  answers: z.array(walkAnswer).max(MOST_ANSWERS),
  /** The icons that were passed, each with the choice that was made there: `12`, `15=true`, `18=0`. */
  path: z.array(z.string().max(120)).max(MOST_ICONS_PASSED),
  /** `done`, `returned`, `failed`, `stopped`. */
  end: z.enum(["done", "returned", "failed", "stopped"]),
});
export type EvidenceWalk = z.infer<typeof evidenceWalk>;

export const evidenceRecord = z.strictObject({
  verdict: z.enum(["good", "bad", "open"]),
  failed: z.boolean(),
  tokens: z.int().nonnegative(),
  model: z.string().max(200),
  /** Null if the run's records do not tell it. */
  temperature: z.number().min(0).max(2).nullable(),
  walk: evidenceWalk.optional(),
});
export type EvidenceRecord = z.infer<typeof evidenceRecord>;

export const MOST_RECORDS = 500;
export const MOST_WALKS = 100;

const count = z.int().nonnegative();
const counts = { runs: count, failed: count, good: count, bad: count };
export const behaviourStatistics = z.strictObject({
  ...counts,
  tokens: count,
  /** The same runs by model and temperature, which are no part of the behaviour (S-9a). */
  models: z
    .array(z.strictObject({ model: z.string().max(200), temperature: z.number().min(0).max(2).nullable(), ...counts }))
    .max(100),
});
export type BehaviourStatistics = z.infer<typeof behaviourStatistics>;

/** The only statistics that these records give. */
export function statisticsOf(records: readonly EvidenceRecord[]): BehaviourStatistics {
  const groups = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    const key = JSON.stringify([record.model, record.temperature]);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return {
    ...countsOf(records),
    tokens: records.reduce((sum, { tokens }) => sum + tokens, 0),
    models: [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, of]) => ({ model: of[0]!.model, temperature: of[0]!.temperature, ...countsOf(of) })),
  };
}

const countsOf = (records: readonly EvidenceRecord[]) => ({
  runs: records.length,
  failed: records.filter(({ failed }) => failed).length,
  good: records.filter(({ verdict }) => verdict === "good").length,
  bad: records.filter(({ verdict }) => verdict === "bad").length,
});

/** One line per record, each canonical: there is one text for the same evidence. */
export const evidenceText = (records: readonly EvidenceRecord[]): string =>
  records.map((record) => `${canonicalJson(record)}\n`).join("");

/** Undefined unless the text is exactly what `evidenceText` writes, within the limits. */
export function readEvidence(text: string): readonly EvidenceRecord[] | undefined {
  const lines = text.split("\n").slice(0, -1);
  if (lines.length > MOST_RECORDS) return undefined;
  try {
    const records = lines.map((line) => evidenceRecord.parse(JSON.parse(line)));
    const walks = records.filter(({ walk }) => walk !== undefined).length;
    return walks <= MOST_WALKS && evidenceText(records) === text ? records : undefined;
  } catch {
    return undefined;
  }
}
