import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryFolder } from "../../../domain/layout.ts";
import { observationsIn, type TimelineObservation } from "../../../domain/memory/memory-record.ts";
import type { Repo } from "../../../ports/repo.ts";
import { memoryTextAt } from "./memory-state.ts";

/** An observation with the file in `memory/<agentId>/` that has it. */
export interface FiledObservation extends TimelineObservation {
  readonly file: string;
}

/** The days that have a timeline, newest first. */
export async function timelineDays(repo: Repo, at: Oid, slug: string): Promise<{ day: string; path: string }[]> {
  const files = await repo.list(at, `${memoryFolder(slug)}/timeline`);
  const days = files.flatMap(({ path }) => {
    const day = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1];
    return day === undefined ? [] : [{ day, path }];
  });
  return days.toSorted((one, other) => (one.day < other.day ? 1 : -1));
}

/**
 * M-3a: the latest observations of `write-memory`, newest first, at most `most`. They are read from the timelines of the commit and not
 * from `observations.jsonl`, which the owner may edit: the same commit gives the same answer (M-3).
 */
export async function latestObservations(
  repo: Repo,
  at: Oid,
  slug: string,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly FiledObservation[]> {
  const found: FiledObservation[] = [];
  for (const { day, path } of await timelineDays(repo, at, slug)) {
    if (found.length >= most) break;
    const file = path.slice(memoryFolder(slug).length + 1);
    const ofDay = observationsIn((await memoryTextAt(repo, at, path)) ?? "", day);
    found.push(...ofDay.toReversed().map((observation) => ({ ...observation, file })));
  }
  return found.slice(0, most);
}
