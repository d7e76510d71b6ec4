import { z } from "zod";
import { type MemoryOperation, memoryOperation } from "../../../../domain/proposal/operation.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readMemory } from "../../../records/memory/memory-state.ts";
import { agentField, nameField, reasonField } from "../input-fields.ts";
import { textInput, textOfInput } from "../text-input.ts";
import { gardenTool } from "../tool.ts";
import { PROPOSE_LIMIT_MS, submitProposal } from "./submit-proposal.ts";

const FILES = ["snapshot.md", "facts.md", "open_loops.md", "decisions.md"] as const;

/** Operations, or texts to append to `file`. */
const content = z.union(
  [z.array(memoryOperation).min(1).max(100), z.array(z.string()).min(1).max(100), textInput],
  "memory-content",
);

export const proposeMemoryUpdateTool = gardenTool({
  name: "propose-memory-update",
  description: {
    en: "Propose a change of the agent's memory. content: a text or texts to append to file (facts.md unless named; section optional), or operations {op: append|replace|close-loop, …}.",
    uk: "Запропонуй зміну пам'яті агента. content: текст чи тексти, що додаються до file (facts.md, якщо не названо; section за бажанням), або операції {op: append|replace|close-loop, …}.",
  },
  input: group({
    content,
    file: z.enum(FILES, "memory-file").default("facts.md"),
    section: nameField.nullish(),
    expectedVersion: z.int("number").nonnegative("number").nullish(),
    priority: z.enum(["normal", "high"], "priority").default("normal"),
    agent: agentField.nullish(),
    reason: reasonField.optional(),
    rationale: reasonField.optional(),
    summary: reasonField.optional(),
  }),
  idempotent: true,
  limitMs: PROPOSE_LIMIT_MS,
  async call(asked, context, call) {
    const { garden, commit, slug, language } = context;
    const target = asked.agent ?? slug;
    const { version } = await readMemory(garden.repo, commit, target);
    const operations = operationsOf(asked.content, asked.file, asked.section ?? undefined);
    return submitProposal(context, call, {
      action: "memory-update",
      payload: {
        agent: target,
        operations,
        expectedVersion: asked.expectedVersion ?? version,
        priority: asked.priority,
      },
      summary: asked.summary ?? `${language === "en" ? "Memory" : "Пам'ять"}: ${asked.file}`,
      reasoning: asked.reason ?? asked.rationale,
      priority: asked.priority,
    });
  },
});

function operationsOf(
  given: z.output<typeof content>,
  file: (typeof FILES)[number],
  section: string | undefined,
): MemoryOperation[] {
  const append = (text: string): MemoryOperation => ({
    op: "append",
    file,
    ...(section !== undefined && { section }),
    text,
  });
  if (!Array.isArray(given)) return [append(textOfInput(given))];
  return given.map((one) => (typeof one === "string" ? append(one) : one));
}
