import { everyKey, type Store } from "../../../ports/store.ts";

/** Proposals that are approved and not applied yet, by their views: at least all of them, perhaps some that are over. */
export async function* openProposals(store: Store): AsyncGenerator<{ readonly id: string; readonly key: string }> {
  for await (const { key } of everyKey(store, "proposals/approved/")) {
    const id = /\/(prop_[0-9a-z_-]+)\.json$/.exec(key)?.[1];
    if (id !== undefined) yield { id, key };
  }
}
