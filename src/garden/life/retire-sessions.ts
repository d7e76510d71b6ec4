import { isFailure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";
import { type SessionWithState, sessionsWithStates } from "../runs/session-states.ts";
import { archiveSession } from "../sessions/archive-session.ts";
import { keptWork } from "../sessions/exec-session.ts";
import { sessionHeads } from "../sessions/topology.ts";
import { pendingTrace } from "../sessions/trace-buffer.ts";

/** Days after the last commit, without the settings `retention.merged_sessions_days` and `retention.idle_sessions_days`. */
const MERGED_DAYS = 30;
const IDLE_DAYS = 180;
const DAY_MS = 86_400_000;

export interface RetiredSession {
  readonly name: string;
  readonly head: Oid;
  readonly why: "merged" | "idle";
}

/**
 * Puts sessions away whose work is merged, and those that nobody worked on for long. One that a run, a program or a person works on stays: it has
 * an open run or a question, is checked out, has entries that no commit has, or a program left work in it. Nothing is deleted.
 */
export async function retireSessions(garden: Garden): Promise<readonly RetiredSession[]> {
  const { repo, world, config } = garden;
  const { merged_sessions_days = MERGED_DAYS, idle_sessions_days = IDLE_DAYS } = config.retention;
  const { sessions } = await sessionsWithStates(garden);
  const heads = [...(await sessionHeads(repo)).map(({ head }) => head), (await repo.resolve(MAIN_REF)) ?? []].flat();
  const kept = new Set(await keptWork(garden));
  const retired: RetiredSession[] = [];
  for (const session of sessions) {
    const age = (world.now() - Date.parse(session.head.at)) / DAY_MS;
    if (age < Math.min(merged_sessions_days, idle_sessions_days) || (await isInUse(garden, session, kept))) continue;
    const why = (await isMerged(garden, session, heads)) ? "merged" : "idle";
    if (age < (why === "merged" ? merged_sessions_days : idle_sessions_days)) continue;
    if (await putAway(garden, session.name)) retired.push({ name: session.name, head: session.head.commit, why });
  }
  return retired;
}

async function isInUse(garden: Garden, { name, state }: SessionWithState, kept: ReadonlySet<string>): Promise<boolean> {
  if (state === "waiting" || state === "running" || kept.has(name)) return true;
  const { entries, skipped } = await pendingTrace(garden, name);
  return entries.length + skipped.entries > 0;
}

/** Another branch has all of its work. A session that only has its spawn commit has none. */
async function isMerged({ repo }: Garden, { head }: SessionWithState, heads: readonly Oid[]): Promise<boolean> {
  for (const other of heads) if (other !== head.commit && (await repo.isAncestor(head.commit, other))) return true;
  return false;
}

/** False if it moved meanwhile, or is checked out. */
async function putAway(garden: Garden, name: string): Promise<boolean> {
  try {
    await archiveSession(garden, name);
    return true;
  } catch (error) {
    if (isFailure(error, "CONCURRENT_MODIFICATION") || isFailure(error, "VALIDATION_FAILED")) return false;
    throw error;
  }
}
