import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readLogic } from "../../../changes/logic/read-logic.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

/** L-1a limits pseudocode. A diagram may be larger; above this it is refused, never cut. */
const MOST_TOKENS = { pseudo: 8200, drakon: 40_000 } as const;

export const logicFormatField = z.enum(["pseudo", "drakon"], "logic-format");

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
  }),
  idempotent: true,
  async call({ agent: whose, version, format: wanted }, context) {
    const slug = await expectLogicAccess(context, whose);
    const { meta, versions, ...logic } = await readLogic(context.garden, {
      slug,
      format: wanted,
      version: version ?? "current",
      maxTokens: MOST_TOKENS[wanted],
      at: context.commit,
    });
    return { ...logic, meta: { ...meta }, versions: [...versions] };
  },
});
