import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import type { NoteTree } from "../../../domain/note/note-tree.ts";
import type { Commit, LineOrigin } from "../../../ports/repo.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Sight } from "../../core/access/sight.ts";
import type { Garden } from "../../core/garden.ts";
import { mainOf, noNote } from "../../records/notes/read-notes.ts";
import { type FoundNotes, findNotes } from "../search/find-notes.ts";
import { linksOfNote, type NoteLinks } from "../search/link-index.ts";
import { noteIndex } from "../search/note-index.ts";
import { titleOf } from "../search/note-keys.ts";

type Ground = Pick<Garden, "repo" | "config">;

/** Something in a folder of notes: a folder with how many notes lie in it at any depth, or a note. */
export interface FolderEntry {
  readonly kind: "folder" | "note";
  readonly path: string;
  readonly notes?: number;
  readonly title?: string;
}

export interface FolderPage {
  readonly commit: Oid;
  /** The folder that was looked into, without a slash at its end; "" is the top of the garden. */
  readonly folder: string;
  readonly notes_root: string;
  /** How many notes lie in it, at any depth. */
  readonly notes: number;
  readonly entries: readonly FolderEntry[];
  /** Pass as `after` for the next page. */
  readonly next: string | undefined;
}

/** What lies in one folder of notes: folders first, then notes, each in order of name. Only the notes that are told are read. */
export async function listFolder(
  garden: Ground,
  sees: Sight,
  asked: { readonly folder?: string | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<FolderPage> {
  const { repo, config } = garden;
  const commit = await mainOf(garden);
  const folder = asked.folder ?? (config.notes_root === "." ? "" : config.notes_root);
  const { entries, notes } = await noteIndex(garden).inFolders(commit, (tree) => ({
    // One more than is told says whether there are more.
    entries: firstOf(entriesOf(tree, sees, folder, asked.after), asked.limit + 1),
    notes: countSeen(tree, sees, folder),
  }));
  const told = entries.slice(0, asked.limit);
  const last = told.at(-1);
  return {
    commit,
    folder,
    notes_root: config.notes_root,
    notes,
    entries: await Promise.all(
      told.map(async (entry) => {
        if (entry.kind === "folder") return entry;
        return { ...entry, title: titleOf(entry.path, await noteText(repo, commit, entry.path)) };
      }),
    ),
    next: entries.length > told.length && last ? `${last.kind === "folder" ? 1 : 2}${last.path}` : undefined,
  };
}

/** A mark before the path tells apart a folder and a note, so that a page goes on where the last one ended. */
function* entriesOf(tree: NoteTree, sees: Sight, folder: string, after: string | undefined): Generator<FolderEntry> {
  const start = folder === "" ? "" : `${folder}/`;
  const behind = after?.slice(1).slice(start.length);
  if (after === undefined || after.startsWith("1"))
    for (const name of tree.folders(folder, behind)) {
      const notes = countSeen(tree, sees, start + name);
      if (notes > 0) yield { kind: "folder", path: start + name, notes };
    }
  for (const name of tree.notes(folder, after?.startsWith("2") ? behind : undefined)) {
    if (!sees(start + name)) return; // all notes of a folder are seen, or none
    yield { kind: "note", path: start + name };
  }
}

/** How many notes of a folder somebody sees, at any depth. */
function countSeen(tree: NoteTree, { folders }: Sight, folder: string): number {
  const within = (one: string, other: string): boolean => one === other || other === "" || one.startsWith(`${other}/`);
  if (folders === "all" || folders.some((seen) => within(folder, seen))) return tree.count(folder);
  return folders.reduce((sum, seen) => sum + (within(seen, folder) ? tree.count(seen) : 0), 0);
}

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const each of all) {
    first.push(each);
    if (first.length >= most) break;
  }
  return first;
}

/** How many notes somebody who asks waits for: then there is an answer from what was read, and how far that is. */
const PATIENCE = 500;

/** Notes by their words. */
export async function searchGarden(
  garden: Ground,
  sees: Sight,
  asked: { readonly q: string; readonly limit: number },
): Promise<FoundNotes & { readonly commit: Oid }> {
  const commit = await mainOf(garden);
  const found = await findNotes(garden, commit, sees, { question: asked.q, most: asked.limit, patience: PATIENCE });
  return { commit, ...found };
}

/** Where the links of a note lead, and from where links lead to it. */
export async function linksAround(garden: Ground, sees: Sight, path: string): Promise<NoteLinks & { commit: Oid }> {
  const { repo } = garden;
  const commit = await mainOf({ repo });
  if (!(await repo.read(commit, path))) throw noNote(path);
  return { commit, ...(await linksOfNote(repo, noteIndex(garden), commit, sees, path, PATIENCE)) };
}

/** Lines that came in together: the same commit, one after the other. */
export interface LinesOf {
  readonly first: number;
  readonly last: number;
  readonly commit: Oid;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  readonly proposal: string | undefined;
  readonly run: string | undefined;
}

/** Who wrote which lines of a note as it is now: P-11 from a line. */
export async function noteLines(
  { repo }: Ground,
  path: string,
  asked: { readonly first: number; readonly limit: number },
): Promise<{ readonly commit: Oid; readonly parts: readonly LinesOf[]; readonly next: number | undefined }> {
  const commit = await mainOf({ repo });
  if (!(await repo.read(commit, path))) throw noNote(path);
  // One more than is told says whether there are more.
  const origins = await repo.originsOfLines(commit, path, asked.first, asked.first + asked.limit);
  const told = origins.slice(0, asked.limit);
  const commits = new Map<Oid, Commit>();
  for (const oid of new Set(told.map((origin) => origin.commit))) commits.set(oid, await repo.commit(oid));
  return {
    commit,
    parts: partsOf(told, asked.first).map(({ origin, first, last }) => ({
      first,
      last,
      ...authorship(commits.get(origin.commit)!),
    })),
    next: origins.length > told.length ? asked.first + told.length : undefined,
  };
}

function partsOf(
  origins: readonly LineOrigin[],
  first: number,
): { readonly origin: LineOrigin; readonly first: number; readonly last: number }[] {
  const parts: { origin: LineOrigin; first: number; last: number }[] = [];
  for (const [index, origin] of origins.entries()) {
    const before = parts.at(-1);
    if (before?.origin.commit === origin.commit) before.last++;
    else parts.push({ origin, first: first + index, last: first + index });
  }
  return parts;
}

const authorship = ({ oid, committer, author, message }: Commit) => ({
  commit: oid,
  at: new Date(committer.at).toISOString(),
  author: author.name,
  subject: message.split("\n")[0]!,
  proposal: trailerOf(message, "Proposal"),
  run: trailerOf(message, "Run"),
});

const noteText = async (repo: Garden["repo"], commit: Oid, path: string): Promise<string> =>
  textOf((await repo.read(commit, path))?.bytes ?? new Uint8Array()) ?? "";
