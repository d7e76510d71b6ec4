import { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";

/**
 * One pending proposal per effect: whoever creates `proposals/effects/<effect>` first may make theirs. The claim is given
 * back when the proposal is decided. A claim that a crash left behind is one whose entry and proposal are both gone.
 */
const claim = z.object({ proposal: z.string(), entry: z.string() });

/** Another pending proposal with this effect; `being-received` while its own request is still at work. */
export async function identicalPending(
  store: Store,
  effect: string,
  own: string,
): Promise<Proposal | "being-received" | undefined> {
  const there = await store.get(keys.sameEffect(effect));
  const held = there && readClaim(there.bytes);
  if (!held || held.proposal === own) return undefined;
  const other = await findReadable(store, held.proposal);
  if (other) return other.status === "pending" ? other : undefined;
  return (await store.get(keys.pendingEntry(held.entry))) ? "being-received" : undefined;
}

/** Takes the effect for a proposal. Undefined when it is ours; else who has it. */
export async function claimEffect(
  store: Store,
  effect: string,
  own: { readonly proposal: string; readonly entry: string },
): Promise<Proposal | "being-received" | undefined> {
  const key = keys.sameEffect(effect);
  for (;;) {
    if ((await store.create(key, Buffer.from(`${JSON.stringify(own)}\n`))).kind === "created") return undefined;
    const there = await store.get(key);
    if (!there) continue; // given back a moment ago
    if (readClaim(there.bytes)?.proposal === own.proposal) return undefined;
    const other = await identicalPending(store, effect, own.proposal);
    if (other) return other;
    await store.remove(key, there.hash); // stale, unless it changed hands meanwhile: then the next round tells
  }
}

function readClaim(bytes: Uint8Array): z.infer<typeof claim> | undefined {
  return tryReadJson(bytes, claim);
}
