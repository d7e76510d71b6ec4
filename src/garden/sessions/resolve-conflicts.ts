import type { Oid } from "../../domain/git/git-names.ts";
import type { Conflict, Edit, Repo } from "../../ports/repo.ts";
import { headMoved, markersLeft, notInConflict, unresolvedPaths } from "./failures.ts";
import {
  headsOf,
  mergeSession,
  resolveSessionMerge,
  type SessionMerged,
  type SessionMergeWish,
} from "./merge-session.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";

/** The content of a path that both sides changed; undefined removes the file. */
export type ResolvedFiles = ReadonlyMap<string, Uint8Array | undefined>;

export interface ConflictResolution extends SessionMergeWish {
  /** The heads that the conflict was shown for; without them those of now. */
  readonly ours?: Oid;
  readonly theirs?: Oid;
  /** Every conflicting path, and no other. */
  readonly files: ResolvedFiles;
}

/**
 * S-5: concludes a merge with a text for every conflicting path; all other paths are merged as git merges them. Throws
 * VALIDATION_FAILED for a conflicting path without a text, for a path that is not in conflict, and for a text that still has the
 * markers. CONCURRENT_MODIFICATION if a head is another one than shown.
 */
export async function resolveConflicts(
  garden: SessionGarden,
  { files, ...wish }: ConflictResolution,
): Promise<Exclude<SessionMerged, { kind: "conflict" }>> {
  const { repo } = garden;
  const { ours, theirs } = await headsOf(garden, wish);
  if ((wish.ours ?? ours) !== ours || (wish.theirs ?? theirs) !== theirs) throw headMoved(wish.into);
  const resolved = await resolvedTree(repo, { ours, theirs, files });
  const done = resolved
    ? await resolveSessionMerge(garden, { ...wish, ours, theirs, tree: { edits: resolved.edits }, base: resolved.tree })
    : await mergeSession(garden, wish);
  if (done.kind === "conflict") throw headMoved(wish.into);
  return done;
}

/** A merged tree and the edits that replace its conflicting paths; undefined if the two merge without a conflict. */
export async function resolvedTree(
  repo: Repo,
  { ours, theirs, files }: { readonly ours: Oid; readonly theirs: Oid; readonly files: ResolvedFiles },
): Promise<{ readonly tree: Oid; readonly edits: readonly Edit[] } | undefined> {
  const merged = await repo.merge(ours, theirs, { unrelated: true, marked: true });
  const conflicts = merged.kind === "conflict" ? merged.conflicts : [];
  checkResolution(conflicts, files, { ours, theirs });
  if (merged.kind !== "conflict") return undefined;
  return { tree: merged.tree!, edits: [...files].map(([path, bytes]) => ({ path, bytes })) };
}

function checkResolution(
  conflicts: readonly Conflict[],
  files: ResolvedFiles,
  { ours, theirs }: { readonly ours: Oid; readonly theirs: Oid },
): void {
  const paths = new Set(conflicts.map(({ path }) => path));
  const open = [...paths].filter((path) => !files.has(path));
  if (open.length > 0) throw unresolvedPaths(open);
  const others = [...files.keys()].filter((path) => !paths.has(path));
  if (others.length > 0) throw notInConflict(others);
  const marked = [...files].filter(([, bytes]) => bytes && hasMarkers(Buffer.from(bytes).toString(), ours, theirs));
  if (marked.length > 0) throw markersLeft(marked.map(([path]) => path));
}

/** Markers carry the ids of the two commits: a note about git that quotes markers is none. */
const hasMarkers = (text: string, ours: Oid, theirs: Oid): boolean =>
  text.includes(`<<<<<<< ${ours}`) || text.includes(`>>>>>>> ${theirs}`);

export interface MarkedConflict {
  readonly path: string;
  /** With conflict markers; of a conflict that is not about lines, one of the two sides. Undefined if neither side has the file. */
  readonly bytes: Uint8Array | undefined;
}

/** The conflicting files of two commits with markers in them, for a person who resolves them in an editor. */
export async function markedConflicts(
  { repo, world }: Pick<SessionGarden, "repo" | "world">,
  ours: Oid,
  theirs: Oid,
): Promise<readonly MarkedConflict[]> {
  const merged = await repo.merge(ours, theirs, { unrelated: true, marked: true });
  if (merged.kind !== "conflict") return [];
  const by = gatewaySignature(world.now());
  // No ref names this commit: it exists so that the files of the tree can be read.
  const at = await repo.build(
    { parents: [ours], tree: merged.tree!, edits: [], author: by, committer: by, message: "Conflicts" },
    { durable: "with-move" },
  );
  return Promise.all(merged.conflicts.map(async ({ path }) => ({ path, bytes: (await repo.read(at, path))?.bytes })));
}
