import { bookkeepingOf, isGatewayCommit } from "../../domain/gateway-commit.ts";
import type { Oid } from "../../domain/git-names.ts";
import { memoryFolder, memoryPath } from "../../domain/layout.ts";
import {
  contentsId,
  type MemoryFiles,
  type MemoryMeta,
  readMemoryMeta,
  versionedFiles,
} from "../../domain/memory-meta.ts";
import type { Repo } from "../../ports/repo.ts";

/** `memory/<agentId>/` at a commit. */
export interface MemoryState {
  readonly files: MemoryFiles;
  readonly meta: MemoryMeta | undefined;
  readonly metaText: string | undefined;
  /**
   * What `expectedVersion` is compared with: the one in `meta.json`, and one more for every commit of a person's since it was
   * written, so that an edit by hand counts as a change too. Same commit, same answer.
   */
  readonly version: number;
}

const MOST_LOOKED_AT = 200;

export async function readMemory(repo: Repo, at: Oid, slug: string): Promise<MemoryState> {
  const files: Partial<Record<(typeof versionedFiles)[number], string>> = {};
  for (const name of versionedFiles) {
    const text = await textAt(repo, at, memoryPath.file(slug, name));
    if (text !== undefined) files[name] = text;
  }
  const metaText = await textAt(repo, at, memoryPath.meta(slug));
  const meta = readMemoryMeta(metaText);
  const recorded = meta?.version ?? 0;
  const unchanged = meta ? meta.contents === contentsId(files) : Object.keys(files).length === 0;
  return {
    files,
    meta,
    metaText,
    version: unchanged ? recorded : recorded + (await handCommits(repo, at, slug)),
  };
}

/** The memory as it was at a version; undefined if no recent commit has it. */
export async function memoryAtVersion(
  repo: Repo,
  head: Oid,
  slug: string,
  version: number,
): Promise<MemoryFiles | undefined> {
  if (version === 0) return {};
  for (const { oid } of await repo.history(head, memoryFolder(slug), { limit: MOST_LOOKED_AT })) {
    const state = await readMemory(repo, oid, slug);
    if (state.version === version) return state.files;
    if (state.version < version) return undefined;
  }
  return undefined;
}

/** How many commits by people touched the folder since a proposal last did: at least one, for the files differ. */
async function handCommits(repo: Repo, at: Oid, slug: string): Promise<number> {
  let count = 0;
  for (const commit of await repo.history(at, memoryFolder(slug), { limit: MOST_LOOKED_AT })) {
    if (bookkeepingOf(commit) !== undefined) continue;
    if (isGatewayCommit(commit)) break;
    count++;
  }
  return Math.max(1, count);
}

export async function textAt(repo: Repo, at: Oid, path: string): Promise<string | undefined> {
  const file = await repo.read(at, path);
  return file && Buffer.from(file.bytes).toString();
}
