import { isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { memoryPath } from "../../../domain/layout.ts";
import { entriesIn, factId } from "../../../domain/memory/memory-entries.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { memoryTextAt } from "./memory-state.ts";

/** The commit that added an entry. */
export interface EntryOrigin {
  readonly commit: Oid;
  /** The position in history; smaller is older. */
  readonly rank: number;
  /** `2026-02-14`; never before the day of an older commit, even if a clock went back. */
  readonly day: string;
  readonly author: string;
  /** Committed by a person, without a proposal (G-5). */
  readonly byHand: boolean;
  readonly proposal: string | undefined;
}

export type Origins = ReadonlyMap<string, EntryOrigin>;

/** The identity of entries across versions, per file. */
const keyOf = { "facts.md": factId, "open_loops.md": ({ text }: { readonly text: string }): string => text } as const;
export type AgingFile = keyof typeof keyOf;

/** Maximum commits read; older entries count to the oldest of them. */
const MOST_COMMITS = 300;

interface Known {
  /** The newest commit of the file that was read, and the file's entries there. */
  readonly commit: Oid;
  readonly origins: Origins;
}
/** Cache per file for its newest commit: the next call reads only newer commits. */
const known = new WeakMap<Repo, Map<string, Known>>();

/** The origin of every entry of a file at a commit, derived from history alone. */
export async function originsIn(repo: Repo, at: Oid, slug: string, file: AgingFile): Promise<Origins> {
  const path = memoryPath.file(slug, file);
  const memo = known.get(repo) ?? new Map<string, Known>();
  known.set(repo, memo);
  const last = memo.get(path);
  const newest = await repo.history(at, path, { limit: last ? 5 : MOST_COMMITS });
  const isNear = last !== undefined && newest.some(({ oid }) => oid === last.commit);
  const commits = isNear || !last ? newest : await repo.history(at, path, { limit: MOST_COMMITS });
  if (commits.length === 0) return new Map();
  const origins = await walked(commits, last, (commit) => keysAt(repo, commit, path, file));
  memo.set(path, { commit: commits[0]!.oid, origins });
  return origins;
}

async function walked(
  commits: readonly Commit[],
  last: Known | undefined,
  keysOf: (commit: Oid) => Promise<ReadonlySet<string>>,
): Promise<Origins> {
  const stop = commits.findIndex(({ oid }) => oid === last?.commit);
  const older = stop >= 0 ? last!.origins : new Map<string, EntryOrigin>();
  const looked = stop >= 0 ? commits.slice(0, stop) : commits;
  const cameWith = new Map<string, number>();
  const open = new Set(await keysOf(commits[0]!.oid));
  for (const [index] of looked.entries()) {
    const before = looked[index + 1];
    const there = before ? await keysOf(before.oid) : new Set(older.keys());
    for (const key of open) {
      if (there.has(key)) continue;
      cameWith.set(key, index);
      open.delete(key);
    }
    if (open.size === 0) break;
  }
  const first = Math.max(0, ...[...older.values()].map(({ rank }) => rank));
  const told = originsOf(
    looked,
    first,
    [...older.values()]
      .map(({ day }) => day)
      .toSorted()
      .at(-1) ?? "",
  );
  return new Map([
    ...[...open].flatMap((key) => (older.has(key) ? [[key, older.get(key)!] as const] : [])),
    ...[...cameWith].map(([key, index]) => [key, told[index]!] as const),
  ]);
}

/** Commits as origins, in the same order: newest first. */
function originsOf(commits: readonly Commit[], first: number, firstDay: string): EntryOrigin[] {
  let day = firstDay;
  const oldestFirst = commits.toReversed().map((commit, index): EntryOrigin => {
    const own = new Date(commit.committer.at).toISOString().slice(0, 10);
    day = own > day ? own : day;
    const byGateway = isGatewayCommit(commit);
    return {
      commit: commit.oid,
      rank: first + index + 1,
      day,
      author: commit.author.name,
      byHand: !byGateway,
      proposal: byGateway ? trailerOf(commit.message, "Proposal") : undefined,
    };
  });
  return oldestFirst.toReversed();
}

async function keysAt(repo: Repo, at: Oid, path: string, file: AgingFile): Promise<ReadonlySet<string>> {
  return new Set(entriesIn((await memoryTextAt(repo, at, path)) ?? "").map(keyOf[file]));
}
