import { isNotePath } from "../../../domain/note/note-path.ts";

/** The notes that an identity may read, as a predicate on paths. */
export interface ReadScope {
  (path: string): boolean;
  /** The folders of these notes, none inside another; `all`: every note. */
  readonly folders: "all" | readonly string[];
}

export function readScope(notesRoot: string, folders: "all" | readonly string[]): ReadScope {
  if (folders === "all") return Object.assign((path: string) => isNotePath(path, notesRoot), { folders });
  const outer = [...new Set(folders)].filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  const sees = (path: string): boolean =>
    isNotePath(path, notesRoot) && outer.some((folder) => path.startsWith(`${folder}/`));
  return Object.assign(sees, { folders: outer });
}
