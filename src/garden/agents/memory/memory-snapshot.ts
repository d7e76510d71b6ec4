import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, memoryFolder } from "../../../domain/layout.ts";
import {
  archiveOf,
  archiveText,
  type MemoryArchive,
  readArchive,
  SNAPSHOT_ID,
  snapshotId,
} from "../../../domain/memory/memory-archive.ts";
import type { Repo } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { readMemory } from "../../records/memory/memory-state.ts";

/** All files of an agent's memory at a commit, layer 2 included. Deterministic: same commit, same archive. */
export async function archiveMemory(repo: Repo, at: Oid, slug: string): Promise<MemoryArchive> {
  const { version } = await readMemory(repo, at, slug);
  const files: Record<string, MemoryArchive["files"][string]> = {};
  for (const { path, mode } of await repo.list(at, memoryFolder(slug))) {
    const file = mode === "160000" ? undefined : await repo.read(at, path);
    if (file) files[path.slice(memoryFolder(slug).length + 1)] = contentOf(file.bytes);
  }
  const { committer } = await repo.commit(at);
  return archiveOf({ agentId: slug, commit: at, at: new Date(committer.at).toISOString(), version, files });
}

function contentOf(bytes: Uint8Array): MemoryArchive["files"][string] {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
}

/**
 * Stores an archive of the memory under `agents/<slug>/memory/snapshots/`. Idempotent: the id is derived from the content. The memory
 * does not change, so no decision is needed. Throws NOT_FOUND if the agent has no memory.
 */
export async function takeSnapshot(
  { repo, store }: Pick<Garden, "repo" | "store">,
  at: Oid,
  slug: string,
): Promise<{ readonly id: string; readonly archive: MemoryArchive }> {
  const archive = await archiveMemory(repo, at, slug);
  if (Object.keys(archive.files).length === 0) throw noMemory(slug);
  const id = snapshotId(archive);
  await store.create(keys.memorySnapshot(slug, id), Buffer.from(archiveText(archive)));
  return { id, archive };
}

export interface KeptSnapshot extends Pick<MemoryArchive, "commit" | "at" | "version"> {
  readonly id: string;
  readonly files: number;
  /** A damaged snapshot cannot be restored. */
  readonly damaged: boolean;
}

/** Sorted by version, oldest first. */
export async function listSnapshots(store: Store, slug: string): Promise<KeptSnapshot[]> {
  const found: KeptSnapshot[] = [];
  for await (const { key } of everyKey(store, keys.memorySnapshots(slug))) {
    const id = key.slice(keys.memorySnapshots(slug).length).replace(/\.json$/, "");
    if (!SNAPSHOT_ID.test(id)) continue;
    try {
      const { commit, at, version, files } = await readSnapshot(store, slug, id);
      found.push({ id, commit, at, version, files: Object.keys(files).length, damaged: false });
    } catch {
      found.push({ id, commit: "", at: "", version: Number(/\d+/.exec(id)![0]), files: 0, damaged: true });
    }
  }
  return found.toSorted((a, b) => a.version - b.version || (a.at < b.at ? -1 : 1));
}

export async function readSnapshot(store: Store, slug: string, id: string): Promise<MemoryArchive> {
  const stored = SNAPSHOT_ID.test(id) ? await store.get(keys.memorySnapshot(slug, id)) : undefined;
  if (!stored) throw noSnapshot(slug, id);
  return readArchive(Buffer.from(stored.bytes).toString(), `store:${keys.memorySnapshot(slug, id)}`);
}

const noMemory = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${slug} has no memory yet`,
    uk: `${slug} ще не має пам'яті`,
    details: { agent: slug },
  });
const noSnapshot = (slug: string, id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the memory of ${slug} has no snapshot ${id}`,
    uk: `у пам'яті ${slug} немає знімка ${id}`,
    hint: { en: `\`bloom memory snapshots ${slug}\` lists them.`, uk: `Список: \`bloom memory snapshots ${slug}\`.` },
    details: { agent: slug, snapshot: id },
  });
