import type { Text } from "../../../base/text.ts";
import type { Answer, Reader } from "../../../ports/reader.ts";
import { askedIn } from "./question-intent.ts";
import { answering, central, keyWords, type Quote, quotesOf } from "./quotes.ts";

/**
 * A reader that needs nobody: full-text search over what it is handed, in Ukrainian and English. It has no words of its own. An answer is
 * a list of quotations, each with the number of its reference; a request for a summary gets the sentences that the text turns around; a
 * request for tags gets words of the text, each as it stands there. Only where the sources say nothing, it says that in a sentence.
 */
export function localReader(): Reader {
  return {
    name: "local",
    async ask({ question, about, sources, signal }) {
      signal.throwIfAborted();
      const asked = askedIn(question);
      const quotes = quotesOf(about ?? sources);
      if (quotes.length === 0) return { answer: NO_SOURCES[asked.language], references: [] };
      if (asked.wants === "tags") {
        const words = keyWords(quotes, asked);
        return answerOf(words, ({ word }) => word, NOTHING[asked.language]);
      }
      // Where one text is given and nothing in it is asked about, the question is about all of it.
      const whole = asked.wants === "gist" || (about !== undefined && asked.terms.length === 0);
      const chosen = whole ? central(quotes, asked) : answering(quotes, asked);
      return answerOf(
        chosen.map((quote) => ({ quote })),
        ({ quote }) => quoted(quote.passage.text),
        NOTHING[asked.language],
      );
    },
    health: async () => ({ ok: true, place: "local" }),
  };
}

/** One line per piece, with the number of what it is from. */
function answerOf<T extends { readonly quote: Quote }>(
  pieces: readonly T[],
  said: (piece: T) => string,
  nothing: string,
): Answer {
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

/** On one line; quotation marks around it say that these are somebody else's words. */
const quoted = (text: string): string => `«${text.replaceAll(/\s+/g, " ")}»`;

const NOTHING: Text = { en: "The sources say nothing about this.", uk: "Джерела нічого про це не кажуть." };
const NO_SOURCES: Text = { en: "There are no sources to answer from.", uk: "Немає джерел, за якими можна відповісти." };
