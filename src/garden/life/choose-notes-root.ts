import { tree } from "../../domain/layout.ts";
import { isNotePath, type NoteRoots } from "../../domain/note/note-path.ts";
import type { Folder } from "../../ports/folder.ts";

const OBSIDIAN = ".obsidian";
/** Entries looked at before the search ends; Markdown is found much earlier in a folder of notes. */
const MOST_ENTRIES = 20_000;
/** Files of a repository that stand beside the notes and are none. */
const ABOUT = /^(?:readme|changelog|contributing|license|licence|code_of_conduct|security)\.md$/i;
const NOT_NOTES = new Set(["node_modules", "vendor"]);

/**
 * I-3: the whole folder is notes if it is a vault of Obsidian or has Markdown outside of `notes/`. Beside notes in `notes/`, a
 * repository's own files at the top (README.md) do not count.
 */
export async function chooseNotesRoot(folder: Folder, agentsRoot: string): Promise<string> {
  if ((await folder.stat(OBSIDIAN)).kind === "folder") return ".";
  const roots = { notes_root: ".", agents_root: agentsRoot };
  const inNotes = (await firstNote(folder, roots, tree.notes, () => true)) !== undefined;
  const outside = await firstNote(
    folder,
    roots,
    "",
    (path) => !path.startsWith(`${tree.notes}/`) && !(inNotes && ABOUT.test(path)),
  );
  return outside === undefined ? tree.notes : ".";
}

/** The first note below a folder that counts; folders nearer to the top first. */
async function firstNote(
  folder: Folder,
  roots: NoteRoots,
  top: string,
  counts: (path: string) => boolean,
): Promise<string | undefined> {
  const folders = [top];
  let looked = 0;
  for (let at = folders.shift(); at !== undefined && looked < MOST_ENTRIES; at = folders.shift()) {
    const paths = (await folder.names(at)).map((name) => (at === "" ? name : `${at}/${name}`));
    looked += paths.length;
    const note = paths.find((path) => isNotePath(path, roots) && counts(path));
    if (note !== undefined) return note;
    for (const path of paths)
      if (isPossibleFolder(path, roots) && (await folder.stat(path)).kind === "folder") folders.push(path);
  }
  return undefined;
}

const isPossibleFolder = (path: string, roots: NoteRoots): boolean =>
  isNotePath(`${path}/x.md`, roots) && !NOT_NOTES.has(path.slice(path.lastIndexOf("/") + 1));
