import { createHash } from "node:crypto";
import { asFailure } from "../base/failure.ts";
import { authRequired } from "../garden/agents/access/failures.ts";
import { identityOfToken } from "../garden/agents/access/identify.ts";
import { type KeyHolder, signingKey } from "../garden/agents/access/signing-key.ts";
import { sameText } from "../garden/agents/access/token.ts";
import { identityOfWebhook } from "../garden/agents/access/webhook.ts";
import type { Garden } from "../garden/core/garden.ts";
import { callerNotAllowed, crossSiteRequest } from "./failures.ts";
import { isFromOwnPage } from "./origin-check.ts";
import type { Caller, Route } from "./route.ts";

/** The credentials of a request. */
type Credentials =
  | { readonly by: "none" }
  | { readonly by: "cookie" | "bearer"; readonly token: string }
  | { readonly by: "webhook"; readonly name: string; readonly timestamp: string; readonly signature: string };

/**
 * The authenticated caller; undefined for a request without credentials. Only the most explicit credential counts: the webhook's
 * signature, else the bearer token, else the cookie. Throws if that one is invalid, and never falls back to the next.
 */
export async function authenticate(
  garden: Garden,
  request: Request,
  route: Route,
  secretOf: (variable: string) => string | undefined,
  body: () => Promise<Uint8Array>,
): Promise<Caller | undefined> {
  const known = vouched.get(request);
  if (known) return known;
  const given = await credentialsOf(garden, request);
  if (given.by === "none") return undefined;
  if (given.by === "webhook") {
    if (!route.allows.includes("webhook")) throw callerNotAllowed("webhook");
    return {
      identity: await identityOfWebhook(garden, secretOf, given, await body()),
      by: "webhook",
      claims: undefined,
    };
  }
  if (route.path === METRICS_PATH && given.by === "bearer" && isMetricsToken(given.token, secretOf))
    return { identity: { type: "owner", via: "metrics" }, by: "bearer", claims: undefined };
  const { identity, claims } = await identityOfToken(garden, given.token);
  // A session lives in an HttpOnly cookie, which scripts cannot read: as a bearer token it was stolen.
  if ((claims.kind === "session") !== (given.by === "cookie") && claims.kind !== "guest") throw authRequired();
  if (given.by === "cookie" && !isSafeMethod(request) && !isFromOwnPage(request)) throw crossSiteRequest();
  return { identity, by: given.by, claims };
}

/** Callers of requests that this process made itself while it answered another one. No request from the network is in it. */
const vouched = new WeakMap<Request, Caller>();

/** Marks a request that this process made on behalf of an authenticated caller, so that the credentials are not read twice. */
export const vouchFor = (request: Request, caller: Caller): Request => {
  vouched.set(request, caller);
  return request;
};

/** The address that the token in BLOOM_METRICS_TOKEN opens, and no other: a monitoring system needs no right to change the garden. */
const METRICS_PATH = "/metrics";

function isMetricsToken(given: string, secretOf: (variable: string) => string | undefined): boolean {
  const token = secretOf("BLOOM_METRICS_TOKEN");
  return token !== undefined && token !== "" && sameText(given, token);
}

/** Throws AUTH_REQUIRED (401) for an anonymous request, FORBIDDEN (403) for a caller that the route does not allow. */
export function authorise(route: Route, caller: Caller | undefined): void {
  if (route.allows.includes("anyone")) return;
  if (!caller) throw authRequired();
  const { type } = caller.identity;
  if (type === "gateway" || !route.allows.includes(type)) throw callerNotAllowed(type);
}

/**
 * For routes open to anyone: credentials that are invalid, or cannot be checked because the store is away, count as none. So `/health`
 * tells a signed-in owner too that the store is away.
 */
export async function authenticateOptional(attempt: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
  try {
    return await attempt();
  } catch (error) {
    const { code } = asFailure(error);
    if (COUNT_AS_NONE.includes(code)) return undefined;
    throw error;
  }
}

const COUNT_AS_NONE: readonly string[] = ["AUTH_REQUIRED", "TOKEN_EXPIRED", "FORBIDDEN", "UPSTREAM_UNAVAILABLE"];

async function credentialsOf(garden: Garden, request: Request): Promise<Credentials> {
  const { headers } = request;
  const name = headers.get("x-bloom-webhook");
  if (name !== null) {
    const timestamp = headers.get("x-bloom-timestamp") ?? "";
    return { by: "webhook", name, timestamp, signature: headers.get("x-bloom-signature") ?? "" };
  }
  const authorization = headers.get("authorization");
  if (authorization !== null) return { by: "bearer", token: /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "" };
  for (const kind of cookieKinds) {
    const token = await cookieOf(garden, request, kind);
    if (token !== undefined) return { by: "cookie", token };
  }
  return { by: "none" };
}

/**
 * Each kind of identity has its own cookie, and the owner's counts first: a guest's link, also one on another site, opened in the
 * owner's browser signs nobody out.
 */
export const cookieKinds = ["owner", "guest"] as const;
export type CookieKind = (typeof cookieKinds)[number];

/** The value of this kind's cookie in a request. */
export async function cookieOf(garden: KeyHolder, request: Request, kind: CookieKind): Promise<string | undefined> {
  const cookies = request.headers.get("cookie");
  return cookies === null ? undefined : cookieIn(cookies, await cookieName(garden, request, kind));
}

/** Browsers share cookies between the ports of a host, so the name is derived from the garden's own key and the port. */
export async function cookieName(
  garden: KeyHolder,
  { headers }: Pick<Request, "headers">,
  kind: CookieKind,
): Promise<string> {
  const key = await signingKey(garden);
  const port = /:(\d+)$/.exec(headers.get("host") ?? "")?.[1] ?? "";
  const hash = createHash("sha256").update(`cookie name\0${port}\0`).update(key).digest("hex").slice(0, 12);
  return `bloom_${kind}_${hash}`;
}

function cookieIn(header: string, name: string): string | undefined {
  for (const part of header.slice(0, 16_384).split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

const isSafeMethod = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
