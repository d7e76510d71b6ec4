import { keys } from "../../../domain/layout.ts";
import { type ProposalMade, proposalMade } from "../../../domain/proposal/proposal.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";

/**
 * Views of the reverts of a proposal (P-10b), because a proposal does not record its reverts and searching all proposals
 * would be slow. Always a superset: readers check the revert itself.
 */
export const revertViewsOf = (id: string): string => keys.takenBack(id, "").slice(0, -".json".length);

export const revertIdIn = (key: string): string | undefined =>
  /^views\/taken-back\/[^/]+\/(prop_[^/]+)\.json$/.exec(key)?.[1];

export const addRevertView = (store: Store, reverted: string, by: string): Promise<void> =>
  store.put(keys.takenBack(reverted, by), Buffer.from("{}\n"));

/** Makes the views again if they were deleted, from all proposals; otherwise one read. Returns the number of views written. */
export async function restoreRevertViews(store: Store): Promise<number> {
  if (await store.get(keys.takenBackWhole)) return 0;
  let put = 0;
  for await (const { key } of everyKey(store, keys.proposalLogs)) {
    if (!key.endsWith("/0000.json")) continue;
    const made = firstEventIn((await store.get(key))?.bytes);
    if (made?.reverts === undefined) continue;
    await addRevertView(store, made.reverts, made.id);
    put++;
  }
  await store.put(keys.takenBackWhole, Buffer.from("{}\n"));
  return put;
}

/** The first event of a proposal; undefined if it is missing or damaged. */
export function firstEventIn(bytes: Uint8Array | undefined): ProposalMade | undefined {
  return tryReadJson(bytes, proposalMade);
}
