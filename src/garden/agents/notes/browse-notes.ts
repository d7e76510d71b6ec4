import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import type { NoteTree } from "../../../domain/note/note-tree.ts";
import type { Commit, LineOrigin } from "../../../ports/repo.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import { type FoundNotes, findNotes } from "../search/find-notes.ts";
import { linksOfNote, type NoteLinks } from "../search/link-index.ts";
import { fileTitle } from "../search/note-facts.ts";
import { noteIndex } from "../search/note-index.ts";
import { firstOf } from "../search/note-text.ts";

type NoteSources = Pick<Garden, "repo" | "config">;

/** A folder with the number of notes below it at any depth, or a note with its title. */
export interface FolderEntry {
  readonly kind: "folder" | "note";
  readonly path: string;
  readonly notes?: number;
  readonly title?: string;
}

export interface FolderPage {
  readonly commit: Oid;
  /** The listed folder, without a trailing slash; "" is the top of the garden. */
  readonly folder: string;
  readonly notes_root: string;
  /** Number of notes below it, at any depth. */
  readonly notes: number;
  readonly entries: readonly FolderEntry[];
  /** Pass as `after` for the next page. */
  readonly next: string | undefined;
}

/** One page of a folder: folders first, then notes, each in order of name. Reads no note. */
export async function listFolder(
  garden: NoteSources,
  sees: ReadScope,
  asked: { readonly folder?: string | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<FolderPage> {
  const { config } = garden;
  const commit = await headOf(garden.repo);
  const folder = asked.folder ?? (config.notes_root === "." ? "" : config.notes_root);
  const { entries, notes } = await noteIndex(garden).withTree(commit, (tree) => ({
    // One more than the limit shows whether there is a next page.
    entries: firstOf(entriesOf(tree, sees, folder, asked.after), asked.limit + 1),
    notes: countSeen(tree, sees, folder),
  }));
  const page = entries.slice(0, asked.limit);
  const last = page.at(-1);
  return {
    commit,
    folder,
    notes_root: config.notes_root,
    notes,
    entries: page.map((entry) => (entry.kind === "folder" ? entry : { ...entry, title: fileTitle(entry.path) })),
    next: entries.length > page.length && last ? `${last.kind === "folder" ? 1 : 2}${last.path}` : undefined,
  };
}

/** `after` is a cursor: `1` and a folder's path, or `2` and a note's path. */
function* entriesOf(
  tree: NoteTree,
  sees: ReadScope,
  folder: string,
  after: string | undefined,
): Generator<FolderEntry> {
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

/** Number of visible notes below a folder, at any depth. */
function countSeen(tree: NoteTree, { folders }: ReadScope, folder: string): number {
  const within = (one: string, other: string): boolean => one === other || other === "" || one.startsWith(`${other}/`);
  if (folders === "all" || folders.some((seen) => within(folder, seen))) return tree.count(folder);
  return folders.reduce((sum, seen) => sum + (within(seen, folder) ? tree.count(seen) : 0), 0);
}

/** Notes read before an interactive search answers with what is indexed so far. */
const PATIENCE = 500;

/** Full-text search at main. */
export async function searchGarden(
  garden: NoteSources,
  sees: ReadScope,
  asked: { readonly q: string; readonly limit: number },
): Promise<FoundNotes & { readonly commit: Oid }> {
  const commit = await headOf(garden.repo);
  const found = await findNotes(garden, commit, sees, { question: asked.q, most: asked.limit, patience: PATIENCE });
  return { commit, ...found };
}

/** The links and backlinks of a note at main. Throws NOT_FOUND for a missing note. */
export async function linksAround(
  garden: NoteSources,
  sees: ReadScope,
  path: string,
): Promise<NoteLinks & { commit: Oid }> {
  const { repo } = garden;
  const commit = await headOf(repo);
  if (!(await repo.read(commit, path))) throw noNote(path);
  return { commit, ...(await linksOfNote(repo, noteIndex(garden), commit, sees, path, PATIENCE)) };
}

/** Consecutive lines that were added by one commit. */
export interface LineGroup {
  readonly first: number;
  readonly last: number;
  readonly commit: Oid;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  readonly proposal: string | undefined;
  readonly run: string | undefined;
  /** The slug of the agent that proposed it. */
  readonly agent: string | undefined;
}

/** The origin of each line of a note at main (P-11). */
export async function noteLines(
  { repo }: NoteSources,
  path: string,
  asked: { readonly first: number; readonly limit: number },
): Promise<{ readonly commit: Oid; readonly parts: readonly LineGroup[]; readonly next: number | undefined }> {
  const commit = await headOf(repo);
  if (!(await repo.read(commit, path))) throw noNote(path);
  // One more than the limit shows whether there is a next page.
  const origins = await repo.originsOfLines(commit, path, asked.first, asked.first + asked.limit);
  const page = origins.slice(0, asked.limit);
  const commits = new Map<Oid, Commit>();
  for (const oid of new Set(page.map((origin) => origin.commit))) commits.set(oid, await repo.commit(oid));
  return {
    commit,
    parts: groupsOf(page, asked.first).map(({ origin, first, last }) => ({
      first,
      last,
      ...authorship(commits.get(origin.commit)!),
    })),
    next: origins.length > page.length ? asked.first + page.length : undefined,
  };
}

function groupsOf(
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
  agent: trailerOf(message, "Agent")?.split(" ")[0],
});
