import { type Passage, passagesIn } from "../../../domain/search/passages.ts";
import { rank } from "../../../domain/search/rank.ts";
import { isIdle, termsIn, wordsIn } from "../../../domain/search/words.ts";
import type { ReadingSource } from "../../../ports/reader.ts";
import { holdsValue } from "./answer-kind.ts";
import type { QuestionIntent } from "./question-intent.ts";

/** A passage of a source, with the terms for ranking. */
export interface Quote {
  readonly source: ReadingSource;
  readonly passage: Passage;
  readonly terms: readonly string[];
  readonly around: readonly string[];
  /** Position in the order of sources and texts. */
  readonly place: number;
  /** True if the name of the source has all these terms. */
  readonly isTitled: (terms: readonly string[]) => boolean;
}

export function quotesOf(sources: readonly ReadingSource[]): Quote[] {
  const quotes: Quote[] = [];
  for (const source of sources) {
    const title = termsIn(source.title.replace(/\.[^./]+$/, ""));
    const name = new Set(termsIn(source.title.replace(/^.*\/|\.[^./]+$/g, "")));
    const isTitled = (terms: readonly string[]): boolean => terms.every((term) => name.has(term));
    for (const passage of passagesIn(source.text)) {
      const around = [...new Set([...title, ...passage.headings.flatMap((heading) => termsIn(heading))])];
      quotes.push({ source, passage, terms: termsIn(passage.text), around, place: quotes.length, isTitled });
    }
  }
  return quotes;
}

const MOST_QUOTES = 5;
/** Minimum share of the question (by weight) that a passage must cover together with its headings and the name of its source. */
const ENOUGH = 0.6;
/** Minimum share that the words of the passage itself must cover. */
const OWN_ENOUGH = 0.2;
/** One of so many words of a question may be missing in a source that answers it. */
const WORDS_PER_MISS = 5;
/** Minimum score relative to the best passage. */
const GOOD_ENOUGH = 0.45;

/**
 * Passages that answer the question; none if the sources do not answer it. A passage answers if its source has the words of the
 * question, the passage covers enough of them, and it holds the kind of value that the question asks for. A source that lacks a word
 * of the question is about something else: "what does Sync cost" is not answered by a sentence about other costs. The best passage of each source comes before a second
 * one of any source, so that disagreement between sources is visible.
 */
export function answerQuotes(
  quotes: readonly Quote[],
  { terms, kind, counted, count = MOST_QUOTES }: QuestionIntent,
): Quote[] {
  const answering = quotesThatMayAnswer(quotes, terms);
  const ranked = rank(
    quotes.map((item) => ({ item, terms: item.terms, around: item.around })),
    terms,
  ).filter(
    ({ item }) =>
      answering(item) && holdsValue(kind, item.passage.text) && (counted === undefined || item.terms.includes(counted)),
  );
  const best = ranked[0]?.score ?? 0;
  const good = ranked.filter(({ score }) => score >= best * GOOD_ENOUGH);
  const first = good.filter(
    ({ item }, index) => good.findIndex((other) => other.item.source === item.source) === index,
  );
  const ordered = [...first, ...good.filter((one) => !first.includes(one))].map(({ item }) => item);
  return withoutRepeats(ordered).slice(0, Math.min(count, MOST_QUOTES));
}

function quotesThatMayAnswer(quotes: readonly Quote[], asked: readonly string[]): (quote: Quote) => boolean {
  const words = new Map<ReadingSource, Set<string>>();
  const holding = new Map<string, number>(asked.map((term) => [term, 0]));
  for (const { source, terms, around } of quotes) {
    const known = words.get(source) ?? new Set();
    words.set(source, known);
    const own = new Set([...terms, ...around]);
    for (const term of asked) if (own.has(term)) holding.set(term, holding.get(term)! + 1);
    for (const term of own) known.add(term);
  }
  // A word that no source has weighs as much as the rarest one: it is what the question is about.
  const weightOf = (term: string): number => Math.log(1 + quotes.length / Math.max(1, holding.get(term)!));
  const whole = asked.reduce((sum, term) => sum + weightOf(term), 0);
  const most = Math.floor(asked.length / WORDS_PER_MISS);
  return ({ source, passage, terms, around, isTitled }) => {
    if (isQuestion(passage.text) || isOnlyLink(passage.text)) return false;
    const missing = asked.filter((term) => !hasWord(words.get(source)!, term)).length;
    const share = (some: readonly string[]): number =>
      asked.reduce((sum, term) => sum + (some.includes(term) ? weightOf(term) : 0), 0) / whole;
    if (missing > most || share([...terms, ...around]) < ENOUGH) return false;
    // The first words of a note are about its name.
    return share(terms) >= OWN_ENOUGH || (passage.opens === "text" && isTitled(asked));
  };
}

const isQuestion = (text: string): boolean => /\?["»”’)\]*_]*$/.test(text);
/** A passage that only names another note, as tables of contents do. */
const isOnlyLink = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text.replaceAll(/!?\[\[[^\]\n]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)/gu, ""));

/** Prefixes of Ukrainian verbs: `писав` and `написав` are one word here. */
const VERB_PREFIXES = ["на", "по", "з", "с", "за", "ви", "при", "про", "під", "об", "від", "у", "в"];

const hasWord = (words: ReadonlySet<string>, term: string): boolean =>
  words.has(term) ||
  (/^[а-яєіїґ]{3,}/.test(term) &&
    VERB_PREFIXES.some(
      (prefix) =>
        words.has(prefix + term) ||
        (term.startsWith(prefix) && term.length >= prefix.length + 3 && words.has(term.slice(prefix.length))),
    ));

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
