import { z } from "zod";
import { blobId } from "../../../base/canonical.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { isDamagedRecord, tryReadJson } from "../../core/json-record.ts";
import { findProposal, findReadable } from "../../records/proposals/proposal-log.ts";

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

/**
 * Removes a claim whose proposal is not pending, unless its request is still being processed; returns whether it did. Safe beside
 * processes at work: a claim that was replaced since it was read stays.
 */
export async function dropStaleClaim(store: Store, key: string): Promise<boolean> {
  const there = await store.get(key);
  const held = there && readClaim(there.bytes);
  if (!held || !(await isStale(store, key, held))) return false;
  if ((await store.remove(key, there.hash)).kind === "moved") return false;
  await restoreClaim(store, held.proposal); // withdrawn and pending again meanwhile
  return true;
}

/** True if neither a pending proposal nor a request in process has this claim. Throws if the proposal is damaged. */
async function isStale(store: Store, key: string, held: z.infer<typeof claimRecord>): Promise<boolean> {
  const proposal = await findProposal(store, held.proposal);
  if (proposal) return proposal.status !== "pending" || keys.sameEffect(proposal.effect) !== key;
  return !(await store.get(keys.pendingEntry(held.entry)));
}

/** Gives a pending proposal its claim if nobody holds it. Undone if the proposal was decided meanwhile. */
export async function restoreClaim(store: Store, id: string): Promise<void> {
  const proposal = await findProposal(store, id);
  if (proposal?.status !== "pending") return;
  const key = keys.sameEffect(proposal.effect);
  const claim = Buffer.from(`${JSON.stringify({ proposal: id, entry: proposal.entry_id })}\n`);
  if ((await store.create(key, claim)).kind === "created" && (await findProposal(store, id))?.status !== "pending")
    await store.remove(key, blobId(claim));
}

/** Removes the claims that a crash left behind. `pending`: the proposals known to be pending, whose claims are not looked at. */
export async function settleClaims(store: Store, pending: ReadonlySet<string>): Promise<void> {
  for await (const { key } of everyKey(store, CLAIMS)) {
    const held = readClaim((await store.get(key))?.bytes);
    if (held && !pending.has(held.proposal)) await dropStaleClaim(store, key).catch(ignoreDamaged);
  }
}

/** True for a claim that exists and names no proposal. */
export const isUnreadableClaim = (bytes: Uint8Array | undefined): boolean => bytes !== undefined && !readClaim(bytes);

/** Prefix of the keys of all claims. */
export const CLAIMS = keys.sameEffect("").replace(/\.json$/, "");

const ignoreDamaged = (error: unknown): void => {
  if (!isDamagedRecord(error)) throw error; // `bloom verify` reports the record
};

function readClaim(bytes: Uint8Array | undefined): z.infer<typeof claimRecord> | undefined {
  return tryReadJson(bytes, claimRecord);
}
