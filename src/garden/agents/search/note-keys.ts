import { ownCopy } from "../../../base/own-copy.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { leadsTo, linksIn } from "../../../domain/note/note-links.ts";
import { titleIn } from "../../../domain/search/passages.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { fileTitle } from "./note-facts.ts";

/** The index entry of one note: hashes of its terms, names and links, each with a weight. */
export interface NoteKeys {
  readonly title: string;
  /** Number of terms. */
  readonly length: number;
  readonly keys: ReadonlyMap<number, number>;
}

const MAX_TITLE = 200;
/** Weight of a word in the title or the path; a word of the text has weight 1. */
const TITLE_WEIGHT = 3;
const MOST_LINKS = 5000;
const PART = 32_768;

/** `pause` is called with the length of each indexed part, so that the caller can yield to the event loop. */
export async function noteKeys(
  path: string,
  text: string,
  pause: (length: number) => Promise<void>,
): Promise<NoteKeys> {
  const keys = new Map<number, number>();
  const add = (key: number, weight: number): void => void keys.set(key, (keys.get(key) ?? 0) + weight);
  const title = titleOf(path, text);
  for (const term of termsIn(`${titleIn(text.slice(0, PART)) ?? ""} ${path.replace(/\.[^./]+$/, "")}`))
    add(termKey(term), TITLE_WEIGHT);
  for (const name of namesOf(path, title)) add(nameKey(name), 1);
  let [length, links] = [0, 0];
  for (const part of markdownParts(text, PART)) {
    for (const term of termsIn(part.text)) {
      add(termKey(term), 1);
      length++;
    }
    for (const link of linksIn(part.inside === "" ? part.text : `${part.inside}\n${part.text}`))
      if (++links <= MOST_LINKS) add(linkKey(path, link), 1);
    await pause(part.text.length);
  }
  return { title: ownCopy(title), length, keys };
}

export const termKey = (term: string): number => hashOf(term);
/** Key of a note's name. */
export const nameKey = (name: string): number => hashOf(`@${name}`);
/** Key of a link in the note `from`. */
export const linkKey = (from: string, link: { readonly kind: "path" | "name"; readonly target: string }): number =>
  hashOf(writtenLink(from, link));

/** Canonical form of a link: `/path` or `=name`. */
export const writtenLink = (
  from: string,
  { kind, target }: { readonly kind: "path" | "name"; readonly target: string },
): string => (kind === "name" ? `=${plainName(target)}` : `/${leadsTo(from, target) ?? ""}`);

/** Canonical forms of all links that resolve to this note. */
export const linksTo = (path: string, title: string): ReadonlySet<string> =>
  new Set([`/${path.normalize("NFC")}`, `/${bare(path)}`, ...namesOf(path, title).map((name) => `=${name}`)]);

export const titleOf = (path: string, text: string): string =>
  (titleIn(text.slice(0, PART)) ?? fileTitle(path)).slice(0, MAX_TITLE).toWellFormed();

/** Names that `[[…]]` may use for a note: its file name, title or path. */
export const namesOf = (path: string, title: string): string[] => [
  ...new Set([fileTitle(path), title, path, bare(path)].map(plainName)),
];

export const plainName = (name: string): string => name.normalize("NFC").trim().toLowerCase();
const bare = (path: string): string => path.normalize("NFC").replace(/\.(?:md|markdown)$/i, "");
