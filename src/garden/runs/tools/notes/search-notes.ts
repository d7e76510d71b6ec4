import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { findNotes } from "../../../agents/search/find-notes.ts";
import { limitField } from "../input-fields.ts";
import { gardenTool } from "../tool.ts";
import { agentSight, slugOfNote } from "./note-names.ts";

const MOST_HITS = 100;

export const searchNotesTool = gardenTool({
  name: "search-notes",
  description: {
    en: "Find notes by their words, in any form, Ukrainian or English; the best first: slug, path, title, tags, words and the quote that fits best; number and total say how many there are.",
    uk: "Знайди нотатки за словами в будь-якій формі, українською чи англійською; спершу найкращі: slug, path, title, tags, words і найближча цитата (quote); number і total кажуть, скільки їх усього.",
  },
  input: group({ query: z.string("query").min(1, "query").max(2000, "query"), limit: limitField.nullish() }),
  idempotent: true,
  async call({ query, limit: wanted }, context) {
    const { garden, commit, contract } = context;
    const most = Math.min(wanted ?? MOST_HITS, contract.context.max_sources, MOST_HITS);
    const { total, hits } = await findNotes(garden, commit, agentSight(context), { question: query, most });
    return hits.map(({ path, title, tags, words, quote }, index) => ({
      slug: slugOfNote(path, garden.config.notes_root),
      path,
      title,
      tags: [...tags],
      words,
      quote,
      number: index + 1,
      total,
    }));
  },
});
