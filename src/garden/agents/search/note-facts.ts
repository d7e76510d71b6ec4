import type { Oid } from "../../../domain/git/git-names.ts";
import { splitFrontMatter, tagsIn } from "../../../domain/note/front-matter.ts";
import { markdownLines } from "../../../domain/note/markdown-lines.ts";
import { titleIn } from "../../../domain/search/passages.ts";
import type { Repo } from "../../../ports/repo.ts";
import { readNoteText } from "./note-text.ts";

/** The columns of a list of notes. */
export interface NoteFacts {
  readonly title: string;
  readonly tags: readonly string[];
  readonly words: number;
}

const MAX_TITLE = 200;
const MAX_TAGS = 50;

export async function readNoteFacts(repo: Repo, at: Oid, path: string): Promise<NoteFacts> {
  const text = await readNoteText(repo, at, path);
  return {
    title: (titleIn(text) ?? fileTitle(path)).slice(0, MAX_TITLE).toWellFormed(),
    tags: [...new Set([...tagsIn(text), ...tagsInText(text)])].slice(0, MAX_TAGS),
    words: (splitFrontMatter(text)?.body ?? text).split(/\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length,
  };
}

export const fileTitle = (path: string): string =>
  path
    .split("/")
    .at(-1)!
    .replace(/\.(?:md|markdown)$/i, "");

/** Inline tags (`#tag`) in the syntax of Obsidian, outside code. */
function* tagsInText(text: string): Generator<string> {
  for (const { text: line, code } of markdownLines(text))
    if (!code && line.includes("#"))
      for (const [, tag] of line.matchAll(/(?<=^|\s)#(\p{L}[\p{L}\p{N}_/-]{0,98})/gu)) yield tag!;
}
