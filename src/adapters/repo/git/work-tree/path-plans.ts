import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Change } from "../../../../ports/repo.ts";
import type { Plan } from "./path-status.ts";
import type { Version } from "./work-file.ts";

export interface PlanParts {
  changes(from: Oid | undefined, to: Oid): Promise<readonly Change[]>;
  versionIn(commit: Oid | undefined, path: string): Promise<Version>;
}

/**
 * All paths that differ between any of these commits (oldest first, the empty text is none) and the last one, with
 * their versions in each.
 */
export async function plansFor(
  parts: PlanParts,
  commits: readonly Oid[],
  to: Oid,
  left: readonly string[],
): Promise<Plan[]> {
  const distinct = commits.filter((commit, index) => commits.indexOf(commit) === index && commit !== to);
  const steps = await Promise.all(distinct.map((commit) => parts.changes(commit || undefined, to)));
  if (steps.length === 1) {
    return steps[0]!.map(({ path, before, after }) => ({ path, versions: [before, after], left: left.includes(path) }));
  }
  return plansOf(parts, new Set(steps.flatMap((changes) => changes.map(({ path }) => path))), [...distinct, to], left);
}

/** The same for given paths. */
export function plansOf(
  parts: PlanParts,
  paths: ReadonlySet<string>,
  commits: readonly Oid[],
  left: readonly string[],
): Promise<Plan[]> {
  const plans = [...paths].map(async (path) => ({
    path,
    versions: await Promise.all(commits.map((commit) => parts.versionIn(commit || undefined, path))),
    left: left.includes(path),
  }));
  return Promise.all(plans);
}
