import { z } from "zod";
import { identityName, slugField } from "../../domain/identity.ts";
import { actions } from "../../domain/proposal/action.ts";
import { issueAgentToken, listAgentTokens, revokeAgentToken } from "../../garden/agents/access/agent-tokens.ts";
import { connectAgent, grantIn } from "../../garden/agents/access/connect-agent.ts";
import { type Route, route } from "../route.ts";
import { slugParams } from "../shapes.ts";

const name = z.string().regex(/^[\w.-]{1,63}$/, { error: "token" });

export const agentTokenRoutes: readonly Route[] = [
  route("GET /agents/:slug/tokens", {
    summary: {
      en: "tokens of an agent that runs outside of the garden, without their secrets (A-3)",
      uk: "токени агента, що працює поза садом, без самих секретів (A-3)",
    },
    allows: ["owner"],
    params: slugParams,
    answer: z.object({
      tokens: z.array(
        z.object({
          id: z.string(),
          agent: z.string(),
          name: z.string(),
          made_at: z.iso.datetime(),
          expires_at: z.iso.datetime(),
          /** Agents whose runs it may start. */
          starts: z.array(z.string()).optional(),
          /** The last day on which it was used (UTC). */
          last_used: z.iso.date().optional(),
          revoked_at: z.iso.datetime().optional(),
        }),
      ),
    }),
    handle: async ({ garden, params: { slug } }) => ({ tokens: await listAgentTokens(garden, slug) }),
  }),
  route("POST /agents/:slug/tokens", {
    summary: {
      en: "creates a token with which an agent outside of the garden acts as this one; it is shown only once (A-3)",
      uk: "створює токен, з яким агент поза садом діє як цей; його показано лише цього разу (A-3)",
    },
    allows: ["owner"],
    params: slugParams,
    body: z.strictObject({
      name,
      days: z.int().min(1).max(366).optional(),
      starts: z.array(slugField).max(100).optional(),
    }),
    answer: z.object({ id: z.string(), name: z.string(), token: z.string(), expires_at: z.iso.datetime() }),
    status: 201,
    handle: ({ garden, params: { slug }, body, identity }) =>
      issueAgentToken(garden, { slug, ...body, by: identityName(identity) }),
  }),
  route("POST /tokens/agent", {
    summary: {
      en: "connects a program outside of the garden: an agent whose contract is its grant, and a token, shown only once (A-3, A-5)",
      uk: "приєднує програму поза садом: агент, чий контракт — його дозвіл, і токен, показаний лише цього разу (A-3, A-5)",
    },
    allows: ["owner"],
    body: z.strictObject({
      agent: slugField,
      name: name.default("mcp"),
      actions: z.array(z.enum(actions)).min(1).max(20).optional(),
      folder: z.string().max(500).optional(),
      /** Changes that it may propose in a minute (default: the garden's limit for agents). */
      per_minute: z.int().min(1).max(1000).optional(),
      starts: z.array(slugField).max(100).optional(),
      days: z.int().min(1).max(366).optional(),
    }),
    answer: z.object({
      agent: z.string(),
      /** False: the agent was there, and has one more token. */
      created: z.boolean(),
      id: z.string(),
      name: z.string(),
      token: z.string(),
      expires_at: z.iso.datetime(),
    }),
    status: 201,
    handle: ({ garden, body: { actions: may, folder, per_minute: perMinute, ...wish }, identity: by }) =>
      connectAgent(garden, { ...wish, by, grant: grantIn({ actions: may, folder, perMinute }) }),
  }),
  route("DELETE /agents/:slug/tokens/:name", {
    summary: { en: "revokes a token of an agent at once", uk: "негайно відкликає токен агента" },
    allows: ["owner"],
    params: slugParams.extend({ name }),
    answer: z.object({ id: z.string(), agent: z.string(), name: z.string(), revoked_at: z.iso.datetime() }),
    handle: ({ garden, params: { slug, name: named }, identity }) =>
      revokeAgentToken(garden, { slug, name: named, by: identityName(identity) }),
  }),
];
