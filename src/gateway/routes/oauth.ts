import { z } from "zod";
import { registerOauthClient } from "../../garden/agents/access/oauth/oauth-clients.ts";
import { useOauthCode } from "../../garden/agents/access/oauth/oauth-codes.ts";
import { type OauthRefusal, oauthRefusal } from "../../garden/agents/access/oauth/oauth-error.ts";
import {
  endOauthGrant,
  firstOauthTokens,
  type OauthTokens,
  refreshOauthTokens,
  revokeOauthRefresh,
} from "../../garden/agents/access/oauth/oauth-grants.ts";
import { takeToken, tooOften } from "../../garden/changes/inbox/rate-limit.ts";
import { isSameResource, mcpResource, originOf } from "../oauth/authorize-request.ts";
import { readForm } from "../oauth/read-form.ts";
import { type Route, type RouteCall, route } from "../route.ts";

/** Anybody can call these, so that they are limited for all callers together. */
const REGISTRATIONS_PER_MINUTE = 20;
const EXCHANGES_PER_MINUTE = 120;

const json = z.record(z.string(), z.unknown());

/** OAuth 2.1 for MCP clients that demand it: documents, registration, tokens. The owner's part is `routes/oauth-consent.ts`. */
export const oauthRoutes: readonly Route[] = [
  ...(["", "/mcp"] as const).map((path) =>
    route(`GET /.well-known/oauth-protected-resource${path}`, {
      summary: {
        en: "where an MCP client gets its tokens (RFC 9728)",
        uk: "де клієнт MCP отримує токени (RFC 9728)",
      },
      allows: ["anyone"],
      answer: json,
      handle: async ({ garden, request }) => ({
        resource: mcpResource(request),
        authorization_servers: [originOf(request)],
        bearer_methods_supported: ["header"],
        resource_name: garden.config.name,
      }),
    }),
  ),
  route("GET /.well-known/oauth-authorization-server", {
    summary: { en: "the endpoints of OAuth (RFC 8414)", uk: "адреси OAuth (RFC 8414)" },
    allows: ["anyone"],
    answer: json,
    async handle({ request }) {
      const issuer = originOf(request);
      return {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      };
    },
  }),
  route("POST /oauth/register", {
    summary: {
      en: "registers a program by its name and addresses (RFC 7591); it grants nothing",
      uk: "реєструє програму за назвою й адресами (RFC 7591); нічого не дозволяє",
    },
    allows: ["anyone"],
    body: z.looseObject({
      client_name: z.string().max(1000).optional(),
      redirect_uris: z.array(z.string().max(2000)).max(100),
    }),
    answer: json,
    async handle({ garden, body }) {
      await limit(garden, "oauth-register", REGISTRATIONS_PER_MINUTE);
      const client = await registerOauthClient(garden, { name: body.client_name, redirects: body.redirect_uris });
      if ("kind" in client) return refused(client);
      const answer = {
        client_id: client.id,
        client_name: client.name,
        redirect_uris: client.redirect_uris,
        client_id_issued_at: Math.floor(Date.parse(client.made_at) / 1000),
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      };
      return Response.json(answer, { status: 201 });
    },
  }),
  route("POST /oauth/token", {
    summary: {
      en: "exchanges a code with its PKCE verifier, or a refresh token, for tokens (RFC 6749, 7636)",
      uk: "обмінює код із його PKCE verifier або refresh token на токени (RFC 6749, 7636)",
    },
    allows: ["anyone"],
    answer: json,
    async handle(call) {
      await limit(call.garden, "oauth-token", EXCHANGES_PER_MINUTE);
      const given = await exchange(call, await readForm(call));
      return given.kind === "refused" ? refused(given) : Response.json(tokenAnswer(given));
    },
  }),
  route("POST /oauth/revoke", {
    summary: {
      en: "ends a connection by its refresh token (RFC 7009)",
      uk: "завершує приєднання за refresh token (RFC 7009)",
    },
    allows: ["anyone"],
    answer: json,
    async handle(call) {
      await limit(call.garden, "oauth-token", EXCHANGES_PER_MINUTE);
      const { token = "", client_id: client = "" } = await readForm(call);
      await revokeOauthRefresh(call.garden, { refresh: token, client });
      return {};
    },
  }),
];

async function exchange(
  { garden, request }: RouteCall,
  form: Readonly<Record<string, string>>,
): Promise<OauthTokens | OauthRefusal> {
  const { grant_type: type, client_id: client = "", resource } = form;
  const missing = (name: string): OauthRefusal => oauthRefusal("invalid_request", `${name} is missing`);
  if (client === "") return missing("client_id");
  if (resource !== undefined && !isSameResource(resource, mcpResource(request)))
    return oauthRefusal("invalid_target", `resource must be ${mcpResource(request)}`);
  if (type === "refresh_token") {
    const { refresh_token: refresh } = form;
    return refresh === undefined ? missing("refresh_token") : refreshOauthTokens(garden, { refresh, client });
  }
  if (type !== "authorization_code")
    return oauthRefusal("unsupported_grant_type", "authorization_code or refresh_token");
  const { code, redirect_uri: redirect, code_verifier: verifier } = form;
  if (code === undefined) return missing("code");
  if (redirect === undefined) return missing("redirect_uri");
  if (!/^[\w.~-]{43,128}$/.test(verifier ?? ""))
    return oauthRefusal("invalid_request", "code_verifier is missing or malformed");
  const used = await useOauthCode(garden, { code, client, redirect, verifier: verifier! });
  if (used.kind === "refused") return used;
  if (used.kind === "grant") return firstOauthTokens(garden, used.grant);
  await endOauthGrant(garden, used.grant, "gateway");
  return oauthRefusal("invalid_grant", "the code was used before; the connection is ended");
}

const tokenAnswer = ({ access, refresh, seconds }: OauthTokens) => ({
  access_token: access.token,
  token_type: "Bearer",
  expires_in: seconds,
  refresh_token: refresh,
});

const refused = ({ code, about }: OauthRefusal): Response =>
  Response.json({ error: code, error_description: about }, { status: 400 });

async function limit(garden: RouteCall["garden"], name: string, perMinute: number): Promise<void> {
  const wait = await takeToken(garden, name, perMinute);
  if (wait !== undefined) throw tooOften(name, perMinute, wait);
}
