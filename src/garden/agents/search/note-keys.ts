import { namesMeant } from "../../../domain/note/link-target.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { linksIn } from "../../../domain/note/note-links.ts";
import { titleIn } from "../../../domain/search/passages.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import { termsIn } from "../../../domain/search/words.ts";

/** The index entry of one note: hashes of its terms and links, each with a weight. */
export interface NoteKeys {
  /** Number of terms. */
  readonly length: number;
  readonly keys: ReadonlyMap<number, number>;
}

/** Weight of a word in the title or the path; a word of the text has weight 1. */
const TITLE_WEIGHT = 3;
const MOST_LINKS = 5000;
const PART = 32_768;
/** A note may have 5 MB. Of a larger file, only the words up to here are found. */
export const MOST_CHARACTERS = 5_000_000;

/** `pause` is called with the length of each indexed part, so that the caller can yield to the event loop. */
export async function noteKeys(
  path: string,
  text: string,
  pause: (length: number) => Promise<void>,
): Promise<NoteKeys> {
  const keys = new Map<number, number>();
  const add = (key: number, weight: number): void => void keys.set(key, (keys.get(key) ?? 0) + weight);
  for (const term of termsIn(`${titleIn(text.slice(0, PART)) ?? ""} ${path.replace(/\.[^./]+$/, "")}`))
    add(termKey(term), TITLE_WEIGHT);
  let [length, links] = [0, 0];
  for (const part of markdownParts(text.slice(0, MOST_CHARACTERS), PART)) {
    for (const term of termsIn(part.text)) {
      add(termKey(term), 1);
      length++;
    }
    for (const link of linksIn(part.inside === "" ? part.text : `${part.inside}\n${part.text}`))
      if (++links <= MOST_LINKS) for (const name of namesMeant(link).slice(0, 1)) add(linkKey(name), 1);
    await pause(part.text.length);
  }
  return { length, keys };
}

export const termKey = (term: string): number => hashOf(term);

/** Key of all links that may lead to a file: its name without the extension of a note, in the form of `LinkTargets`. */
export const linkKey = (fileName: string): number => hashOf(`=${fileName.replace(/\.(?:md|markdown)$/, "")}`);
