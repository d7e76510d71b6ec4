import { isNotePath, isVaultFile, type NoteRoots } from "../../../domain/note/note-path.ts";

/** The notes that an identity may read, as a predicate on paths. */
export interface ReadScope {
  (path: string): boolean;
  /** The folders of these notes, none inside another; `all`: every note. */
  readonly folders: "all" | readonly string[];
  /** The same for every file of the vault, attachments included. */
  readonly file: (path: string) => boolean;
}

export function readScope(roots: NoteRoots, folders: "all" | readonly string[]): ReadScope {
  if (folders === "all")
    return Object.assign((path: string) => isNotePath(path, roots), {
      folders,
      file: (path: string) => isVaultFile(path, roots),
    });
  const outer = [...new Set(folders)].filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  const isInside = (path: string): boolean => outer.some((folder) => path.startsWith(`${folder}/`));
  const sees = (path: string): boolean => isNotePath(path, roots) && isInside(path);
  return Object.assign(sees, { folders: outer, file: (path: string) => isVaultFile(path, roots) && isInside(path) });
}
