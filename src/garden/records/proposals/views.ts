import { type ProposalCard, proposalCard } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";

/** Where the views of proposals lie, and how to read one. */
export const PENDING_VIEWS = "proposals/pending/";

/** The proposal that a key of any view is about; undefined for a key that is none. */
export const pendingIdIn = (key: string): string | undefined =>
  /^proposals\/pending\/(prop_[^/]+)\.json$/.exec(key)?.[1];

export const viewIdIn = (key: string): string | undefined =>
  /^proposals\/(?:approved|rejected|applied|expired|failed)\/\d{4}-\d{2}\/(prop_[^/]+)\.json$/.exec(key)?.[1];

/** The card in a view; undefined if the view is gone or damaged. */
export async function cardIn(store: Store, key: string): Promise<ProposalCard | undefined> {
  const stored = await store.get(key);
  if (!stored) return undefined;
  try {
    return proposalCard.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
  } catch {
    return undefined;
  }
}
