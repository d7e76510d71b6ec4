import { type ProposalCard, proposalCard } from "../../../domain/proposal/proposal-card.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";

/** The keys of proposal views, and how to read one. */
export const PENDING_VIEWS = "proposals/pending/";

/** The id of the proposal in a key of `proposals/pending/`; undefined for another key. */
export const pendingIdIn = (key: string): string | undefined =>
  /^proposals\/pending\/(prop_[^/]+)\.json$/.exec(key)?.[1];

/** Proposals that are approved and not applied yet. A superset: a crash can leave the view of one that is closed. */
export async function* approvedViews(store: Store): AsyncGenerator<{ readonly id: string; readonly key: string }> {
  for await (const { key } of everyKey(store, "proposals/approved/")) {
    const id = /\/(prop_[0-9a-z_-]+)\.json$/.exec(key)?.[1];
    if (id !== undefined) yield { id, key };
  }
}

/** The id of the proposal in a key of a view of another state. */
export const viewIdIn = (key: string): string | undefined =>
  /^proposals\/(?:approved|rejected|applied|expired|failed)\/\d{4}-\d{2}\/(prop_[^/]+)\.json$/.exec(key)?.[1];

/** The card in a view; undefined if the view is missing or damaged. */
export async function cardIn(store: Store, key: string): Promise<ProposalCard | undefined> {
  const stored = await store.get(key);
  return tryReadJson(stored?.bytes, proposalCard);
}
