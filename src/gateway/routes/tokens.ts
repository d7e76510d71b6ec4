import { z } from "zod";
import { identityName, slugField } from "../../domain/identity.ts";
import {
  expiryOf,
  issueToken,
  lastUsed,
  listTokens,
  revokeToken,
  type TokenRecord,
} from "../../garden/agents/access/tokens.ts";
import { type Route, route } from "../route.ts";

const days = z.int().min(1).max(366).optional();

const tokenAnswer = z.object({
  id: z.string(),
  kind: z.enum(["owner", "session", "agent", "outside", "guest"]),
  /** The name of a script's token, the zone of a guest's, the agent of a run's. */
  name: z.string(),
  run: z.string().optional(),
  /** The agent that a program outside of the garden acts as. */
  agent: z.string().optional(),
  /** When an outside agent last used it, to half a minute. */
  seen_at: z.iso.datetime().optional(),
  made_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().optional(),
});

export const tokenRoutes: readonly Route[] = [
  route("GET /tokens", {
    summary: {
      en: "tokens, codes and sessions, without their secrets",
      uk: "токени, коди й сеанси, без самих секретів",
    },
    allows: ["owner"],
    answer: z.object({ tokens: z.array(tokenAnswer) }),
    async handle({ garden }) {
      const shown = (await listTokens(garden)).map(async (record) => {
        const seen = record.claims.kind === "outside" ? await lastUsed(garden, record.claims.id) : undefined;
        return { ...tokenBody(record), ...(seen !== undefined && { seen_at: seen }) };
      });
      return { tokens: await Promise.all(shown) };
    },
  }),
  route("POST /tokens", {
    summary: {
      en: "creates a token for a script of the owner, or a code for the guests of a zone; it is shown only once",
      uk: "створює токен для скрипту власника або код для гостей зони; його показано лише цього разу",
    },
    allows: ["owner"],
    body: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("owner"), name: z.string().min(1).max(100), days }),
      z.strictObject({ kind: z.literal("guest"), zone: slugField, days }),
    ]),
    answer: z.object({ id: z.string(), token: z.string(), expires_at: z.iso.datetime() }),
    status: 201,
    handle: ({ garden, body: { days: lasts, ...wish }, identity }) =>
      issueToken(garden, wish, { by: identityName(identity), days: lasts }),
  }),
  route("DELETE /tokens/:id", {
    summary: { en: "revokes a token, code or session", uk: "негайно припиняє токен, код або сеанс" },
    allows: ["owner"],
    params: z.strictObject({ id: z.string().regex(/^tok_[0-9a-f]{16}$/, { error: "token" }) }),
    answer: tokenAnswer,
    handle: async ({ garden, params, identity }) =>
      tokenBody(await revokeToken(garden, params.id, identityName(identity))),
  }),
];

function tokenBody({ claims, made_at, revoked_at }: TokenRecord): z.input<typeof tokenAnswer> {
  const names = { owner: "name", guest: "zone", agent: "slug", outside: "name", session: "kind" } as const;
  return {
    id: claims.id,
    kind: claims.kind,
    name: String((claims as Record<string, unknown>)[names[claims.kind]]),
    ...(claims.kind === "agent" && { run: claims.run }),
    ...(claims.kind === "outside" && { agent: claims.slug }),
    made_at,
    expires_at: expiryOf(claims),
    ...(revoked_at !== undefined && { revoked_at }),
  };
}
