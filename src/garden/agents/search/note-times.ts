import { GATEWAY, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { decodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";

/** A change of a note. `agent` is the proposing agent; undefined for people and webhooks. */
interface NoteChange {
  readonly at: number;
  readonly agent: string | undefined;
}

/** The last changes of every path, newest first; enough of them to find one by another author than any given agent. */
type Changes = Map<string, NoteChange[]>;

const PAGE = 250;
const MOST_COMMITS = 2000;
const MOST_REMEMBERED = 4;
const remembered = new WeakMap<Repo, Map<string, Changes>>();

/**
 * Time of the last change of each note by anyone but this agent, in milliseconds; no entry if it is older than `MOST_COMMITS`.
 * An agent's own change (a tag) does not count: otherwise the agent would process the note again for ever.
 */
export async function noteTimes(
  repo: Repo,
  at: Oid,
  folder: string,
  paths: readonly string[],
  slug: string,
): Promise<ReadonlyMap<string, number>> {
  const changes = await changesAt(repo, at, folder);
  const times = new Map<string, number>();
  for (const path of paths) {
    const known = changes.get(path) ?? [];
    const last = known.find(({ agent }) => agent !== slug) ?? known.at(-1);
    if (last) times.set(path, last.at);
  }
  return times;
}

/** Fallback for a note without an entry: the last change by its path, by any author. Walks the history of the path. */
export async function timeOfNote(repo: Repo, at: Oid, path: string): Promise<number | undefined> {
  return (await repo.history(at, path, { limit: 1 }))[0]?.committer.at;
}

async function changesAt(repo: Repo, at: Oid, folder: string): Promise<Changes> {
  const memory = remembered.get(repo) ?? new Map<string, Changes>();
  remembered.set(repo, memory);
  const known = memory.get(`${at} ${folder}`);
  if (known) return known;
  const open = new Set((await repo.list(at, folder)).map(({ path }) => path));
  const changes: Changes = new Map();
  let straight: Oid | undefined = at;
  walk: for (let skip = 0; skip < MOST_COMMITS && open.size > 0; skip += PAGE) {
    const commits = await repo.history(at, "", { limit: PAGE, skip });
    for (const commit of commits) {
      // While history is linear, the cached result of an older commit completes this one.
      const earlier: Changes | undefined = straight === commit.oid ? memory.get(`${commit.oid} ${folder}`) : undefined;
      if (earlier) {
        for (const path of open) for (const change of earlier.get(path) ?? []) add(changes, open, path, change);
        break walk;
      }
      straight = straight === commit.oid && commit.parents.length === 1 ? commit.parents[0] : undefined;
      if (commit.parents.length > 1) continue; // a merge: its changes are counted on the merged branch
      for (const { path, after } of await repo.changes(commit.parents[0], commit.oid, folder))
        if (after && open.has(path)) add(changes, open, path, changeOf(commit));
      if (open.size === 0) break walk;
    }
    if (commits.length < PAGE) break;
  }
  memory.set(`${at} ${folder}`, changes);
  for (const oldest of memory.keys()) if (memory.size > MOST_REMEMBERED) memory.delete(oldest);
  return changes;
}

/** A path is complete once it has a change by no agent, or changes by two different agents. */
function add(changes: Changes, open: Set<string>, path: string, change: NoteChange): void {
  const known = changes.get(path) ?? [];
  if (known.some(({ agent }) => agent === change.agent)) {
    if (change.agent === undefined) open.delete(path);
    return;
  }
  known.push(change);
  changes.set(path, known);
  if (change.agent === undefined || known.length > 1) open.delete(path);
}

/** The agent whose run made a commit of a session. */
function sessionSlug({ committer, message }: Commit): string | undefined {
  const slug = committer.email === GATEWAY.email ? decodeTypedCommit(message)?.fields["slug"] : undefined;
  return typeof slug === "string" ? slug : undefined;
}

const changeOf = (commit: Commit): NoteChange => ({
  at: commit.committer.at,
  agent: isGatewayCommit(commit) ? trailerOf(commit.message, "Agent")?.split(" ")[0] : sessionSlug(commit),
});
