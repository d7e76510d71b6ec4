import { type Passage, passagesIn } from "../../../domain/search/passages.ts";
import { rank } from "../../../domain/search/rank.ts";
import { isIdle, termsIn, wordsIn } from "../../../domain/search/words.ts";
import type { ReadingSource } from "../../../ports/reader.ts";
import type { QuestionIntent } from "./question-intent.ts";

/** A passage of a source, with the terms for ranking. */
export interface Quote {
  readonly source: ReadingSource;
  readonly passage: Passage;
  readonly terms: readonly string[];
  readonly around: readonly string[];
  /** Position in the order of sources and texts. */
  readonly place: number;
}

export function quotesOf(sources: readonly ReadingSource[]): Quote[] {
  const quotes: Quote[] = [];
  for (const source of sources) {
    const title = termsIn(source.title.replace(/\.[^./]+$/, ""));
    for (const passage of passagesIn(source.text)) {
      const around = [...new Set([...title, ...passage.headings.flatMap((heading) => termsIn(heading))])];
      quotes.push({ source, passage, terms: termsIn(passage.text), around, place: quotes.length });
    }
  }
  return quotes;
}

const MOST_QUOTES = 5;
/** Minimum share of the question (by weight) that a passage must cover. */
const ENOUGH = 0.4;
/** Minimum score relative to the best passage. */
const GOOD_ENOUGH = 0.45;

/**
 * Passages that answer the question; none if no passage covers enough of it. The best passage of each source comes before a second
 * one of any source, so that disagreement between sources is visible.
 */
export function answerQuotes(quotes: readonly Quote[], { terms, count = MOST_QUOTES }: QuestionIntent): Quote[] {
  const ranked = rank(
    quotes.map((item) => ({ item, terms: item.terms, around: item.around })),
    terms,
  );
  const best = ranked[0]?.score ?? 0;
  const good = ranked.filter(
    ({ item, score, covers }) => covers >= ENOUGH && score >= best * GOOD_ENOUGH && mentions(item, terms),
  );
  const first = good.filter(
    ({ item }, index) => good.findIndex((other) => other.item.source === item.source) === index,
  );
  const ordered = [...first, ...good.filter((one) => !first.includes(one))].map(({ item }) => item);
  return withoutRepeats(ordered).slice(0, Math.min(count, MOST_QUOTES));
}

/** A match in a heading or title improves the rank but is no answer by itself. */
const mentions = ({ terms }: Quote, asked: readonly string[]): boolean => asked.some((term) => terms.includes(term));

/** The central sentences in text order: those with the most frequent words, and opening ones. */
export function centralQuotes(quotes: readonly Quote[], { terms: about, count }: QuestionIntent): Quote[] {
  const weights = weightsOf(quotes);
  const topic = about.filter((term) => weights.has(term));
  const long = quotes.filter(({ terms }) => terms.length >= SHORTEST);
  const scored = (long.length > 0 ? long : quotes)
    .map((quote) => {
      const own = [...new Set(quote.terms)];
      const weight = own.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / Math.sqrt(own.length + 2);
      const named = own.filter((term) => topic.includes(term)).length;
      return { quote, score: weight * OPENING[quote.passage.opens] * (1 + named) };
    })
    .filter(
      ({ quote }) =>
        topic.length === 0 || topic.some((term) => quote.terms.includes(term) || quote.around.includes(term)),
    )
    .toSorted((a, b) => b.score - a.score);
  const most = Math.min(count ?? Math.round(quotes.length / 4), MOST_QUOTES);
  const chosen = withoutRepeats(scored.map(({ quote }) => quote)).slice(0, Math.max(1, most));
  return chosen.toSorted((a, b) => a.place - b.place);
}

const SHORTEST = 3;
const OPENING = { text: 1.6, part: 1.2, nothing: 1 } as const;

/** Weight of each term in the texts as a whole. */
function weightsOf(quotes: readonly Quote[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { terms, around } of quotes) {
    for (const term of new Set(terms)) found.set(term, (found.get(term) ?? 0) + 1);
    for (const term of around) if (found.has(term)) found.set(term, found.get(term)! + 0.25);
  }
  return new Map([...found].map(([term, times]) => [term, Math.log(1 + times)]));
}

const ALIKE = 0.7;

/** Drops quotes that repeat an earlier quote of the same source. */
function withoutRepeats(quotes: readonly Quote[]): Quote[] {
  const kept: Quote[] = [];
  for (const quote of quotes) {
    const own = new Set(quote.terms);
    const again = kept.some(({ source, passage, terms }) => {
      if (source !== quote.source) return false; // agreement of two sources is information
      const shared = new Set(terms.filter((term) => own.has(term))).size;
      return (
        passage.text === quote.passage.text || shared / Math.max(1, Math.min(own.size, new Set(terms).size)) >= ALIKE
      );
    });
    if (!again) kept.push(quote);
    if (kept.length >= 2 * MOST_QUOTES) break;
  }
  return kept;
}

export interface KeyWord {
  /** As written in the quote. */
  readonly word: string;
  readonly quote: Quote;
}

const DEFAULT_WORDS = 5;
const SHORTEST_WORD = 4;

/** The most frequent words, each in its most common form with its first quote. */
export function keyWords(quotes: readonly Quote[], { count = DEFAULT_WORDS }: QuestionIntent): KeyWord[] {
  const found = new Map<string, { times: number; forms: Map<string, { times: number; quote: Quote }> }>();
  for (const quote of quotes)
    for (const { written, stem } of wordsIn(quote.passage.text)) {
      if (written.length < SHORTEST_WORD || !/^\p{L}/u.test(written) || isIdle(written)) continue;
      const entry = found.get(stem) ?? { times: 0, forms: new Map() };
      entry.times += 1;
      const form = entry.forms.get(written) ?? { times: 0, quote };
      entry.forms.set(written, { ...form, times: form.times + 1 });
      found.set(stem, entry);
    }
  const titled = new Set(quotes.flatMap(({ around }) => around));
  return [...found]
    .map(([stem, { times, forms }]) => ({ forms, score: Math.log(1 + times) * (titled.has(stem) ? 2 : 1), times }))
    .toSorted((a, b) => b.score - a.score || b.times - a.times)
    .slice(0, count)
    .map(({ forms }) => {
      const [word, { quote }] = [...forms].toSorted(([, a], [, b]) => b.times - a.times)[0]!;
      return { word, quote };
    });
}
