import { z } from "zod";
import type { Json } from "../../../../base/canonical.ts";
import type { Language } from "../../../../base/text.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";
import type { LogicPerformance, PooledFigures } from "./logic-insight.ts";

const version = z.string("version").regex(/^v\d{3}$/, "version");

/** `agentId`, `versions` and `metrics` are from source 000 §5.4; `agent` and `version` are short forms. */
export const logicPerformanceTool = gardenTool({
  name: "logic-performance",
  description: {
    en: "What the runs and people's decisions say about each version of an agent's logic: counts, rates with their intervals, tokens, trend, and a recommendation where there are enough runs for one.",
    uk: "Що запуски й рішення людей кажуть про кожну версію логіки агента: кількість, частки з інтервалами, токени, тенденція й порада, якщо запусків для неї досить.",
  },
  input: group({
    agent: agentField.nullish(),
    agentId: agentField.nullish(),
    version: version.nullish(),
    versions: z.array(version, "list").max(999, "list").nullish(),
    metrics: z.array(z.string("text"), "list").max(50, "list").nullish(),
  }),
  idempotent: true,
  async call({ agent: whose, agentId, version: one, versions, metrics }, context) {
    const slug = await expectLogicAccess(context, whose ?? agentId);
    const asked = versions ?? (one == null ? undefined : [one]);
    const found = await context.insight.logicPerformance(context.garden, { slug, versions: asked });
    const result = performanceAnswer(found, metrics ?? undefined, context.language);
    return JSON.parse(JSON.stringify(result)) as Json;
  },
});

/** Source 000 §5.4: in the caller's language, with only the given figures and `totalRuns`, or with all. */
export function performanceAnswer(found: LogicPerformance, metrics: readonly string[] | undefined, language: Language) {
  const wanted = metrics && new Set([...metrics, "totalRuns"]);
  const versions = Object.entries(found.versions).map(([name, all]) => [
    name,
    Object.fromEntries(Object.entries(all).filter(([field]) => !wanted || wanted.has(field))),
  ]);
  return {
    ...found,
    versions: Object.fromEntries(versions) as Record<string, Partial<PooledFigures> & Pick<PooledFigures, "totalRuns">>,
    recommendation: found.recommendation[language],
  };
}
