import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { memoryDiff } from "../../../records/memory/memory-diff.ts";
import { boundText } from "../bound-text.ts";
import { agentField } from "../input-fields.ts";
import { expectMemoryAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

const moment = z.union(
  [z.string().regex(/^[0-9a-f]{4,40}$/), z.iso.date(), z.iso.datetime({ offset: true })],
  "moment",
);

export const memoryDiffTool = gardenTool({
  name: "memory-diff",
  description: {
    en: "What changed in the agent's memory between two commits or dates; without `to`: until now.",
    uk: "Що змінилося в пам'яті агента між двома комітами чи датами; без `to`: дотепер.",
  },
  input: group({ from: moment, to: moment.nullish(), agent: agentField.nullish() }),
  idempotent: true,
  async call({ from, to, agent: whose }, context) {
    const slug = expectMemoryAccess(context, whose);
    const found = await memoryDiff(context.garden.repo, { slug, from, to: to ?? undefined, at: context.commit });
    return {
      ...found,
      from: found.from ?? null,
      files: found.files.map((file) => ({ ...file })),
      diff: boundText(found.diff, context.language),
    };
  },
});
