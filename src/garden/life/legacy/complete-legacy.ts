import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { keys } from "../../../domain/layout.ts";
import type { ProposalState } from "../../../domain/proposal/proposal-state.ts";
import type { Store } from "../../../ports/store.ts";
import { filePending, rejectionOf } from "../../changes/inbox/entry-files.ts";
import { oneAtATime } from "../../changes/inbox/one-at-a-time.ts";
import { proposalIdOf } from "../../changes/inbox/proposal-from-entry.ts";
import { auditRefusal, completeEntry, refuseEntry } from "../../changes/inbox/receive.ts";
import { correlationHash, identityOf } from "../../changes/inbox/wish.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { findProposal } from "../../records/proposals/proposal-log.ts";
import type { LegacyRecord } from "./legacy-record.ts";

/** The result of importing one record of the earlier system. */
export type LegacyAnswer =
  | { readonly kind: "kept" }
  | {
      readonly kind: "proposal";
      readonly proposal: string;
      readonly status: ProposalState;
      readonly note: string;
      /** The text that it proposes now. */
      readonly text: string | undefined;
    }
  | { readonly kind: "refused"; readonly why: Text; readonly entry: string }
  /** A crash stopped the import here. */
  | { readonly kind: "open" };

export const isComplete = ({ kind }: LegacyAnswer): boolean => kind !== "open";

export async function legacyAnswer(store: Store, record: LegacyRecord): Promise<LegacyAnswer> {
  const entry = entryPlace(record);
  if (!entry) return { kind: "kept" };
  // The pending file is removed last: while it exists, a part of the work may be missing.
  if (await store.get(keys.pendingEntry(entry.id))) return { kind: "open" };
  const proposal = await findProposal(store, proposalIdOf(entry));
  if (proposal) {
    const { id, status, target: note, operation } = proposal;
    const text = operation.action === "propose-edit" ? operation.payload.text : undefined;
    return { kind: "proposal", proposal: id, status, note, text };
  }
  const rejection = await rejectionOf(store, entry);
  return rejection ? { kind: "refused", why: rejection.text, entry: entry.id } : { kind: "open" };
}

/** Makes the proposal of a pinned record, or files its refusal. Idempotent: everything is derived from the pinned entry. */
export async function completeLegacy(garden: Garden, record: LegacyRecord): Promise<void> {
  if (record.kind === "zone" || !record.entry) return;
  const { entry, refusal } = record;
  await oneAtATime(garden.store, correlationHash(entry), async () => {
    if (isComplete(await legacyAnswer(garden.store, record))) return;
    if (refusal) {
      const failure = new Failure(refusal.code, refusal.text);
      // The filed refusal marks the record as complete, so it comes last. No pending file: recovery would try it as a change.
      await auditRefusal(garden, entry, CHECK, failure);
      crashPoint("legacy.refusal-told");
      await refuseEntry(garden, entry, CHECK, failure);
      return;
    }
    await filePending(garden.store, entry);
    crashPoint("legacy.pending");
    const config = await currentSettings(garden);
    // Counted already: the rate limit protects from senders, and the owner sends these.
    await completeEntry(garden, config, entry, identityOf(entry.source, config), true);
    crashPoint("legacy.completed");
  });
}

/** The check of the gate that such a refusal belongs to. */
const CHECK = "possible";

/** Id and time of the entry are enough to find what it became. */
function entryPlace(record: LegacyRecord) {
  if (record.kind === "zone") return undefined;
  const { entry, became } = record;
  return entry ?? (became && { id: became.entry, source: { timestamp: became.at } });
}
