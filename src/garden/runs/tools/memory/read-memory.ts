import { z } from "zod";
import { recallModes } from "../../../../domain/memory/memory-limits.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { recall } from "../../../agents/memory/recall.ts";
import { factsIn, recordUse } from "../../../records/memory/memory-use.ts";
import { agentField } from "../input-fields.ts";
import { expectMemoryAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

const day = z.iso.date("day");

export const readMemoryTool = gardenTool({
  name: "read-memory",
  description: {
    en: "Read the agent's memory. mode: basic (snapshot, open loops, the latest observations), wide (with facts and the last decisions), deep (everything), temporal (what happened from … to …). Named values of write-memory are members of the result.",
    uk: "Прочитай пам'ять агента. mode: basic (snapshot, відкриті питання, останні спостереження), wide (ще факти й останні рішення), deep (усе), temporal (що було з from по to). Іменовані значення write-memory — поля результату.",
  },
  input: group({
    mode: z.enum(recallModes, "mode").default("basic"),
    agent: agentField.nullish(),
    from: day.nullish(),
    to: day.nullish(),
  }),
  idempotent: true,
  async call({ mode, agent: whose, from, to }, context) {
    const slug = expectMemoryAccess(context, whose);
    const period = { from: from ?? undefined, to: to ?? undefined };
    const { garden, commit } = context;
    const { values, parts, version, tokens, cut } = await recall(garden.repo, commit, slug, mode, period);
    if (!context.trial) await recordUse(garden, { slug, at: commit, facts: factsIn(parts["facts"] ?? "") });
    const own = { ...parts, mode, version, tokens, cut: [...cut] };
    // A named value must not hide a part of the memory: values with such names are under `values`.
    const hidden = Object.entries(values).filter(([name]) => name === "values" || Object.hasOwn(own, name));
    return { ...values, values: Object.fromEntries(hidden), ...own };
  },
});
