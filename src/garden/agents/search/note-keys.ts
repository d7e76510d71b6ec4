import { ownCopy } from "../../../base/own-copy.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { leadsTo, linksIn } from "../../../domain/note/note-links.ts";
import { titleIn } from "../../../domain/search/passages.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { fileTitle } from "./note-facts.ts";

/** What an index remembers of one note: what it can be found by, each as a hash, with how often that stands there. */
export interface NoteKeys {
  readonly title: string;
  /** In terms. */
  readonly length: number;
  readonly keys: ReadonlyMap<number, number>;
}

const MAX_TITLE = 200;
/** A word of the title or of the path counts as so many in the text. */
const TITLE_WEIGHT = 3;
const MOST_LINKS = 5000;
const PART = 32_768;

/** `pause` is called with the length of every piece of work that was done: whoever works beside others lets them in there. */
export async function keysOf(path: string, text: string, pause: (length: number) => Promise<void>): Promise<NoteKeys> {
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
/** Of what a note is called. */
export const nameKey = (name: string): number => hashOf(`@${name}`);
/** Of what a link says, from the note that it stands in. */
export const linkKey = (from: string, link: { readonly kind: "path" | "name"; readonly target: string }): number =>
  hashOf(writtenLink(from, link));

/** `/path` or `=name`, as links are compared. */
export const writtenLink = (
  from: string,
  { kind, target }: { readonly kind: "path" | "name"; readonly target: string },
): string => (kind === "name" ? `=${plainName(target)}` : `/${leadsTo(from, target) ?? ""}`);

/** Every way in which a link can mean this note. */
export const linksTo = (path: string, title: string): ReadonlySet<string> =>
  new Set([`/${path.normalize("NFC")}`, `/${bare(path)}`, ...namesOf(path, title).map((name) => `=${name}`)]);

export const titleOf = (path: string, text: string): string =>
  (titleIn(text.slice(0, PART)) ?? fileTitle(path)).slice(0, MAX_TITLE).toWellFormed();

/** What a note is called in `[[…]]`: by its file, its title or its path. */
export const namesOf = (path: string, title: string): string[] => [
  ...new Set([fileTitle(path), title, path, bare(path)].map(plainName)),
];

export const plainName = (name: string): string => name.normalize("NFC").trim().toLowerCase();
const bare = (path: string): string => path.normalize("NFC").replace(/\.(?:md|markdown)$/i, "");
