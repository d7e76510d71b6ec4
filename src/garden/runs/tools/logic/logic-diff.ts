import { z } from "zod";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { logicDiff } from "../../../changes/logic/read-logic.ts";
import { boundText } from "../bound-text.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";
import { logicFormatField } from "./read-logic.ts";

const place = z.string("logic-place").regex(/^(?:current|v\d{3}|(?:proposed:)?prop_[0-9a-z_-]{1,60})$/, "logic-place");

export const logicDiffTool = gardenTool({
  name: "logic-diff",
  description: {
    en: "Compare two states of an agent's logic (vNNN, current, or a proposal prop_…): diff, summary, risk level with its reasons.",
    uk: "Порівняй два стани логіки агента (vNNN, current або пропозиція prop_…): diff, підсумок, рівень ризику з поясненнями.",
  },
  input: group({
    from: place,
    to: place.default("current"),
    agent: agentField.nullish(),
    format: logicFormatField.default("pseudo"),
  }),
  idempotent: true,
  async call({ from, to, agent: whose, format: wanted }, context) {
    const slug = await expectLogicAccess(context, whose);
    const { commit, language } = context;
    const found = await logicDiff(context.garden, { slug, from, to, format: wanted, at: commit });
    return {
      ...found,
      diff: boundText(found.diff, language),
      summary: found.summary[language],
      reasons: found.reasons.map((reason) => reason[language]),
    };
  },
});
