import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes } from "../../core/json-record.ts";
import { completeLegacy } from "./complete-legacy.ts";
import { type LegacyProposal, type LegacyRecord, legacyKey, legacyRecord } from "./legacy-record.ts";
import { everyLegacy } from "./read-legacy.ts";

/**
 * Completes imported records that a crash left open, and ends the parallel reading: a week after the import, the old texts and e-mail
 * addresses are removed. The line of history stays: note, guest, times, and what became of it. Returns the number of records ended.
 */
export async function tendLegacy(garden: Garden): Promise<number> {
  const now = garden.world.now();
  let [ended, until] = [0, ""];
  for await (const record of everyLegacy(garden.store)) {
    await completeLegacy(garden, record);
    if (!hasTexts(record) || Date.parse(record.until) > now) continue;
    if (await removeTexts(garden, record)) [ended, until] = [ended + 1, record.until];
  }
  if (ended > 0)
    await recordAudit(garden, `legacy-ended-${until.slice(0, 19).replaceAll(/\D/g, "")}`, {
      kind: "legacy-ended",
      at: new Date(now).toISOString(),
      by: "gateway",
      subject: "legacy",
      details: { records: ended, until },
    });
  return ended;
}

const hasTexts = (record: LegacyRecord): record is LegacyProposal =>
  record.kind === "proposal" && (record.old.proposedContent !== undefined || record.old.guestEmail !== null);

/** Compare-and-swap: of two processes one removes them. */
async function removeTexts({ store }: Garden, record: LegacyProposal): Promise<boolean> {
  const key = legacyKey(record);
  const there = await store.get(key);
  if (!there) return false;
  const { entry, old, ...rest } = record;
  const { originalContent: _, proposedContent: __, ...kept } = old;
  const slim = {
    ...rest,
    old: { ...kept, guestEmail: null },
    ...(entry && { became: { entry: entry.id, at: entry.source.timestamp } }),
  };
  return (await store.swap(key, there.hash, jsonBytes(legacyRecord.parse(slim)))).kind === "swapped";
}
