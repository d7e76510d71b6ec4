import { keys } from "../../../domain/layout.ts";
import { type ProposalMade, proposalMade } from "../../../domain/proposal/proposal.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";

/**
 * Which reverts name a proposal (P-10b): a proposal does not know who takes it back, and looking through all others for it
 * would cost what the garden has ever seen. A view that is a superset at every instant; whoever reads it asks the revert itself.
 */
export const takenBackBy = (id: string): string => keys.takenBack(id, "").slice(0, -".json".length);

export const takenBackIn = (key: string): string | undefined =>
  /^views\/taken-back\/[^/]+\/(prop_[^/]+)\.json$/.exec(key)?.[1];

export const noteRevert = (store: Store, reverted: string, by: string): Promise<void> =>
  store.put(keys.takenBack(reverted, by), Buffer.from("{}\n"));

/** Somebody deleted the views: walks through all proposals once. Otherwise one read. Answers with how many reverts there are. */
export async function restoreReverts(store: Store): Promise<number> {
  if (await store.get(keys.takenBackWhole)) return 0;
  let put = 0;
  for await (const { key } of everyKey(store, keys.proposalLogs)) {
    if (!key.endsWith("/0000.json")) continue;
    const made = madeIn((await store.get(key))?.bytes);
    if (made?.reverts === undefined) continue;
    await noteRevert(store, made.reverts, made.id);
    put++;
  }
  await store.put(keys.takenBackWhole, Buffer.from("{}\n"));
  return put;
}

/** One that is damaged is `bloom verify`'s to tell. */
export function madeIn(bytes: Uint8Array | undefined): ProposalMade | undefined {
  return tryReadJson(bytes, proposalMade);
}
