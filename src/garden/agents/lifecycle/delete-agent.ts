import { z } from "zod";
import { crashPoint } from "../../../base/crash-point.ts";
import { isAgentState } from "../../../domain/contract/agent-state.ts";
import { contractFile, frontFields } from "../../../domain/contract/contract-file.ts";
import { invalidAgentMove } from "../../../domain/contract/failures.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { contractKey, isAgentFileKey, keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { type NewAgentChange, writeAgentFile } from "../../records/agents/agent-changes.ts";
import { commitAgentFiles, commitHandEdits } from "../../records/agents/commit-agent-files.ts";
import { noAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { revokeTokensOf } from "../access/agent-tokens.ts";
import { changedDuringDeletion, deletionNotConfirmed } from "../failures.ts";

export interface Deletion {
  readonly slug: string;
  readonly by: Identity;
  /** The slug as the person typed it: a deletion cannot be undone. */
  readonly confirm: string;
  readonly reason?: string | undefined;
}

export interface Deleted {
  readonly slug: string;
  /** Number of removed objects. */
  readonly removed: number;
}

type Ports = Pick<Garden, "store" | "world" | "signals" | "repo" | "repos" | "config" | "dir" | "folder" | "settings">;

/** Keys listed in the audit record; of further objects it has the number only. */
const MAX_NAMED = 20_000;

/**
 * Deletes an archived agent with its whole folder in the store (C-6). Notes, memory and logic versions in git stay.
 *
 * The order makes it safe to crash between any two lines: a mark in the folder; the audit record with the contents; the contract,
 * with which the agent stops to exist (C-1); everything else; the mark. A mark without a contract is an unfinished deletion: deleting
 * again completes it, and so does creating an agent of that name, which therefore never inherits old runs.
 */
export async function deleteAgent(garden: Ports, deletion: Deletion): Promise<Deleted> {
  const { slug, by, confirm } = deletion;
  const { store } = garden;
  if (by.type !== "owner") throw onlyOwner(by, { en: "delete an agent", uk: "видалити агента" }, { agent: slug });
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) {
    if (!isSlug(slug) || !(await store.get(keys.agentDeletion(slug)))) throw noAgent(slug);
    if (confirm !== slug) throw deletionNotConfirmed(slug);
    return { slug, removed: await finishDeletion(garden, slug) };
  }
  const text = new TextDecoder().decode(stored.bytes);
  const front = contractFile(text);
  const status = front && frontFields(front)?.["status"];
  if (isAgentState(status) && status !== "archived") throw invalidAgentMove(slug, status, "deleted");
  if (confirm !== slug) throw deletionNotConfirmed(slug);
  await commitHandEdits(garden, slug); // git keeps what the person had not committed yet
  const at = await markDeletion(garden, slug, stored.hash);
  crashPoint("agent.delete.marked");
  await recordAudit(garden, `${slug}-deleted-${stored.hash.slice(0, 8)}`, {
    kind: "agent-deleted",
    at,
    by: identityName(by),
    subject: slug,
    ...(deletion.reason !== undefined && { why: deletion.reason }),
    details: { contract: text, ...(await contentsOf(store, slug)) },
  });
  crashPoint("agent.delete.recorded");
  const file = { key: contractKey(slug), expected: stored.hash, bytes: undefined };
  if (!(await writeAgentFile(garden, deletionOf(slug, at), file)) && (await store.get(contractKey(slug)))) {
    await removeAnyVersion(store, keys.agentDeletion(slug));
    throw changedDuringDeletion(slug);
  }
  crashPoint("agent.delete.ended");
  return { slug, removed: 1 + (await finishDeletion(garden, slug)) };
}

/** Completes an interrupted deletion. Returns the number of removed objects; 0 without a mark. */
export async function finishDeletion(garden: Ports, slug: string): Promise<number> {
  const { store } = garden;
  const mark = await store.get(keys.agentDeletion(slug));
  if (!mark) return 0;
  let removed = 0;
  for await (const { key } of everyKey(store, keys.agentFolder(slug))) {
    if (key === keys.agentDeletion(slug)) continue;
    // Retried if the object changes: a run that is still open may write.
    for (let old = await store.get(key); old; old = await store.get(key)) {
      // Another process may have finished and created the agent again: without the mark nothing here belongs to the old one.
      if ((await store.get(keys.agentDeletion(slug)))?.hash !== mark.hash) return removed;
      const isGone = isAgentFileKey(key)
        ? await writeAgentFile(garden, deletionOf(slug, parseMark(mark.bytes)?.at), {
            key,
            expected: old.hash,
            bytes: undefined,
          })
        : (await store.remove(key, old.hash)).kind === "removed";
      if (!isGone) continue;
      removed++;
      break;
    }
    crashPoint("agent.delete.one-gone");
  }
  await revokeTokensOf(garden, slug);
  await store.delete(keys.memoryUse(slug));
  for (const views of [keys.recountsOf(slug), keys.tallyFolder(slug)])
    for await (const { key } of everyKey(store, views)) await store.delete(key);
  await store.remove(keys.agentDeletion(slug), mark.hash);
  await refreshRegistry(garden);
  await commitAgentFiles(garden, slug);
  return removed;
}

/** Only the owner deletes. The time is that of the mark, so that a resumed deletion is the same change. */
const deletionOf = (slug: string, at = new Date(0).toISOString()): NewAgentChange => ({
  slug,
  what: "delete agent",
  by: "owner",
  at,
});

/** The time of the deletion; after an interruption that of the first attempt, so the audit record is idempotent. */
async function markDeletion({ store, world }: Ports, slug: string, contract: string): Promise<string> {
  const key = keys.agentDeletion(slug);
  for (;;) {
    const there = await store.get(key);
    const mark = there && parseMark(there.bytes);
    if (mark?.contract === contract) return mark.at;
    const at = new Date(world.now()).toISOString();
    const bytes = Buffer.from(`${JSON.stringify({ contract, at })}\n`);
    const made = there ? await store.swap(key, there.hash, bytes) : await store.create(key, bytes);
    if (made.kind === "created" || made.kind === "swapped") return at;
  }
}

function parseMark(bytes: Uint8Array): { contract: string; at: string } | undefined {
  return tryReadJson(bytes, deletionMark);
}

const deletionMark = z.object({ contract: z.string(), at: z.iso.datetime() });

/** Removes the object, also if it changes meanwhile. */
async function removeAnyVersion(store: Store, key: string): Promise<boolean> {
  for (let stored = await store.get(key); stored; stored = await store.get(key))
    if ((await store.remove(key, stored.hash)).kind === "removed") return true;
  return false;
}

async function contentsOf(
  store: Store,
  slug: string,
): Promise<{ objects: { key: string; hash: string }[]; count: number }> {
  const objects: { key: string; hash: string }[] = [];
  let count = 0;
  for await (const { key } of everyKey(store, keys.agentFolder(slug))) {
    if (key === keys.agentDeletion(slug)) continue;
    count++;
    const stored = objects.length < MAX_NAMED ? await store.get(key) : undefined;
    if (stored) objects.push({ key, hash: stored.hash });
  }
  return { objects, count };
}
