import { z } from "zod";
import { blobId, canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { isLostAnswer } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";

/**
 * A change of an agent's files by the program (G-1a): by whom, when and why, and the hash of every file before and after. It is
 * put before the first file is written and deleted when a commit has it, so a crash in between loses neither the change nor its
 * author: `commitAgentFiles` makes the commit later.
 */
export const agentChange = z.strictObject({
  slug: z.string(),
  /** The change in words, for the subject of the commit: `draft → active`. */
  what: z.string(),
  /** The name of an identity. */
  by: z.string(),
  at: z.iso.datetime(),
  why: z.string().optional(),
  run: z.string().optional(),
  /** The applied proposal, or the person's commit, whose logic was exported. */
  cause: z.string().optional(),
  logic: z.string().optional(),
  files: z.array(z.strictObject({ key: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type AgentChange = z.infer<typeof agentChange>;
export type NewAgentChange = Omit<AgentChange, "files">;

const changeId = ({ slug, what, by, at }: NewAgentChange): string => canonicalId({ slug, what, by, at }).slice(0, 16);

/** Pending changes of an agent, oldest first, each with its key. */
export async function pendingChanges(
  store: Store,
  slug: string,
): Promise<readonly { readonly key: string; readonly change: AgentChange }[]> {
  const found: { key: string; change: AgentChange }[] = [];
  for (const { key } of (await store.list(keys.agentChangesOf(slug))).entries) {
    const change = tryReadJson((await store.get(key))?.bytes, agentChange);
    if (change) found.push({ key, change });
  }
  return found.toSorted((a, b) => (a.change.at < b.change.at ? -1 : a.change.at > b.change.at ? 1 : 0));
}

export interface AgentFileWrite {
  readonly key: string;
  readonly expected: Hash | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly first?: true;
}

/**
 * Creates, swaps or removes (`bytes` undefined) one file of an agent as part of a change. Returns false if the file is not the
 * expected one (`undefined`: there must be none); an equal file counts as written unless the caller must be the first.
 */
export async function writeAgentFile(
  { store }: Pick<Garden, "store">,
  change: NewAgentChange,
  file: AgentFileWrite,
): Promise<boolean> {
  const after = file.bytes ? blobId(file.bytes) : undefined;
  const marker = keys.agentChange(change.slug, changeId(change));
  const known = tryReadJson((await store.get(marker))?.bytes, agentChange)?.files ?? [];
  const others = known.filter(({ key }) => key !== file.key);
  const files = [...others, { key: file.key, before: file.expected ?? null, after: after ?? null }];
  await store.put(marker, jsonBytes({ ...change, files } satisfies AgentChange));
  crashPoint("agent.change.announced");
  const isWritten = await written(store, file, after);
  if (!isWritten) {
    if (others.length === 0) await store.delete(marker);
    else await store.put(marker, jsonBytes({ ...change, files: others } satisfies AgentChange));
  }
  return isWritten;
}

async function written(
  store: Store,
  { key, expected, bytes, first }: AgentFileWrite,
  after: Hash | undefined,
): Promise<boolean> {
  try {
    if (!bytes) return expected === undefined || (await store.remove(key, expected)).kind === "removed";
    if (expected !== undefined) return (await store.swap(key, expected, bytes)).kind === "swapped";
    if ((await store.create(key, bytes)).kind === "created") return true;
    return !first && (await store.get(key))?.hash === after;
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    // The answer was lost: read back whether it was written.
    const there = (await store.get(key))?.hash;
    if (there === after) return true;
    if (there !== expected) return false;
    throw error;
  }
}
