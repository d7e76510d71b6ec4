import { splitFrontMatter } from "../../../../src/domain/note/front-matter.ts";
import { plainWords } from "./note-links.ts";

/** The title of a note is its file name, as in Obsidian. */
export const noteTitle = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");

/** The heading that a text begins with, if it repeats the title of the note. The page shows it as the title, and not a second time. */
export function titleInText(path: string, text: string): { readonly title: string; readonly line: number } | undefined {
  const body = splitFrontMatter(text)?.body ?? text;
  const [, empty, written] = /^((?:[ \t]*\r?\n)*)#[ \t]+([^\r\n]{1,200})(?:[\r\n]|$)/.exec(body) ?? [];
  if (empty === undefined || written === undefined) return undefined;
  const title = plainWords(written.replace(/\s#+\s*$/, "").trim());
  const line = text.slice(0, text.length - body.length + empty.length).split("\n").length;
  return compared(title) === compared(noteTitle(path)) ? { title, line } : undefined;
}

/** A file name has other letter cases and hyphens than a heading. */
const compared = (title: string): string =>
  title
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[-_\s]+/g, " ")
    .trim();
