import type { Text } from "../../../base/text.ts";
import type { Reader, ReaderAnswer } from "../../../ports/reader.ts";
import { intentOf } from "./question-intent.ts";
import { answerQuotes, centralQuotes, keyWords, type Quote, quotesOf } from "./quotes.ts";

/**
 * A reader without a network: full-text search over the given sources, in Ukrainian and English. It composes no text of its own. An
 * answer is a list of quotations with reference numbers; a summary consists of the central sentences; tags are words of the text.
 * If the sources say nothing, it says so in one sentence.
 */
export function localReader(): Reader {
  return {
    name: "local",
    async ask({ question, about, sources, signal }) {
      signal.throwIfAborted();
      const intent = intentOf(question);
      const quotes = quotesOf(about ?? sources);
      if (quotes.length === 0) return { answer: NO_SOURCES[intent.language], references: [] };
      if (intent.wants === "tags") {
        const words = keyWords(quotes, intent);
        return answerOf(words, ({ word }) => word, NOTHING[intent.language]);
      }
      // A question without a topic about one given text is about the whole text.
      const whole = intent.wants === "gist" || (about !== undefined && intent.terms.length === 0);
      const chosen = whole ? centralQuotes(quotes, intent) : answerQuotes(quotes, intent);
      return answerOf(
        chosen.map((quote) => ({ quote })),
        ({ quote }) => quoted(quote.passage.text),
        NOTHING[intent.language],
      );
    },
    health: async () => ({ ok: true, place: "local" }),
  };
}

/** One line per piece, with the number of its reference. */
function answerOf<T extends { readonly quote: Quote }>(
  pieces: readonly T[],
  said: (piece: T) => string,
  nothing: string,
): ReaderAnswer {
  if (pieces.length === 0) return { answer: nothing, references: [] };
  const numbers = new Map<Quote, number>();
  for (const { quote } of pieces) if (!numbers.has(quote)) numbers.set(quote, numbers.size + 1);
  return {
    answer: pieces.map((piece) => `${said(piece)} [${numbers.get(piece.quote)}]`).join("\n"),
    references: [...numbers].map(([{ source, passage }, citation_number]) => ({
      citation_number,
      source_title: source.title,
      cited_text: passage.text,
    })),
  };
}

/** The quotation on one line, in quotation marks. */
const quoted = (text: string): string => `«${text.replaceAll(/\s+/g, " ")}»`;

const NOTHING: Text = { en: "The sources say nothing about this.", uk: "Джерела нічого про це не кажуть." };
const NO_SOURCES: Text = { en: "There are no sources to answer from.", uk: "Немає джерел, за якими можна відповісти." };
