import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { MAX_SOURCE_BYTES } from "../front-source.ts";
import type { KvPair } from "./kv-dump.ts";

const MAX_TIME = 4_102_444_800_000; // the year 2100
const id = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/);
/** Text that has a canonical form and that a file can hold: no half surrogate pairs, no zero bytes. */
const upTo = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed() && !value.includes("\0"));
const line = upTo(300);
const text = upTo(10 * MAX_SOURCE_BYTES);
const time = z.int().min(0).max(MAX_TIME);

/** An edit that a guest proposed in the earlier system; times in milliseconds. */
export const kvProposal = z.object({
  proposalId: id,
  zoneId: upTo(200),
  zoneName: line.default(""),
  noteSlug: upTo(1000),
  noteTitle: line.default(""),
  originalContent: text,
  proposedContent: text,
  guestName: line.default(""),
  guestEmail: upTo(320).nullable().default(null),
  status: z.enum(["pending", "accepted", "rejected"]),
  createdAt: time,
  updatedAt: time.optional(),
  reviewedAt: time.nullable().default(null),
});
export type KvProposal = z.infer<typeof kvProposal>;

/** A zone of the earlier system. The access code and the notes' contents are never read: the shape has no field for them. */
export const kvZone = z.object({
  zoneId: id,
  name: line,
  description: upTo(10_000).default(""),
  accessType: line.optional(),
  consentRequired: z.boolean().optional(),
  allowedPaths: z.array(upTo(1000)).max(1000).default([]),
  notes: z
    .array(z.object({ slug: upTo(1000), title: line.default("") }))
    .max(10_000)
    .default([]),
  expiresAt: time.nullable().optional(),
  createdAt: time,
  createdBy: line.optional(),
});
export type KvZone = z.infer<typeof kvZone>;

/** A pair of the dump after its check. */
export type KvRecord =
  | { readonly kind: "proposal"; readonly pair: KvPair; readonly hash: string; readonly proposal: KvProposal }
  | { readonly kind: "zone"; readonly pair: KvPair; readonly hash: string; readonly zone: KvZone }
  /** A derived list, or a key of another part of the earlier system: `why` it is left out. */
  | { readonly kind: "left"; readonly pair: KvPair; readonly why: Text }
  | { readonly kind: "refused"; readonly pair: KvPair; readonly why: Text };

/** Checks every pair. Two pairs with one key and different values are refused both: none of them can be trusted more. */
export function checkKvPairs(pairs: readonly KvPair[]): KvRecord[] {
  const records = pairs.map(checkPair);
  const first = new Map<string, string>();
  const torn = new Set<string>();
  for (const record of records)
    if (hasHash(record)) {
      const other = first.get(record.pair.key);
      if (other !== undefined && other !== record.hash) torn.add(record.pair.key);
      first.set(record.pair.key, other ?? record.hash);
    }
  const seen = new Set<string>();
  return records.map((record) => {
    if (!hasHash(record)) return record;
    const { pair } = record;
    if (torn.has(pair.key)) return { kind: "refused", pair, why: TWICE };
    if (seen.has(pair.key)) return { kind: "left", pair, why: REPEATED };
    seen.add(pair.key);
    return record;
  });
}

const hasHash = (record: KvRecord): record is Extract<KvRecord, { hash: string }> => "hash" in record;

function checkPair(pair: KvPair): KvRecord {
  const { key, value, problem } = pair;
  const [, kind, name] = /^(proposal|zone):(.*)$/s.exec(key) ?? [];
  if (kind === undefined) {
    if (key === "" && problem) return { kind: "refused", pair, why: problem };
    return { kind: "left", pair, why: /^(?:proposals|zones):/.test(key) ? DERIVED : OTHER_KEY };
  }
  if (problem) return { kind: "refused", pair, why: problem };
  const shape: z.ZodType<KvProposal | KvZone> = kind === "proposal" ? kvProposal : kvZone;
  const checked = shape.safeParse(value);
  if (!checked.success) return { kind: "refused", pair, why: problemsText(checked.error) };
  const { data } = checked;
  const own = "proposalId" in data ? data.proposalId : data.zoneId;
  if (own !== name) return { kind: "refused", pair, why: OTHER_ID };
  const hash = canonicalId(data);
  return "proposalId" in data
    ? { kind: "proposal", pair, hash, proposal: data }
    : { kind: "zone", pair, hash, zone: data };
}

/** Names the fields, never their values: a value may be an access code. */
function problemsText({ issues }: z.ZodError): Text {
  const fields = [...new Set(issues.map(({ path }) => path.map(String).join(".") || "value"))].slice(0, 10).join(", ");
  return { en: `missing or not of its type: ${fields}`, uk: `немає або не того типу: ${fields}` };
}

const TWICE: Text = {
  en: "the dump has this key twice, with different values",
  uk: "цей ключ є в дампі двічі, з різними значеннями",
};
const REPEATED: Text = { en: "a repetition of an earlier pair", uk: "повтор попередньої пари" };
const DERIVED: Text = {
  en: "a derived list of ids: the records themselves decide",
  uk: "похідний список ідентифікаторів: вирішують самі записи",
};
const OTHER_KEY: Text = {
  en: "neither a proposal nor a zone: its value was not read",
  uk: "не пропозиція й не зона: значення не прочитано",
};
const OTHER_ID: Text = {
  en: "the id inside is not that of the key",
  uk: "ідентифікатор усередині не той, що в ключі",
};
