import { z } from "zod";
import { Failure } from "../../../../base/failure.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { logicDiff } from "../../../changes/logic/read-logic.ts";
import { boundText } from "../bound-text.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";
import { logicFormatField } from "./read-logic.ts";

const place = z
  .string("logic-place")
  .regex(/^(?:current|v\d{3}|proposed|(?:proposed:)?prop_[0-9a-z_-]{1,60})$/, "logic-place");

/** `agentId`, `fromVersion` and `toVersion` are from source 000 §5.3; `agent`, `from` and `to` are short forms. */
export const logicDiffTool = gardenTool({
  name: "logic-diff",
  description: {
    en: "Compare two states of an agent's logic (vNNN, current, proposed, or a proposal prop_…): diff, summary, risk level with its reasons.",
    uk: "Порівняй два стани логіки агента (vNNN, current, proposed або пропозиція prop_…): diff, підсумок, рівень ризику з поясненнями.",
  },
  input: group({
    from: place.nullish(),
    to: place.nullish(),
    agent: agentField.nullish(),
    format: logicFormatField.default("pseudo"),
    fromVersion: place.nullish(),
    toVersion: place.nullish(),
    agentId: agentField.nullish(),
  }),
  idempotent: true,
  async call({ agent: whose, agentId, format: wanted, ...named }, context) {
    const slug = await expectLogicAccess(context, whose ?? agentId);
    const { commit, language } = context;
    const from = named.from ?? named.fromVersion;
    if (from == null) throw fromMissing();
    const to = named.to ?? named.toVersion ?? "current";
    const found = await logicDiff(context.garden, { slug, from, to, format: wanted, at: commit });
    return {
      ...found,
      diff: boundText(found.diff, language),
      summary: found.summary[language],
      reasons: found.reasons.map((reason) => reason[language]),
    };
  },
});

const fromMissing = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "from is missing: the state to compare with",
    uk: "немає from — стану, з яким порівняти",
    hint: {
      en: "Give from (or fromVersion) as vNNN or current.",
      uk: "Вкажіть from (або fromVersion): vNNN чи current.",
    },
  });
