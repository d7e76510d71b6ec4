import type { Oid } from "../../../domain/git/git-names.ts";
import { splitFrontMatter } from "../../../domain/note/front-matter.ts";
import { allTagsIn } from "../../../domain/note/note-properties.ts";
import type { Repo } from "../../../ports/repo.ts";
import { readNoteText } from "./note-text.ts";

/** The columns of a list of notes. */
export interface NoteFacts {
  readonly title: string;
  readonly tags: readonly string[];
  readonly words: number;
}

const MAX_TAGS = 50;

export async function readNoteFacts(repo: Repo, at: Oid, path: string): Promise<NoteFacts> {
  const text = await readNoteText(repo, at, path);
  return {
    title: fileTitle(path).toWellFormed(),
    tags: allTagsIn(text).slice(0, MAX_TAGS),
    words: (splitFrontMatter(text)?.body ?? text).split(/\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length,
  };
}

/** The title of a note is its file name, as in Obsidian. */
export const fileTitle = (path: string): string =>
  path
    .split("/")
    .at(-1)!
    .replace(/\.(?:md|markdown)$/i, "");
