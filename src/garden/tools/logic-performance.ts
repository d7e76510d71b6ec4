import { z } from "zod";
import { group } from "../../domain/checked-yaml.ts";
import { logicPerformance } from "../logic/read-logic.ts";
import { agent } from "./fields.ts";
import { expectLogicOf } from "./rights.ts";
import { gardenTool } from "./tool.ts";

export const logicPerformanceTool = gardenTool({
  name: "logic-performance",
  description: {
    en: "What the runs say about each version of an agent's logic: counts, success rate, tokens, trend, and a recommendation where there are enough runs for one.",
    uk: "Що запуски кажуть про кожну версію логіки агента: кількість, частка успішних, токени, тенденція й порада, якщо запусків для неї досить.",
  },
  input: group({
    agent: agent.nullish(),
    version: z
      .string({ error: "version" })
      .regex(/^v\d{3}$/, { error: "version" })
      .nullish(),
  }),
  idempotent: true,
  async call({ agent: whose, version }, context) {
    const slug = await expectLogicOf(context, whose);
    const found = await logicPerformance(context.garden, { slug, ...(version && { versions: [version] }) });
    return {
      agentId: found.agentId,
      versions: Object.fromEntries(Object.entries(found.versions).map(([name, figures]) => [name, { ...figures }])),
      trend: found.trend,
      recommendation: found.recommendation[context.language],
    };
  },
});
