import { z } from "zod";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { invalidAgentMove, isAgentState } from "../../../domain/contract/agent-state.ts";
import { contractFile, frontFields } from "../../../domain/contract/contract-file.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { noAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";

export interface Deletion {
  readonly slug: string;
  readonly by: Identity;
  /** The slug once more, as the person typed it: there is no way back. */
  readonly confirm: string;
  readonly reason?: string | undefined;
}

export interface Deleted {
  readonly slug: string;
  /** How many objects went. */
  readonly removed: number;
}

type Ports = Pick<Garden, "store" | "world" | "signals">;

/** Names in the audit record; the count goes on where an agent has more. */
const MAX_NAMED = 20_000;

/**
 * Deletes an archived agent with its whole folder (C-6). What is in git (notes, memory, logic versions) stays: it is history.
 *
 * In this order, so that a crash between any two lines loses nothing that must stay and keeps nothing that must go:
 * a mark in the folder; the record of what was there; the contract, with which the agent ends (C-1); everything else; the mark.
 * While the mark stands without a contract, the folder is nobody's: deleting again goes on, and so does creating an agent of
 * the same name, which therefore never inherits runs or memory of the one before.
 */
export async function deleteAgent(garden: Ports, deletion: Deletion): Promise<Deleted> {
  const { slug, by, confirm } = deletion;
  const { store } = garden;
  if (by.type !== "owner") throw onlyOwner(slug, by);
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) {
    if (!isSlug(slug) || !(await store.get(keys.agentDeletion(slug)))) throw noAgent(slug);
    if (confirm !== slug) throw notConfirmed(slug);
    return { slug, removed: await finishDeletion(garden, slug) };
  }
  const text = new TextDecoder().decode(stored.bytes);
  const file = contractFile(text);
  const status = file && frontFields(file)?.["status"];
  if (isAgentState(status) && status !== "archived") throw invalidAgentMove(slug, status, "deleted");
  if (confirm !== slug) throw notConfirmed(slug);
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
  const gone = await store.remove(contractKey(slug), stored.hash);
  if (gone.kind === "moved" && gone.hash !== undefined) {
    await removeWhatever(store, keys.agentDeletion(slug));
    throw changedMeanwhile(slug);
  }
  crashPoint("agent.delete.ended");
  return { slug, removed: 1 + (await finishDeletion(garden, slug)) };
}

/** Removes what is left of an agent whose deletion was begun. Returns how many objects went. */
export async function finishDeletion(garden: Ports, slug: string): Promise<number> {
  const { store } = garden;
  const mark = await store.get(keys.agentDeletion(slug));
  if (!mark) return 0;
  let removed = 0;
  for await (const { key } of everyKey(store, keys.agentFolder(slug))) {
    if (key === keys.agentDeletion(slug)) continue;
    // Also if it changes meanwhile: a run that was under way may still write.
    for (let old = await store.get(key); old; old = await store.get(key)) {
      // Somebody else may have finished and made the agent anew: without the mark nothing here is the old one's.
      if ((await store.get(keys.agentDeletion(slug)))?.hash !== mark.hash) return removed;
      if ((await store.remove(key, old.hash)).kind !== "removed") continue;
      removed++;
      break;
    }
    crashPoint("agent.delete.one-gone");
  }
  await store.delete(keys.memoryUse(slug));
  for (const views of [keys.recountsOf(slug), keys.tallyFolder(slug)])
    for await (const { key } of everyKey(store, views)) await store.delete(key);
  await store.remove(keys.agentDeletion(slug), mark.hash);
  await refreshRegistry(garden);
  return removed;
}

/** The time of the deletion: of the first attempt, where one was interrupted, so that it is recorded once. */
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

/** Whatever stands there, also if it changes meanwhile. */
async function removeWhatever(store: Store, key: string): Promise<boolean> {
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

const onlyOwner = (slug: string, by: Identity): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: "only the owner may delete an agent", uk: "лише власник може видалити агента" },
    { details: { agent: slug, by: identityName(by) } },
  );

const notConfirmed = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `deleting ${slug} takes its whole folder and cannot be undone: it must be confirmed by name`,
      uk: `видалення ${slug} забирає всю його теку, і вороття немає: це треба підтвердити назвою`,
    },
    {
      hint: {
        en: `\`bloom agent delete ${slug} --confirm ${slug}\``,
        uk: `\`bloom agent delete ${slug} --confirm ${slug}\``,
      },
      details: { agent: slug },
    },
  );

const changedMeanwhile = (slug: string): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: `${contractKey(slug)} was changed meanwhile, and nothing was deleted`,
      uk: `${contractKey(slug)} тим часом змінили, і нічого не видалено`,
    },
    { details: { agent: slug } },
  );
