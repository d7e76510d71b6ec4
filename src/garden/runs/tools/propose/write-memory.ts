import { z } from "zod";
import type { Json } from "../../../../base/canonical.ts";
import { Failure } from "../../../../base/failure.ts";
import type { Language } from "../../../../base/text.ts";
import { layerOneLimits } from "../../../../domain/memory/memory-limits.ts";
import { type MemoryValues, readValues, valuesText } from "../../../../domain/memory/memory-meta.ts";
import { memorySentences } from "../../../../domain/memory/memory-sentences.ts";
import { countTokens } from "../../../../domain/text/tokens.ts";
import { readMemory } from "../../../records/memory/memory-state.ts";
import { gardenTool } from "../tool.ts";
import { PROPOSE_LIMIT_MS, refusalResult, submitProposal } from "./submit-proposal.ts";

/** limit for all named values of an agent together. */
const MOST_VALUE_TOKENS = layerOneLimits["values.json"];
const NAME = /^[^\u0000-\u001f\u007f]{1,200}$/;

/**
 * Proposes to add an observation and named values to the agent's own memory. Every field but `text` is a value, kept under the name
 * that the caller wrote.
 */
export const writeMemoryTool = gardenTool({
  name: "write-memory",
  description: {
    en: "Remember an observation (text), and values by their names: write-memory(text, name: value, …). read-memory gives them back.",
    uk: "Запам'ятай спостереження (text) і значення за їхніми назвами: write-memory(text, назва: значення, …). read-memory поверне їх.",
  },
  input: z.object({ text: z.string("text").max(20_000, "text").nullish() }, "group").catchall(z.json("json")),
  idempotent: true,
  limitMs: PROPOSE_LIMIT_MS,
  async call({ text, ...values }, context, call) {
    const { garden, commit, slug, language } = context;
    const named = values as Readonly<Record<string, Json>>;
    const { files, version } = await readMemory(garden.repo, commit, slug);
    const tokens = await countTokens(valuesText({ ...readValues(files["values.json"]), ...(named as object) }));
    const bad = Object.keys(named).find((name) => !NAME.test(name) || !name.isWellFormed());
    const problem = bad !== undefined ? badName(bad) : tokens > MOST_VALUE_TOKENS ? tooMany(tokens) : undefined;
    if (problem) return refusalResult(context, "memory-update", problem);
    const observe = { op: "observe", text: text ?? "", ...(Object.keys(named).length > 0 && { values: named }) };
    return submitProposal(context, call, {
      action: "memory-update",
      payload: { agent: slug, operations: [observe], expectedVersion: version, priority: "normal" },
      summary: text || valuesTitle(values, readValues(files["values.json"]) ?? {}, language),
    });
  },
});

/** `Remembers processed: 9 → 12 items, …` instead of the names of the values alone. */
const valuesTitle = (values: MemoryValues, before: MemoryValues, language: Language): string => {
  const told = memorySentences([{ op: "observe", text: "", values }], before).map((sentence) => sentence[language]);
  return told.join("; ");
};

const badName = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(name.slice(0, 60).toWellFormed())} cannot be the name of a value`,
    uk: `${JSON.stringify(name.slice(0, 60).toWellFormed())} не може бути назвою значення`,
  });

const tooMany = (tokens: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the named values would have ${tokens} tokens together; at most ${MOST_VALUE_TOKENS} are kept`,
    uk: `іменовані значення разом мали б ${tokens} токенів; зберігається не більше ${MOST_VALUE_TOKENS}`,
  });
