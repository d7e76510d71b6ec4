import { shownText } from "../../../src/domain/note/shown-text.ts";
import { FOOTNOTE } from "./obsidian-syntax.ts";

/** The footnotes of a note in the order of their first mention. */
export interface Footnotes {
  /** `id`: of `[^id]`, or the text of `^[text]`. Undefined for an id without a text. */
  number(kind: "named" | "inline", id: string): number | undefined;
  readonly texts: readonly string[];
}

export const NO_FOOTNOTES: Footnotes = { number: () => undefined, texts: [] };

const MENTION = /\[\^([^\]\s]{1,100})\](?!:)|\^\[([^\]\n]{1,2000})\]/g;
const MOST = 2000;

/** Reads the whole text, because a long note is rendered part by part and a footnote may be in another part than its mention. */
export function footnotesIn(text: string): Footnotes {
  if (!text.includes("[^") && !text.includes("^[")) return NO_FOOTNOTES;
  const shown = shownText(text);
  const named = new Map<string, string>();
  for (const { index } of shown.matchAll(/^\[\^[^\]\s]{1,100}\]:/gm)) {
    const [, id, words] = FOOTNOTE.exec(text.slice(index, index + 20_000)) ?? [];
    if (id !== undefined && !named.has(id)) named.set(id, words!.replaceAll(/\n[ \t]+/g, "\n"));
  }
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  for (const { 0: found, 1: id, index } of shown.matchAll(MENTION)) {
    if (texts.length >= MOST) break;
    // Blanked code inside of the text is part of it.
    const inside = id === undefined ? text.slice(index + 2, index + found.length - 1) : undefined;
    const key = id === undefined ? `inline ${inside}` : `named ${id}`;
    const words = inside ?? named.get(id!);
    if (words === undefined || numbers.has(key)) continue;
    numbers.set(key, texts.push(words));
  }
  return { number: (kind, id) => numbers.get(`${kind} ${id}`), texts };
}
