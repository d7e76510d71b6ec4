import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { searchMemory } from "../../../agents/memory/search-memory.ts";
import { recordUse } from "../../../records/memory/memory-use.ts";
import { agentField, limitField } from "../input-fields.ts";
import { expectMemoryAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

const MOST_HITS = 20;

export const searchMemoryTool = gardenTool({
  name: "search-memory",
  description: {
    en: "Find facts, open loops and sentences of the snapshot in the agent's memory by their words, in any form; the best first: file, section, text, id. deep: true looks through decisions, changelog, timeline and reports of runs too.",
    uk: "Знайди в пам'яті агента факти, відкриті питання й речення snapshot за словами в будь-якій формі; спершу найкращі: file, section, text, id. deep: true шукає ще й у рішеннях, журналі змін, хроніці та звітах запусків.",
  },
  input: group({
    query: z.string("query").min(1, "query").max(2000, "query"),
    limit: limitField.nullish(),
    deep: z.boolean("yes-or-no").default(false),
    agent: agentField.nullish(),
  }),
  idempotent: true,
  async call({ query, limit: wanted, deep, agent: whose }, context) {
    const slug = expectMemoryAccess(context, whose);
    const { garden, commit } = context;
    const found = await searchMemory(garden.repo, commit, slug, { query, limit: wanted ?? MOST_HITS, deep });
    const facts = found.hits.flatMap(({ file, id }) => (file === "facts.md" && id !== undefined ? [id] : []));
    if (!context.trial) await recordUse(garden, { slug, at: commit, facts });
    return { ...found, hits: found.hits.map((hit) => ({ ...hit })) };
  },
});
