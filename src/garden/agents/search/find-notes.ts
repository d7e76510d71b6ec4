import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { passagesIn } from "../../../domain/search/passages.ts";
import { rank, saturated, weightsOf } from "../../../domain/search/rank.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Sight } from "../../core/access/sight.ts";
import type { Garden } from "../../core/garden.ts";
import { factsOf, type NoteFacts } from "./note-facts.ts";
import { type Having, type NoteIndex, noteIndex, type Reading } from "./note-index.ts";
import { termKey } from "./note-keys.ts";

type Ground = Pick<Garden, "repo" | "config">;

export interface FoundNote extends NoteFacts {
  readonly path: string;
  /** The sentence that fits best, as it stands in the note. */
  readonly quote: string;
}

export interface FoundNotes {
  readonly total: number;
  readonly hits: readonly FoundNote[];
  /** Where not all notes are read yet: how far it is. */
  readonly reading: Reading | undefined;
}

export interface Asked {
  readonly question: string;
  readonly most: number;
  /** How many notes may be read before there is an answer; without it: all. */
  readonly patience?: number;
}

const MAX_QUOTE = 500;

/** Notes by their words, the best first, at most `most` of `total`, among those that the asker may read. */
export async function findNotes(garden: Ground, at: Oid, sees: Sight, asked: Asked): Promise<FoundNotes> {
  const { total, paths, reading } = await rankNotes(noteIndex(garden), at, sees, asked);
  const hits = await Promise.all(
    paths.map(async (path) => ({
      path,
      ...(await factsOf(garden.repo, at, path)),
      quote: await bestQuote(garden, at, path, asked.question),
    })),
  );
  return { total, hits, reading };
}

/** The same as paths. */
export async function rankNotes(
  index: NoteIndex,
  at: Oid,
  sees: Sight,
  { question, most, patience = Number.POSITIVE_INFINITY }: Asked,
): Promise<{ readonly total: number; readonly paths: readonly string[]; readonly reading: Reading | undefined }> {
  const keys = [...new Set(termsIn(question))].map(termKey);
  if (keys.length === 0) return { total: 0, paths: [], reading: undefined };
  const having = await index.having(at, keys, sees, patience);
  return { total: having.notes.length, paths: best(having, keys.length, most), reading: having.reading };
}

/** The best by BM25, times the share of the question that they cover; equals by path, so that the order is the commit's alone. */
function best({ notes, looked, terms }: Having, keys: number, most: number): string[] {
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
    // Few are told, so the place of a new one among them is found quickly.
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

/** The sentence that answers best, as it stands in the note; its first one where the words are in the title only. */
async function bestQuote({ repo }: Ground, at: Oid, path: string, question: string): Promise<string> {
  const text = textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "";
  const asked = termsIn(question);
  let found: { readonly text: string; readonly covers: number } | undefined;
  for (const part of markdownParts(text, PART)) {
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
