import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { passagesIn } from "../../../domain/search/passages.ts";
import { rank, saturated, weightsOf } from "../../../domain/search/rank.ts";
import { termsIn } from "../../../domain/search/words.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { excludedAt } from "../../records/notes/vault-settings-at.ts";
import type { IndexProgress, NoteMatches } from "./commit-notes.ts";
import { type NoteFacts, readNoteFacts } from "./note-facts.ts";
import { type NoteIndex, noteIndex } from "./note-index.ts";
import { MOST_CHARACTERS, termKey } from "./note-keys.ts";
import { readNoteText } from "./note-text.ts";

export interface FoundNote extends NoteFacts {
  readonly path: string;
  /** The best matching sentence, verbatim. */
  readonly quote: string;
}

export interface FoundNotes {
  readonly total: number;
  readonly hits: readonly FoundNote[];
  /** Set while some notes are not indexed yet. */
  readonly reading: IndexProgress | undefined;
}

export interface NoteQuestion {
  readonly question: string;
  readonly most: number;
  /** Maximum number of notes to read before answering; default: all. */
  readonly patience?: number;
  /** Notes that the search leaves out. */
  readonly isExcluded?: (path: string) => boolean;
}

const MAX_QUOTE = 500;

/** Full-text search over the visible notes: the best `most` of `total`, best first. */
export async function findNotes(
  garden: Pick<Garden, "repo" | "config">,
  at: Oid,
  sees: ReadScope,
  asked: NoteQuestion,
): Promise<FoundNotes> {
  const { total, paths, reading } = await rankNotes(noteIndex(garden), at, sees, {
    ...asked,
    isExcluded: await excludedAt(garden, at),
  });
  const hits = await Promise.all(
    paths.map(async (path) => ({
      path,
      ...(await readNoteFacts(garden.repo, at, path)),
      quote: bestQuote(await readNoteText(garden.repo, at, path), asked.question),
    })),
  );
  return { total, hits, reading };
}

/** The same search, returning paths only. */
export async function rankNotes(
  index: NoteIndex,
  at: Oid,
  sees: ReadScope,
  { question, most, patience = Number.POSITIVE_INFINITY, isExcluded = () => false }: NoteQuestion,
): Promise<{ readonly total: number; readonly paths: readonly string[]; readonly reading: IndexProgress | undefined }> {
  const keys = [...new Set(termsIn(question))].map(termKey);
  if (keys.length === 0) return { total: 0, paths: [], reading: undefined };
  const matches = await index.matching(at, keys, sees, patience);
  const notes = matches.notes.filter(({ text }) => !isExcluded(text.path));
  return { total: notes.length, paths: best({ ...matches, notes }, keys.length, most), reading: matches.reading };
}

/** BM25 times the covered share of the question. Ties are broken by path, so the order depends on the commit alone. */
function best({ notes, looked, terms }: NoteMatches, keys: number, most: number): string[] {
  const holding = Array.from({ length: keys }, () => 0);
  for (const { counts } of notes) for (let key = 0; key < keys; key++) if (counts[key]! > 0) holding[key]!++;
  const weights = weightsOf(looked, holding);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const average = terms / Math.max(1, looked);
  const first: { path: string; score: number }[] = [];
  for (const { text, counts } of notes) {
    const long = 0.25 + (0.75 * text.length) / Math.max(1, average);
    let [sum, covered] = [0, 0];
    for (let key = 0; key < keys; key++) {
      if (counts[key] === 0) continue;
      covered += weights[key]!;
      sum += weights[key]! * saturated(counts[key]!, long);
    }
    const hit = { path: text.path, score: (sum * covered) / whole };
    if (first.length >= most && !isBefore(hit, first.at(-1)!)) continue;
    // `most` is small: insertion into a sorted list is cheap.
    let place = first.length;
    while (place > 0 && isBefore(hit, first[place - 1]!)) place--;
    first.splice(place, 0, hit);
    if (first.length > most) first.pop();
  }
  return first.map(({ path }) => path);
}

interface Scored {
  readonly path: string;
  readonly score: number;
}

const isBefore = (a: Scored, b: Scored): boolean =>
  a.score > b.score || (a.score === b.score && compareUtf8(a.path, b.path) < 0);

const PART = 65_536;

/** The sentence that covers most of the question; the first sentence if the words are in the title only. */
function bestQuote(text: string, question: string): string {
  const asked = termsIn(question);
  let found: { readonly text: string; readonly covers: number } | undefined;
  for (const part of markdownParts(text.slice(0, MOST_CHARACTERS), PART)) {
    const candidates = passagesIn(part.text).map((item) => ({
      item,
      terms: termsIn(item.text),
      around: item.headings.flatMap(termsIn),
    }));
    const first = rank(candidates, asked)[0];
    if (first && first.covers > (found?.covers ?? 0)) found = { text: first.item.text, covers: first.covers };
    if (found === undefined && candidates[0]) found = { text: candidates[0].item.text, covers: 0 };
    if (found?.covers === 1) break;
  }
  const quote = found?.text ?? "";
  return quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE).toWellFormed()}…` : quote;
}
