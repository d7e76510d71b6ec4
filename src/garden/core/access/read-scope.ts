import { isNotePath } from "../../../domain/note/note-path.ts";

/** Which notes somebody may read. */
export interface Sight {
  (path: string): boolean;
  /** The folders whose notes these are, none inside another; `all`: every note. */
  readonly folders: "all" | readonly string[];
}

export function sightOf(notesRoot: string, folders: "all" | readonly string[]): Sight {
  if (folders === "all") return Object.assign((path: string) => isNotePath(path, notesRoot), { folders });
  const outer = [...new Set(folders)].filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  const sees = (path: string): boolean =>
    isNotePath(path, notesRoot) && outer.some((folder) => path.startsWith(`${folder}/`));
  return Object.assign(sees, { folders: outer });
}
