import { tree } from "../layout.ts";

/** True for notes: Markdown under the notes root, outside hidden and machine folders. */
export function isNotePath(path: string, notesRoot: string): boolean {
  if (!/\.(md|markdown)$/i.test(path)) return false;
  if (notesRoot !== ".") return path.startsWith(`${notesRoot}/`);
  const [first] = path.split("/");
  return first !== tree.memory && first !== tree.logic && !path.split("/").some((part) => part.startsWith("."));
}
