import { z } from "zod";
import { logicMeta } from "../../domain/logic/logic-meta.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import { logicDiff, readLogic } from "../../garden/changes/logic/read-logic.ts";
import { otherAgentInBody } from "../failures.ts";
import { type Route, route } from "../route.ts";
import { agentParams, wholeNumber } from "../shapes.ts";
import { expectOwnAgent } from "./agents.ts";
import { receivedAnswer, receivedBody } from "./inbox.ts";

const versionOrProposal = z
  .string()
  .regex(/^(?:current|v\d{3}|proposed|(?:proposed:)?prop_[0-9a-z_-]{1,60})$/, { error: "version or proposal" });

export const logicRoutes: readonly Route[] = [
  route("GET /logic/:agentId/read", {
    summary: {
      en: "read-logic: the current logic of an agent, a version (`v006`), or the logic of a proposal (`prop_…`)",
      uk: "read-logic: чого агент дотримується зараз, дотримувався за vNNN або дотримувався б за пропозицією (`prop_…`)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({
      format: z.enum(["pseudo", "drakon"]).default("pseudo"),
      version: versionOrProposal.default("current"),
      maxTokens: wholeNumber(8000, 100_000),
    }),
    answer: z.object({
      agentId: z.string(),
      logicVersion: z.string(),
      format: z.enum(["pseudo", "drakon"]),
      tokenCount: z.int(),
      content: z.string(),
      meta: logicMeta,
      versions: z.array(z.string()),
    }),
    async handle({ garden, params: { agentId }, query, identity }) {
      expectOwnAgent(identity, agentId);
      return readLogic(garden, { slug: agentId, ...query });
    },
  }),
  route("POST /logic/:agentId/propose", {
    summary: {
      en: "propose-logic-update: a proposal that always waits for a person",
      uk: "propose-logic-update: пропозиція, яка завжди чекає на людину",
    },
    allows: ["owner", "agent"],
    rate: "submit",
    params: agentParams,
    /** Source 000 §4.6 or §5.2; validated by the inbox gate. */
    body: z.record(z.string(), z.json()),
    answer: receivedAnswer,
    status: 201,
    async handle({ garden, params: { agentId }, body, identity, correlation }) {
      const { targetAgentId: _, agentId: __, agent: ___, ...payload } = body;
      const named = [body["targetAgentId"], body["agentId"], body["agent"]].filter((name) => name !== undefined);
      if (named.some((name) => name !== agentId)) throw otherAgentInBody(agentId);
      const received = await receive(garden, {
        identity,
        action: "logic-update",
        target: agentId,
        payload: { ...payload, agent: agentId },
        ...(correlation.brought && { correlation_id: correlation.id }),
      });
      return receivedBody(received);
    },
  }),
  route("GET /logic/:agentId/diff", {
    summary: {
      en: "logic-diff: two versions (`v006`, `current`), or a version and the pending change (`proposed`, or `prop_…`)",
      uk: "logic-diff: дві версії (`v006`, `current`) або версія й зміна, що очікує (`proposed` чи `prop_…`)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({
      from: versionOrProposal,
      to: versionOrProposal,
      format: z.enum(["pseudo", "drakon"]).default("pseudo"),
    }),
    answer: z.object({
      agentId: z.string(),
      fromVersion: z.string(),
      toVersion: z.string(),
      format: z.enum(["pseudo", "drakon"]),
      diff: z.string(),
      /** In the caller's language, as source 000 §5.3 has it. */
      summary: z.string(),
      riskLevel: z.enum(["low", "medium", "high"]),
      reasons: z.array(z.string()),
    }),
    async handle({ garden, params: { agentId }, query: { from, to, format }, identity, language }) {
      expectOwnAgent(identity, agentId);
      const { summary, reasons, ...diff } = await logicDiff(garden, { slug: agentId, from, to, format });
      return { ...diff, summary: summary[language], reasons: reasons.map((reason) => reason[language]) };
    },
  }),
];
