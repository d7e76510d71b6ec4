import { z } from "zod";
import { group } from "../../domain/checked-yaml.ts";
import { passagesIn } from "../../domain/search/passages.ts";
import { rank } from "../../domain/search/rank.ts";
import { termsIn } from "../../domain/search/words.ts";
import { textOf } from "../effect/note-target.ts";
import { searchFiles } from "../search/note-index.ts";
import { limit } from "./fields.ts";
import { factsOf } from "./note-facts.ts";
import { notesSeen, slugOfNote } from "./note-names.ts";
import { gardenTool } from "./tool.ts";

const MOST_HITS = 100;
const MAX_QUOTE = 500;

export const searchNotes = gardenTool({
  name: "search-notes",
  description: {
    en: "Find notes by their words, in any form, Ukrainian or English; the best first: slug, path, title, tags, words and the quote that fits best; number and total say how many there are.",
    uk: "Знайди нотатки за словами в будь-якій формі, українською чи англійською; спершу найкращі: slug, path, title, tags, words і найближча цитата (quote); number і total кажуть, скільки їх усього.",
  },
  input: group({
    query: z.string({ error: "query" }).min(1, { error: "query" }).max(2000, { error: "query" }),
    limit: limit.nullish(),
  }),
  idempotent: true,
  async call({ query, limit: wanted }, context) {
    const { garden, commit, contract } = context;
    const hits = await searchFiles(garden.repo, commit, await notesSeen(context), query);
    const most = Math.min(wanted ?? MOST_HITS, contract.context.max_sources, MOST_HITS);
    return Promise.all(
      hits.slice(0, most).map(async ({ file: { path } }, index) => ({
        slug: slugOfNote(path, garden.config.notes_root),
        path,
        ...(await factsOf(garden.repo, commit, path)),
        quote: bestQuote(textOf((await garden.repo.read(commit, path))?.bytes ?? new Uint8Array()) ?? "", query),
        number: index + 1,
        total: hits.length,
      })),
    );
  },
});

/** The sentence that answers best, as it stands in the note; its first one where the words are in the title only. */
function bestQuote(text: string, query: string): string {
  const passages = passagesIn(text);
  const candidates = passages.map((item) => ({
    item,
    terms: termsIn(item.text),
    around: item.headings.flatMap(termsIn),
  }));
  const best = rank(candidates, termsIn(query))[0]?.item ?? passages[0];
  const quote = best?.text ?? "";
  return quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE).toWellFormed()}…` : quote;
}
