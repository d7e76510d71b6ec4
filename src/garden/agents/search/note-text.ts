import type { Oid } from "../../../domain/git/git-names.ts";
import type { Repo } from "../../../ports/repo.ts";
import { textOf } from "../../changes/effect/note-target.ts";

/** The text of a note at a commit; empty if the file is missing or not UTF-8. */
export const readNoteText = async (repo: Repo, at: Oid, path: string): Promise<string> =>
  textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "";

/** The first `most` items. Stops the iteration there. */
export function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const each of all) {
    if (first.length >= most) break;
    first.push(each);
  }
  return first;
}
