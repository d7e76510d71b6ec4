import { type Oid, repoPath } from "../../../../domain/git/git-names.ts";
import type { Change } from "../../../../ports/repo.ts";
import { nameNotUtf8 } from "./failures.ts";
import type { PendingFollow } from "./follow-record.ts";
import type { PathPlan } from "./path-status.ts";
import type { FileVersion } from "./work-file.ts";

export interface PathPlanDeps {
  changes(from: Oid | undefined, to: Oid): Promise<readonly Change[]>;
  versionIn(commit: Oid | undefined, path: string): Promise<FileVersion>;
}

/**
 * Plans for all paths that differ between any of these commits (oldest first, "" is no commit) and `to`, with their
 * version in each.
 */
export async function plansOfChanges(
  parts: PathPlanDeps,
  commits: readonly Oid[],
  to: Oid,
  left: readonly string[],
): Promise<PathPlan[]> {
  const distinct = commits.filter((commit, index) => commits.indexOf(commit) === index && commit !== to);
  const steps = await Promise.all(distinct.map((commit) => parts.changes(commit || undefined, to)));
  if (steps.length === 1) {
    return steps[0]!.map(({ path, before, after }) => ({ path, versions: [before, after], left: left.includes(path) }));
  }
  return plansOfPaths(
    parts,
    new Set(steps.flatMap((changes) => changes.map(({ path }) => path))),
    [...distinct, to],
    left,
  );
}

/**
 * Plans for all paths of a pending move, as `head` has them. If the move did not happen (`head` does not contain `to`), its files
 * and index entries may be there in part, in any order, and are taken back.
 */
export async function plansOfPending(
  parts: PathPlanDeps,
  { since, to, left }: PendingFollow,
  head: Oid,
  isMoved: boolean,
): Promise<PathPlan[]> {
  const plans = await plansOfChanges(parts, since, to, left);
  if (head === to) return plans;
  const paths = new Set(plans.map(({ path }) => path));
  const commits = [...since, to].filter((commit, index, all) => commit !== head && all.indexOf(commit) === index);
  return plansOfPaths(parts, paths, [...commits, head], isMoved ? left : [...paths]);
}

/** Plans for the given paths. */
export function plansOfPaths(
  parts: PathPlanDeps,
  paths: ReadonlySet<string>,
  commits: readonly Oid[],
  left: readonly string[],
): Promise<PathPlan[]> {
  const plans = [...paths].map(async (path) => ({
    path,
    versions: await Promise.all(commits.map((commit) => parts.versionIn(commit || undefined, path))),
    left: left.includes(path),
  }));
  return Promise.all(plans);
}

const OURS = /^\.(?:bloom|git)$/i;

/** Throws, before anything moves, for names that are not UTF-8 (git may hold any bytes) and for the machine's own folder. */
export function checkNames(plans: readonly PathPlan[]): void {
  for (const { path, versions } of plans) {
    if (path.includes("\ufffd")) throw nameNotUtf8(path);
    if (versions.at(-1) !== undefined && path.split("/").some((part) => OURS.test(part))) repoPath(path);
  }
}
