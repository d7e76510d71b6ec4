import type { Oid } from "../../domain/git-names.ts";
import { passagesIn } from "../../domain/search/passages.ts";
import { rank } from "../../domain/search/rank.ts";
import { termsIn } from "../../domain/search/words.ts";
import type { Repo, TreeFile } from "../../ports/repo.ts";
import { textOf } from "../effect/note-target.ts";
import { factsOf, type NoteFacts } from "./note-facts.ts";
import { searchFiles } from "./note-index.ts";

export interface FoundNote extends NoteFacts {
  readonly path: string;
  /** The sentence that fits best, as it stands in the note. */
  readonly quote: string;
}

const MAX_QUOTE = 500;

/** Notes by their words, the best first, at most `most` of `total`. `files` are those that the asker may read. */
export async function findNotes(
  repo: Repo,
  at: Oid,
  files: readonly TreeFile[],
  question: string,
  most: number,
): Promise<{ readonly total: number; readonly hits: readonly FoundNote[] }> {
  const found = await searchFiles(repo, at, files, question);
  const hits = await Promise.all(
    found.slice(0, most).map(async ({ file: { path } }) => ({
      path,
      ...(await factsOf(repo, at, path)),
      quote: bestQuote(textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "", question),
    })),
  );
  return { total: found.length, hits };
}

/** The sentence that answers best, as it stands in the note; its first one where the words are in the title only. */
function bestQuote(text: string, question: string): string {
  const passages = passagesIn(text);
  const candidates = passages.map((item) => ({
    item,
    terms: termsIn(item.text),
    around: item.headings.flatMap(termsIn),
  }));
  const best = rank(candidates, termsIn(question))[0]?.item ?? passages[0];
  const quote = best?.text ?? "";
  return quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE).toWellFormed()}…` : quote;
}
