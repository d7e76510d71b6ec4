import { z } from "zod";
import { kvProposal, kvZone } from "../../../domain/import/kv/kv-record.ts";
import { keys } from "../../../domain/layout.ts";
import { inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Store } from "../../../ports/store.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";

/** Source 003 §4.5: both systems are read side by side for a week after the import. */
export const LEGACY_DAYS = 7;

const pinned = {
  id: z.string(),
  /** The hash of the old record: another dump with another content is noticed. */
  hash: z.string(),
  /** SHA-256 of the dump. */
  dump: z.string(),
  imported_at: z.iso.datetime(),
  /** The end of the parallel reading: texts and e-mail addresses are removed then. */
  until: z.iso.datetime(),
};

/** A refusal that the import decided before the gate: no such note, or a conflict. */
const refusal = z.strictObject({
  code: z.enum(["NOT_FOUND", "CONCURRENT_MODIFICATION", "VALIDATION_FAILED"]),
  text: z.strictObject({ uk: z.string(), en: z.string() }),
});

/**
 * A record of the earlier system as it was imported: created once, so that a repeated import, also after a crash, follows the same
 * plan. `entry` is the inbox entry of a pending proposal; its id is pinned, and everything that follows is derived from it.
 */
export const legacyRecord = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("proposal"),
    ...pinned,
    old: kvProposal.partial({ originalContent: true, proposedContent: true }),
    entry: inboxEntry.optional(),
    refusal: refusal.optional(),
    /** In place of `entry` after the parallel reading. */
    became: z.strictObject({ entry: z.string(), at: z.iso.datetime() }).optional(),
  }),
  z.strictObject({ kind: z.literal("zone"), ...pinned, old: kvZone }),
]);
export type LegacyRecord = z.infer<typeof legacyRecord>;
export type LegacyProposal = Extract<LegacyRecord, { kind: "proposal" }>;

export const legacyKey = ({ kind, id }: Pick<LegacyRecord, "kind" | "id">): string =>
  keys.legacyRecord(kind === "zone" ? "zones" : "proposals", id);

export async function findLegacy(
  store: Store,
  name: Pick<LegacyRecord, "kind" | "id">,
): Promise<LegacyRecord | undefined> {
  const key = legacyKey(name);
  const there = await store.get(key);
  return there && readJson(key, there.bytes, legacyRecord);
}

/** Creates the record, or returns the one that an earlier import created. */
export async function pinLegacy(store: Store, record: LegacyRecord): Promise<LegacyRecord> {
  const key = legacyKey(record);
  const { bytes } = await createOrFind(store, key, jsonBytes(record));
  return readJson(key, bytes, legacyRecord);
}
