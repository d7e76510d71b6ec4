import type { Oid } from "../../domain/git/git-names.ts";
import { isOid } from "../../domain/git/git-names.ts";
import { SESSION_ARCHIVE, TRACE_REF, TRACE_TEXTS } from "../../domain/layout.ts";
import { changeIdsIn } from "../../domain/session/change-id.ts";
import { isConsoleTrace, joinNotes, linesOfNote } from "../../domain/session/console-trace.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";

export interface Rebound {
  /** Commits that got traces of the commits that they replace. */
  readonly bound: readonly { readonly commit: Oid; readonly from: readonly Oid[] }[];
  /** Commits that no branch contains any more, and whose traces found no other commit. Their notes stay. */
  readonly orphans: readonly Oid[];
}

/**
 * S-6: binds traces again after a rebase, squash, cherry-pick or amended commit by a person. A commit gets the traces of every commit with a
 * change id that its message has; where a message lost its change id, the author with the time of writing tells (git keeps both). Notes of
 * commits that no branch contains are taken away once their traces are bound elsewhere; the notes' history keeps them. Idempotent.
 */
export async function rebindTraces(garden: SessionGarden): Promise<Rebound> {
  const { repo, world } = garden;
  return untilLanded(garden, [TRACE_REF], async () => {
    const from = await repo.resolve(TRACE_REF);
    if (from === undefined) return { bound: [], orphans: [] };
    const { result, notes } = await plan(repo, from);
    if (notes.length === 0) return result;
    const to = await repo.buildAnnotations(from, {
      notes,
      by: gatewaySignature(world.now()),
      message: `Traces bound again: ${result.bound.length} commits`,
    });
    const landed = await landRefs(garden, [{ ref: TRACE_REF, from, to, reason: "bloom trace" }]);
    return landed.kind === "landed" ? result : undefined;
  });
}

type Notes = { commit: Oid; bytes: Uint8Array | undefined }[];

async function plan(repo: Repo, at: Oid): Promise<{ readonly result: Rebound; readonly notes: Notes }> {
  const annotated = await annotatedAt(repo, at);
  const refs = await Promise.all(["refs/heads/", SESSION_ARCHIVE].map((prefix) => repo.refs(prefix)));
  const tips = refs.flat().map(({ oid }) => oid);
  const live = new Set(await repo.reachable(tips));
  const sources = await sourcesOf(repo, annotated, live);
  const wanted = new Map<Oid, Set<Oid>>();
  const want = (target: Oid, source: Oid): void => {
    if (target !== source) wanted.set(target, (wanted.get(target) ?? new Set()).add(source));
  };
  for (const target of await repo.reachable(tips, { text: "Change-Id: I" })) {
    for (const id of changeIdsIn((await repo.commit(target)).message))
      for (const source of sources.byChange.get(id) ?? []) want(target, source);
  }
  const found = new Set([...wanted.values()].flatMap((each) => [...each]));
  const lost = [...annotated.keys()].filter((commit) => !live.has(commit));
  for (const [source, target] of await byWriting(
    repo,
    lost.filter((commit) => !found.has(commit)),
    live,
  ))
    want(target, source);
  return notesFor(repo, { annotated, wanted, lost });
}

/** The notes of commits that are wanted elsewhere, joined with what is there; and those that go away. */
async function notesFor(
  repo: Repo,
  {
    annotated,
    wanted,
    lost,
  }: { annotated: ReadonlyMap<Oid, Oid>; wanted: ReadonlyMap<Oid, ReadonlySet<Oid>>; lost: readonly Oid[] },
): Promise<{ readonly result: Rebound; readonly notes: Notes }> {
  const notes: Notes = [];
  const bound: { commit: Oid; from: readonly Oid[] }[] = [];
  const kept = new Set<Oid>();
  const noteOf = async (commit: Oid): Promise<Uint8Array> =>
    annotated.has(commit) ? ((await repo.annotation(TRACE_REF, commit)) ?? new Uint8Array()) : new Uint8Array();
  for (const [commit, from] of wanted) {
    const before = await noteOf(commit);
    const bytes = joinNotes([before, ...(await Promise.all([...from].toSorted().map(noteOf)))]);
    for (const source of from) kept.add(source);
    if (Buffer.from(before).equals(bytes)) continue;
    notes.push({ commit, bytes });
    bound.push({ commit, from: [...from].toSorted() });
  }
  for (const commit of lost) if (kept.has(commit)) notes.push({ commit, bytes: undefined });
  return { result: { bound, orphans: lost.filter((commit) => !kept.has(commit)) }, notes };
}

