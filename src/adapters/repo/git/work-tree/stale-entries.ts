import type { Oid } from "../../../../domain/git/git-names.ts";
import type { CheckOutDeps } from "./check-out.ts";
import type { IndexChange, IndexView } from "./index-store.ts";
import type { PathPlanDeps } from "./path-plans.ts";
import { type PathPlan, type PathStatus, statusesOf } from "./path-status.ts";
import type { RecentMoves } from "./recent-moves.ts";

type Deps = CheckOutDeps & PathPlanDeps;

/** The index and the status of each planned path, read together. */
export interface Inspected {
  readonly index: IndexView;
  readonly statuses: readonly PathStatus[];
}

export async function inspect({ workTree, conversion, index }: Deps, plans: readonly PathPlan[]): Promise<Inspected> {
  const view = await index.read();
  return { index: view, statuses: await statusesOf(workTree, view, plans, conversion) };
}

interface StaleEntries {
  readonly index?: IndexView;
  readonly changes: readonly IndexChange[];
}

/** Entries of our last moves that are as they were before, under files that are ours. */
export async function staleEntries(
  deps: Deps,
  recent: RecentMoves,
  head: () => Promise<Oid | undefined>,
): Promise<StaleEntries> {
  if (!recent.isIndexForeign()) return { changes: [] };
  const signature = recent.signature();
  const commit = await head();
  const plans = await recent.plans(async (path) => deps.versionIn(commit, path));
  const { index, statuses } = await inspect(deps, plans);
  const stale = statuses.filter(({ index: entry, file }) => entry === "old" && file === "there");
  if (stale.length === 0) recent.isSeen(signature);
  return { index, changes: stale.map(({ path, to }) => ({ path, to, statData: undefined })) };
}

/** Puts back, under the lock, what a git command took out of the index with a copy that it had read before our last moves. */
export async function mendIndex(deps: Deps, recent: RecentMoves, { index, changes }: StaleEntries): Promise<void> {
  if (!index || changes.length === 0) return;
  const next = await deps.index.prepare(index, changes);
  next.install();
  await next.sync();
  recent.isSeen(recent.signature());
}
