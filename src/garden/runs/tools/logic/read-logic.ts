import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readLogic } from "../../../changes/logic/read-logic.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

/** L-1a limits pseudocode. A diagram may be larger; above this it is refused, never cut. */
const MOST_TOKENS = { pseudo: 8200, drakon: 40_000 } as const;

export const logicFormatField = z.enum(["pseudo", "drakon"], "logic-format");

/** `agentId`, `format` and `maxTokens` are from source 000 §5.1; `agent` is a short form. */
export const readLogicTool = gardenTool({
  name: "read-logic",
  description: {
    en: "Read the logic that an agent follows: version current or vNNN, format pseudo or drakon.",
    uk: "Прочитай логіку агента: version current або vNNN, format pseudo або drakon.",
  },
  input: group({
    agent: agentField.nullish(),
    version: z
      .string("version")
      .regex(/^(?:current|v\d{3})$/, "version")
      .nullish(),
    format: logicFormatField.default("pseudo"),
    maxTokens: z.int("tokens").min(1, "tokens").max(100_000, "tokens").nullish(),
    agentId: agentField.nullish(),
  }),
  idempotent: true,
  async call({ agent: whose, agentId, version, format: wanted, maxTokens }, context) {
    const slug = await expectLogicAccess(context, whose ?? agentId);
    const { meta, versions, ...logic } = await readLogic(context.garden, {
      slug,
      format: wanted,
      version: version ?? "current",
      maxTokens: Math.min(maxTokens ?? MOST_TOKENS[wanted], MOST_TOKENS[wanted]),
      at: context.commit,
    });
    return { ...logic, meta: { ...meta }, versions: [...versions] };
  },
});