/** Commits with a note, by id, with the id of the note. */
async function annotatedAt(repo: Repo, at: Oid): Promise<ReadonlyMap<Oid, Oid>> {
  const files = await repo.list(at, "");
  return new Map(
    files.flatMap(({ path, oid }): [Oid, Oid][] => {
      const commit = path.replaceAll("/", "");
      return !path.startsWith(TRACE_TEXTS) && isOid(commit) ? [[commit, oid]] : [];
    }),
  );
}

/** Annotated commits by change id. Of a commit that is gone, its traces know the id. */
async function sourcesOf(
  repo: Repo,
  annotated: ReadonlyMap<Oid, Oid>,
  live: ReadonlySet<Oid>,
): Promise<{ readonly byChange: ReadonlyMap<string, readonly Oid[]> }> {
  const byChange = new Map<string, Oid[]>();
  for (const commit of annotated.keys()) {
    const message = (await commitIfThere(repo, commit))?.message ?? "";
    const own = live.has(commit) ? [] : await idsInNote(repo, commit);
    for (const id of new Set([...changeIdsIn(message), ...own]))
      byChange.set(id, [...(byChange.get(id) ?? []), commit]);
  }
  return { byChange };
}

const idsInNote = async (repo: Repo, commit: Oid): Promise<readonly string[]> =>
  linesOfNote((await repo.annotation(TRACE_REF, commit)) ?? new Uint8Array())
    .filter(isConsoleTrace)
    .flatMap(({ changeId }) => (typeof changeId === "string" ? [changeId] : []));

/**
 * The commits that replace rewritten ones whose message lost its change id. Two commits are the same change if they share a change id, the
 * author with the time of writing (an amended commit), or all files (a fixup). Commits that branches named before are steps on the way.
 */
async function byWriting(
  repo: Repo,
  lost: readonly Oid[],
  live: ReadonlySet<Oid>,
): Promise<readonly (readonly [source: Oid, target: Oid])[]> {
  const sought = (await Promise.all(lost.map((oid) => commitIfThere(repo, oid)))).filter((each) => each !== undefined);
  if (sought.length === 0) return [];
  const known = await repo.reachable([...live], { reflogs: true });
  const commits = new Map((await Promise.all(known.map((oid) => repo.commit(oid)))).map((each) => [each.oid, each]));
  const index = new Map<string, Commit[]>();
  for (const commit of commits.values())
    for (const key of marksOf(commit, commits)) index.set(key, [...(index.get(key) ?? []), commit]);
  return sought.flatMap((source) => {
    const target = replacementOf(source, (commit) => marksOf(commit, commits).map((key) => index.get(key) ?? []), live);
    return target ? [[source.oid, target.oid] as const] : [];
  });
}

/** Breadth first. Of several commits in branches, one without a change id is preferred: those with one have traces of their own. */
function replacementOf(
  source: Commit,
  alike: (commit: Commit) => readonly (readonly Commit[])[],
  live: ReadonlySet<Oid>,
): Commit | undefined {
  const seen = new Set([source.oid]);
  for (const open = [source]; open.length > 0; ) {
    for (const group of alike(open.shift()!)) {
      const found = group.filter(({ oid }) => live.has(oid) && oid !== source.oid);
      if (found.length > 0) return found.find(({ message }) => changeIdsIn(message).length === 0) ?? found[0];
      for (const next of group) {
        if (!seen.has(next.oid)) open.push(next);
        seen.add(next.oid);
      }
    }
  }
  return undefined;
}

/** The marks by which a rewritten commit is known again, the surest first. Files tell nothing if the commit changed none. */
function marksOf(commit: Commit, commits: ReadonlyMap<Oid, Commit>): readonly string[] {
  const hasChanges = commit.tree !== commits.get(commit.parents[0] ?? "")?.tree;
  return [
    ...changeIdsIn(commit.message),
    authorKey(commit),
    ...(hasChanges ? [`${commit.tree} ${commit.author.email}`] : []),
  ];
}

const authorKey = ({ author }: Commit): string => `${author.name}\0${author.email}\0${author.at}\0${author.zone ?? 0}`;

/** Undefined for a commit that a gc has removed. */
const commitIfThere = (repo: Repo, oid: Oid): Promise<Commit | undefined> => repo.commit(oid).catch(() => undefined);
