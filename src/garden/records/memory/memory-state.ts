import { bookkeepingOf, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryFolder, memoryPath } from "../../../domain/layout.ts";
import {
  contentsId,
  type MemoryFiles,
  type MemoryMeta,
  readMemoryMeta,
  versionedFiles,
} from "../../../domain/memory/memory-meta.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";

/** `memory/<agentId>/` at a commit. */
export interface MemoryState {
  readonly files: MemoryFiles;
  readonly meta: MemoryMeta | undefined;
  readonly metaText: string | undefined;
  /**
   * `expectedVersion` is compared with this: the version of the last proposal plus one for every later commit by a
   * person, so that a hand edit counts as a change. A number is never reused, also after a `git revert` of `meta.json`: a
   * reader of the former version must not pass for a reader of the new one. Deterministic per commit.
   */
  readonly version: number;
  /** Commits by people since the last proposal changed the folder, oldest first; each counts as a version. */
  readonly byHand: readonly { readonly commit: Oid; readonly at: string; readonly author: string }[];
}

const MOST_LOOKED_AT = 200;

export async function readMemory(repo: Repo, at: Oid, slug: string): Promise<MemoryState> {
  const files: Partial<Record<(typeof versionedFiles)[number], string>> = {};
  for (const name of versionedFiles) {
    const text = await memoryTextAt(repo, at, memoryPath.file(slug, name));
    if (text !== undefined) files[name] = text;
  }
  const metaText = await memoryTextAt(repo, at, memoryPath.meta(slug));
  const meta = readMemoryMeta(metaText);
  const recorded = meta?.version ?? 0;
  const { left, hands } = await sinceProposal(repo, at, slug);
  const unchanged = meta ? meta.contents === contentsId(files) : Object.keys(files).length === 0;
  const since = unchanged ? hands.length : Math.max(1, hands.length);
  const byHand = hands.toReversed().map(({ oid, committer, author }) => ({
    commit: oid,
    at: new Date(committer.at).toISOString().replace(/\.\d+Z$/, "Z"),
    author: author.name,
  }));
  return { files, meta, metaText, version: Math.max(recorded, left) + since, byHand };
}

/** The memory at a version; undefined if no recent commit has it. */
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

/** The commits by people since the last proposal that changed the folder, and the version of that proposal. */
async function sinceProposal(repo: Repo, at: Oid, slug: string): Promise<{ left: number; hands: readonly Commit[] }> {
  const hands: Commit[] = [];
  for (let skip = 0; skip < MOST_LOOKED_AT; ) {
    const limit = skip === 0 ? 1 : MOST_LOOKED_AT; // usually the first commit is a proposal's
    const page = await repo.history(at, memoryFolder(slug), { limit, skip });
    for (const commit of page) {
      if (bookkeepingOf(commit) !== undefined) continue;
      if (isGatewayCommit(commit)) {
        const left = hands.length === 0 ? undefined : await memoryTextAt(repo, commit.oid, memoryPath.meta(slug));
        return { left: readMemoryMeta(left)?.version ?? 0, hands };
      }
      hands.push(commit);
    }
    if (page.length < limit) break;
    skip += limit;
  }
  return { left: 0, hands };
}

export async function memoryTextAt(repo: Repo, at: Oid, path: string): Promise<string | undefined> {
  const file = await repo.read(at, path);
  return file && Buffer.from(file.bytes).toString();
}
