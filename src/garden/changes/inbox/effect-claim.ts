import { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";

/**
 * A claim allows one pending proposal per effect: create-only `proposals/effects/<effect>`. It is released when the
 * proposal is decided. A claim whose entry and proposal are both missing is stale (left by a crash).
 */
const claimRecord = z.object({ proposal: z.string(), entry: z.string() });

/** Another pending proposal with this effect; `being-received` while its request is still being processed. */
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

/** Claims the effect for a proposal. Undefined if the claim is ours; else the proposal that has it. */
export async function claimEffect(
  store: Store,
  effect: string,
  own: { readonly proposal: string; readonly entry: string },
): Promise<Proposal | "being-received" | undefined> {
  const key = keys.sameEffect(effect);
  for (;;) {
    if ((await store.create(key, Buffer.from(`${JSON.stringify(own)}\n`))).kind === "created") return undefined;
    const there = await store.get(key);
    if (!there) continue; // released a moment ago
    if (readClaim(there.bytes)?.proposal === own.proposal) return undefined;
    const other = await identicalPending(store, effect, own.proposal);
    if (other) return other;
    await store.remove(key, there.hash); // stale; if another process claimed it meanwhile, the hash differs and the next round sees it
  }
}

function readClaim(bytes: Uint8Array): z.infer<typeof claimRecord> | undefined {
  return tryReadJson(bytes, claimRecord);
}
