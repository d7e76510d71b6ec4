import { z } from "zod";
import { findOauthClient, type OauthClient } from "../../garden/agents/access/oauth/oauth-clients.ts";
import { type OauthCode } from "../../garden/agents/access/oauth/oauth-error.ts";
import { isSameRedirect } from "../../garden/agents/access/oauth/redirect-uri.ts";
import type { Garden } from "../../garden/core/garden.ts";

/** Parameters of `GET /oauth/authorize`, and hidden fields of its form. Read leniently: an error is told to the program. */
export const authorizeFields = z.object({
  response_type: z.string().max(100).optional(),
  client_id: z.string().max(100).optional(),
  redirect_uri: z.string().max(1000).optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.string().max(20).optional(),
  state: z.string().max(2000).optional(),
  scope: z.string().max(1000).optional(),
  resource: z.string().max(1000).optional(),
});
export type AuthorizeFields = z.infer<typeof authorizeFields>;

export interface AuthorizeRequest {
  readonly kind: "request";
  readonly client: OauthClient;
  readonly redirect: string;
  readonly challenge: string;
}

export type AuthorizeReading =
  | AuthorizeRequest
  /** Told to the person: the address to answer to is not known to be the program's. */
  | { readonly kind: "shown"; readonly about: "client" | "redirect" }
  /** Told to the program at its address. */
  | { readonly kind: "sent"; readonly redirect: string; readonly code: OauthCode; readonly about: string };

/** Checks a request of a program in the order that keeps codes and errors from addresses that are not registered. */
export async function readAuthorizeRequest(
  garden: Garden,
  fields: AuthorizeFields,
  resource: string,
): Promise<AuthorizeReading> {
  const client = await findOauthClient(garden, fields.client_id ?? "");
  if (!client) return { kind: "shown", about: "client" };
  const { redirect_uri: redirect } = fields;
  if (redirect === undefined || !client.redirect_uris.some((one) => isSameRedirect(one, redirect)))
    return { kind: "shown", about: "redirect" };
  const sent = (code: OauthCode, about: string): AuthorizeReading => ({ kind: "sent", redirect, code, about });
  if (fields.response_type !== "code") return sent("unsupported_response_type", "response_type must be code");
  if (fields.code_challenge_method !== "S256") return sent("invalid_request", "code_challenge_method must be S256");
  if (!/^[\w-]{43}$/.test(fields.code_challenge ?? ""))
    return sent("invalid_request", "code_challenge must be a SHA-256 in base64url");
  if (fields.resource !== undefined && !isSameResource(fields.resource, resource))
    return sent("invalid_target", `resource must be ${resource}`);
  return { kind: "request", client, redirect, challenge: fields.code_challenge! };
}

/** With or without a final slash. */
export const isSameResource = (given: string, resource: string): boolean =>
  given.replace(/\/$/, "") === resource || given.replace(/\/$/, "") === new URL(resource).origin;

/**
 * The address of this gateway as the caller wrote it, also through a proxy. A caller that forges the header deceives itself: the answer is
 * for it alone and is not cached.
 */
export function originOf(request: Request): string {
  const { protocol, host } = new URL(request.url);
  const { headers } = request;
  const secure = protocol === "https:" || headers.get("x-forwarded-proto") === "https";
  const forwarded = headers.get("x-forwarded-host") ?? "";
  const name = /^[\w.-]{1,253}(?::\d{1,5})?$/.test(forwarded) ? forwarded : (headers.get("host") ?? host);
  return `${secure ? "https" : "http"}://${name}`;
}

export const mcpResource = (request: Request): string => `${originOf(request)}/mcp`;

/** The program's address with the answer in its query. `iss` tells which server answered (RFC 9207). */
export function answerAddress(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
