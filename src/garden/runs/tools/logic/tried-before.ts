import { z } from "zod";
import { contractKey } from "../../../../domain/layout.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { otherDiagrams } from "../../../../drakon/called-logic.ts";
import { earlierAttempts } from "../../../changes/logic/tried-before.ts";
import { readDiagrams } from "../../../records/agents/agent-diagrams.ts";
import { mainFileOf } from "../../../records/logic/contract-origin.ts";
import { readLogicState } from "../../../records/logic/logic-state.ts";
import { proposedLogic } from "../../../records/logic/proposed-logic.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { textInput, textOfInput } from "../text-input.ts";
import { gardenTool } from "../tool.ts";

/** Z-4: an agent checks this before it proposes a change. The gate checks it again. */
export const triedBeforeTool = gardenTool({
  name: "tried-before",
  description: {
    en: "Whether a change of an agent's logic was tried before: kind taken-back, former, circling or rejected, with the version or proposal and the reason. diagram or content (pseudocode) is the whole new logic. Empty: it is new.",
    uk: "Чи пробували вже таку зміну логіки агента: kind taken-back, former, circling або rejected, з версією чи пропозицією і причиною. diagram або content (псевдокод) — уся нова логіка. Порожньо: такого не було.",
  },
  input: group({
    agent: agentField.nullish(),
    diagram: z.union([z.string("text"), z.record(z.string(), z.json())], "diagram").nullish(),
    content: textInput.nullish(),
  }),
  idempotent: true,
  async call({ agent: whose, diagram, content }, context) {
    const { garden, commit, language } = context;
    const slug = await expectLogicAccess(context, whose);
    const state = await readLogicState(garden.repo, commit, slug);
    const contract = await garden.store.get(contractKey(slug));
    const mainFile = mainFileOf(contract && Buffer.from(contract.bytes).toString());
    const logic = await proposedLogic({
      diagram:
        diagram === null || diagram === undefined || typeof diagram === "string"
          ? (diagram ?? undefined)
          : JSON.stringify(diagram, null, 2),
      pseudocode: content === null || content === undefined ? undefined : textOfInput(content),
      current: state,
      mainFile,
      others: otherDiagrams(await readDiagrams(garden.store, slug), state, mainFile),
      language,
    });
    const tried = await earlierAttempts(garden, { slug, diagram: logic.diagram, procedure: logic.procedure }, commit);
    return tried.map(({ words, evidence, ...one }) => ({ ...one, words: words[language], evidence: [...evidence] }));
  },
});
