import { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";

/** S-9b: the owner's word that a behaviour is not wanted for an agent. It holds for that version of the behaviour. */
export const suggestionDismissal = z.strictObject({
  id: z.string(),
  agent: z.string(),
  behaviour: z.string(),
  name: z.string(),
  garden: z.string(),
  their_version: z.string(),
  reason: z.string().min(1).max(2000),
  by: z.string(),
  at: z.iso.datetime(),
});
export type SuggestionDismissal = z.infer<typeof suggestionDismissal>;

/** Newest first. A damaged record is left out: its suggestion appears again. */
export async function dismissedSuggestions(store: Store): Promise<readonly SuggestionDismissal[]> {
  const found: SuggestionDismissal[] = [];
  for await (const { key } of everyKey(store, keys.dismissedSuggestions)) {
    const one = tryReadJson((await store.get(key))?.bytes, suggestionDismissal);
    if (one) found.push(one);
  }
  return found.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
