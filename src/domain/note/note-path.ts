import { tree } from "../layout.ts";

/** Folders at the top of a garden that never hold notes, also if the garden's root is the root of the notes. */
const MACHINE_FOLDERS: ReadonlySet<string> = new Set([tree.agents, tree.memory, tree.logic]);

/** True for notes: Markdown under the notes root, outside hidden folders (`.obsidian`, `.trash`) and folders of agents. */
export const isNotePath = (path: string, notesRoot: string): boolean =>
  /\.(md|markdown)$/i.test(path) && (notesRoot === "." || path.startsWith(`${notesRoot}/`)) && isVaultFile(path);

/** True for a file that a note may link to: a note or an attachment. */
export const isVaultFile = (path: string): boolean =>
  !MACHINE_FOLDERS.has(path.slice(0, Math.max(0, path.indexOf("/")))) && !/(?:^|\/)\./.test(path);
