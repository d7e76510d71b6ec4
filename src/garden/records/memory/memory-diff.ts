import { Failure } from "../../../base/failure.ts";
import { isOid, type Oid } from "../../../domain/git/git-names.ts";
import { memoryFolder, memoryPath } from "../../../domain/layout.ts";
import { linesOf } from "../../../domain/note/line-hunks.ts";
import type { Repo } from "../../../ports/repo.ts";
import { memoryTextAt } from "./memory-state.ts";

/** M-5: the changes of an agent's memory between two moments. */
export interface MemoryDiff {
  readonly agentId: string;
  readonly from: Oid | undefined;
  readonly to: Oid;
  readonly files: readonly { readonly file: string; readonly added: number; readonly removed: number }[];
  readonly diff: string;
}

/**
 * `from` and `to` are commits of main (whole ids or prefixes) or dates: a date means the last commit until then. Without
 * `to` it is `at`; commits after `at` are not read.
 */
export async function memoryDiff(
  repo: Repo,
  {
    slug,
    from,
    to,
    at,
  }: { readonly slug: string; readonly from: string; readonly to?: string | undefined; readonly at: Oid },
): Promise<MemoryDiff> {
  const [first, last] = [
    await commitAtMoment(repo, at, from),
    to === undefined ? at : await commitAtMoment(repo, at, to),
  ];
  if (last === undefined) throw before(to!);
  const files = await changedLines(repo, slug, first, last);
  const paths = files.map(({ file }) => memoryPath.file(slug, file));
  return {
    agentId: slug,
    from: first,
    to: last,
    files,
    diff: paths.length === 0 ? "" : await repo.patch(first, last, paths),
  };
}

/** The number of lines added and removed per file of an agent's memory between two commits. */
export async function changedLines(
  repo: Repo,
  slug: string,
  from: Oid | undefined,
  to: Oid,
): Promise<MemoryDiff["files"]> {
  const files: { file: string; added: number; removed: number }[] = [];
  for (const { path } of await repo.changes(from, to, memoryFolder(slug))) {
    const old = from === undefined ? undefined : await memoryTextAt(repo, from, path);
    const counts = lineCounts(old ?? "", (await memoryTextAt(repo, to, path)) ?? "");
    files.push({ file: path.slice(memoryFolder(slug).length + 1), ...counts });
  }
  return files;
}

/** Counts of lines that only one of two texts has, as multisets. A moved line is neither added nor removed. */
export function lineCounts(before: string, after: string): { readonly added: number; readonly removed: number } {
  const left = new Map<string, number>();
  const old = linesOf(before);
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let [added, kept] = [0, 0];
  for (const line of linesOf(after)) {
    const count = left.get(line) ?? 0;
    if (count === 0) added++;
    else {
      left.set(line, count - 1);
      kept++;
    }
  }
  return { added, removed: old.length - kept };
}

const PAGE = 500;

/** The commit of an id, its prefix, or a date; undefined for a date before the first commit. */
export async function commitAtMoment(repo: Repo, at: Oid, written: string): Promise<Oid | undefined> {
  if (/^\d{4}-\d{2}-\d{2}/.test(written)) return commitUntil(repo, at, timeOf(written));
  const candidates = isOid(written)
    ? [written]
    : /^[0-9a-f]{4,40}$/.test(written)
      ? await repo.commitsLike(written)
      : [];
  const known: Oid[] = [];
  for (const candidate of candidates.slice(0, 20)) if (await isBefore(repo, candidate, at)) known.push(candidate);
  if (known.length === 1) return known[0];
  throw known.length === 0 ? noCommit(written) : severalCommits(written, known);
}

/** A day means its end. */
function timeOf(written: string): number {
  const time = Date.parse(written.length === 10 ? `${written}T23:59:59.999Z` : written);
  if (!Number.isNaN(time)) return time;
  throw new Failure("VALIDATION_FAILED", {
    en: `${written} is not a date`,
    uk: `${written} — не дата`,
    details: { date: written },
  });
}

async function commitUntil(repo: Repo, at: Oid, time: number): Promise<Oid | undefined> {
  for (let skip = 0; ; skip += PAGE) {
    const commits = await repo.history(at, "", { limit: PAGE, skip });
    const found = commits.find(({ committer }) => committer.at <= time);
    if (found) return found.oid;
    if (commits.length < PAGE) return undefined;
  }
}

const isBefore = async (repo: Repo, commit: Oid, at: Oid): Promise<boolean> =>
  commit === at || repo.isAncestor(commit, at).catch(() => false);

const noCommit = (written: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the history up to here has no commit ${written}`,
    uk: `в історії до цього місця немає коміту ${written}`,
    details: { commit: written },
  });
const severalCommits = (written: string, found: readonly Oid[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${written} fits several commits: ${found.join(", ")}`,
    uk: `${written} підходить до кількох комітів: ${found.join(", ")}`,
    details: { commit: written, candidates: found },
  });
const before = (written: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there was no commit yet at ${written}`,
    uk: `на ${written} ще не було комітів`,
    details: { to: written },
  });
