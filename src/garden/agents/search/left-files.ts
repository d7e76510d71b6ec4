import type { Oid } from "../../../domain/git/git-names.ts";
import { splitFrontMatter } from "../../../domain/note/front-matter.ts";
import { fileNameKey } from "../../../domain/note/link-target.ts";
import type { Change, Repo } from "../../../ports/repo.ts";
import { readNoteText } from "./note-text.ts";

/** A path that a commit removed from the garden. */
export interface LeftFile {
  readonly path: string;
  /** The commit before, in which the path still exists. */
  readonly before: Oid;
  /** Where the file is now; undefined if it was deleted, or if the history does not tell. */
  readonly to: string | undefined;
}

const PAGE = 250;
const MOST_COMMITS = 2000;
const MOST_LEFT = 20_000;
const remembered = new WeakMap<Repo, { readonly at: Oid; readonly files: readonly LeftFile[] }>();

/**
 * Paths that the last `MOST_COMMITS` commits renamed or deleted, the latest first. A rename is only one that is certain: the commit
 * removes one file and adds one with the same bytes, and under another name these bytes can be no other note. A merge is skipped:
 * its branches are in the history too.
 */
export async function leftFiles(repo: Repo, at: Oid): Promise<readonly LeftFile[]> {
  const known = remembered.get(repo);
  if (known?.at === at) return known.files;
  const files = await walkBack(repo, at);
  remembered.set(repo, { at, files });
  return files;
}

async function walkBack(repo: Repo, at: Oid): Promise<LeftFile[]> {
  const exists = new Set((await repo.list(at, "")).map(({ path }) => path));
  /** Fates of paths that a later commit removed. */
  const fates = new Map<string, string | undefined>();
  const left: LeftFile[] = [];
  for (let skip = 0; skip < MOST_COMMITS && left.length < MOST_LEFT; skip += PAGE) {
    const commits = await repo.history(at, "", { limit: PAGE, skip });
    for (const { oid, parents } of commits) {
      const [before] = parents;
      if (before === undefined || parents.length > 1) continue;
      const changes = await repo.changes(before, oid, "");
      const renames = await certainRenames(repo, before, exactRenames(changes));
      const gone = changes
        .filter((change) => change.before && !change.after)
        .map(({ path }) => {
          const next = renames.get(path);
          const to = next === undefined ? undefined : fates.has(next) ? fates.get(next) : next;
          return { path, before, to: to !== undefined && exists.has(to) ? to : undefined };
        });
      // A path that this commit added was another file before it.
      for (const change of changes) if (!change.before) fates.delete(change.path);
      for (const file of gone) fates.set(file.path, file.to);
      left.push(...gone);
    }
    if (commits.length < PAGE) break;
  }
  return left;
}

/**
 * Renames within a folder or with a new name, of which the bytes alone are proof: no other file has them, and they hold a text of
 * their own. Empty notes and untouched copies of a template look alike, and a daily note does not become another day's.
 */
async function certainRenames(
  repo: Repo,
  before: Oid,
  renames: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const moved = [...renames].filter(([from, to]) => fileNameKey(from) === fileNameKey(to));
  const renamed = [...renames].filter(([from, to]) => fileNameKey(from) !== fileNameKey(to) && !areOtherDays(from, to));
  const certain = new Map(moved);
  if (renamed.length === 0) return certain;
  const files = await repo.list(before, "");
  const copies = Map.groupBy(files, ({ oid }) => oid);
  const oidOf = new Map(files.map(({ path, oid }) => [path, oid]));
  for (const [from, to] of renamed) {
    if ((copies.get(oidOf.get(from)!)?.length ?? 0) !== 1) continue;
    if (/\.md$/i.test(from) && !hasOwnText(await readNoteText(repo, before, from))) continue;
    certain.set(from, to);
  }
  return certain;
}

const DAY = /\d{4}-?(?:\d{2}|W\d{2}|Q\d)(?:-?\d{2})?/;

function areOtherDays(from: string, to: string): boolean {
  const [one, other] = [DAY.exec(fileNameKey(from)), DAY.exec(fileNameKey(to))];
  return one !== null && other !== null && one[0] !== other[0];
}

/** Words outside of properties and headings that make a text recognisable. */
const OWN_WORDS = 3;

function hasOwnText(text: string): boolean {
  const front = splitFrontMatter(text);
  const body = (front ? front.body : text).replaceAll(/^\s*#{1,6}(?:\s.*)?$/gm, "");
  return (body.match(/\p{L}+/gu) ?? []).length >= OWN_WORDS;
}

/** Removed path to added path, where the bytes are the same and no other file of the commit has them. */
function exactRenames(changes: readonly Change[]): Map<string, string> {
  const removed = new Map<Oid, string[]>();
  const added = new Map<Oid, string[]>();
  for (const { path, before, after } of changes) {
    if (before && !after) removed.set(before.oid, [...(removed.get(before.oid) ?? []), path]);
    if (after && !before) added.set(after.oid, [...(added.get(after.oid) ?? []), path]);
  }
  const renames = new Map<string, string>();
  for (const [oid, from] of removed) {
    const to = added.get(oid);
    if (from.length === 1 && to?.length === 1) renames.set(from[0]!, to[0]!);
  }
  return renames;
}
