import { tree } from "../layout.ts";

/** Where notes and agents are in the work tree: two settings of `garden.yaml`. */
export interface NoteRoots {
  readonly notes_root: string;
  readonly agents_root: string;
}

/** True for notes: Markdown under the notes root, outside hidden folders (`.obsidian`, `.trash`) and folders of agents (G-1a). */
export const isNotePath = (path: string, roots: NoteRoots): boolean =>
  /\.(md|markdown)$/i.test(path) &&
  (roots.notes_root === "." || path.startsWith(`${roots.notes_root}/`)) &&
  isVaultFile(path, roots);

/** True for a file that a note may link to: a note or an attachment. Case is ignored, as some file systems do. */
export function isVaultFile(path: string, { agents_root }: Pick<NoteRoots, "agents_root">): boolean {
  const top = path.slice(0, Math.max(0, path.indexOf("/"))).toLowerCase();
  return top !== agents_root.toLowerCase() && top !== tree.memory && top !== tree.logic && !/(?:^|\/)\./.test(path);
}
