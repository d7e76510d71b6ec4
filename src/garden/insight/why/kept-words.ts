import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { type KeptWords, keptWords, MAX_KEEP_REASON } from "../../../domain/why/kept-words.ts";
import type { Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { mayNotKeep, nothingDiffers, unusableReason } from "./failures.ts";
import { brokenCommit } from "./propose-approved.ts";

/** The owner's reason to keep a commit that does not match its proposal; undefined if there is none. */
export async function findKeptWords(store: Store, proposal: string, commit: string): Promise<KeptWords | undefined> {
  const key = keys.keptWords(proposal, commit);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, keptWords);
}

/**
 * Records why the owner keeps a commit that does not match the proposal that it names (P-11): its story, `why` and `verify` then show
 * the reason in place of a warning. The first reason stays: a repetition returns it. FORBIDDEN for anybody but the owner;
 * VALIDATION_FAILED if the commit matches, or names no proposal.
 */
export async function keepWords(
  garden: Garden,
  { commit: named, by, reason }: { readonly commit: string; readonly by: Identity; readonly reason: string },
): Promise<KeptWords> {
  if (!isPerson(by)) throw mayNotKeep(identityName(by));
  const said = reason.trim();
  if (said === "" || said.length > MAX_KEEP_REASON || !said.isWellFormed()) throw unusableReason(MAX_KEEP_REASON);
  const { commit, proposal, isBroken } = await brokenCommit(garden, named);
  const before = await findKeptWords(garden.store, proposal.id, commit.oid);
  if (!before && !isBroken) throw nothingDiffers(commit.oid);
  const made: KeptWords = {
    proposal: proposal.id,
    commit: commit.oid,
    by: identityName(by),
    at: new Date(garden.world.now()).toISOString(),
    reason: said,
    op: operationMark(garden.world),
  };
  const key = keys.keptWords(proposal.id, commit.oid);
  const { bytes } = await createOrFind(garden.store, key, jsonBytes(keptWords.parse(made)));
  const kept = readJson(key, bytes, keptWords);
  // Its name is derived from the record, so writing it is idempotent.
  await recordAudit(garden, `${kept.proposal}-kept-${kept.commit.slice(0, 16)}`, {
    kind: "words-kept",
    at: kept.at,
    by: kept.by,
    subject: kept.proposal,
    why: kept.reason.slice(0, 500).toWellFormed(),
    details: { commit: kept.commit },
  });
  return kept;
}
