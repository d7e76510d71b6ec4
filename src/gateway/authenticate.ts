import { createHash } from "node:crypto";
import { asFailure, Failure } from "../base/failure.ts";
import { authRequired, identityOfToken } from "../garden/agents/access/identify.ts";
import { signingKey } from "../garden/agents/access/signing-key.ts";
import { identityOfWebhook } from "../garden/agents/access/webhook.ts";
import type { Garden } from "../garden/core/garden.ts";
import { isFromOwnPage } from "./origin-check.ts";
import type { Caller, Route } from "./route.ts";

/** What a request brings to prove who sent it. */
type Proof =
  | { readonly by: "none" }
  | { readonly by: "cookie" | "bearer"; readonly token: string }
  | { readonly by: "webhook"; readonly name: string; readonly timestamp: string; readonly signature: string };

/**
 * Who calls. One proof counts, the most explicit one: a webhook's signature, else a bearer token, else the cookie. A proof
 * that does not hold is a refusal, never a reason to try the next.
 */
export async function authenticate(
  garden: Garden,
  request: Request,
  route: Route,
  secretOf: (variable: string) => string | undefined,
  body: () => Promise<Uint8Array>,
): Promise<Caller | undefined> {
  const proof = await proofOf(garden, request);
  if (proof.by === "none") return undefined;
  if (proof.by === "webhook") {
    if (!route.allows.includes("webhook")) throw notAllowed("webhook");
    return {
      identity: await identityOfWebhook(garden, secretOf, proof, await body()),
      by: "webhook",
      claims: undefined,
    };
  }
  const { identity, claims } = await identityOfToken(garden, proof.token);
  // A session is for browsers, which keep it out of reach of scripts; as a bearer token it would be a stolen one.
  if ((claims.kind === "session") !== (proof.by === "cookie") && claims.kind !== "guest") throw authRequired();
  if (proof.by === "cookie" && !isReading(request) && !isFromOwnPage(request)) throw notOurPage();
  return { identity, by: proof.by, claims };
}

/** Refuses whoever may not call this route: 401 for strangers, 403 for others. */
export function authorise(route: Route, caller: Caller | undefined): void {
  if (route.allows.includes("anyone")) return;
  if (!caller) throw authRequired();
  const { type } = caller.identity;
  if (type === "gateway" || !route.allows.includes(type)) throw notAllowed(type);
}

/** Where anyone may come, a proof that does not hold makes a stranger. */
export async function authenticateOptional(ask: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { code } = asFailure(error);
    if (code === "AUTH_REQUIRED" || code === "TOKEN_EXPIRED" || code === "FORBIDDEN") return undefined;
    throw error;
  }
}

async function proofOf(garden: Garden, request: Request): Promise<Proof> {
  const { headers } = request;
  const name = headers.get("x-bloom-webhook");
  if (name !== null) {
    const timestamp = headers.get("x-bloom-timestamp") ?? "";
    return { by: "webhook", name, timestamp, signature: headers.get("x-bloom-signature") ?? "" };
  }
  const authorization = headers.get("authorization");
  if (authorization !== null) return { by: "bearer", token: /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "" };
  const cookies = headers.get("cookie");
  const token = cookies === null ? undefined : cookieIn(cookies, await cookieName(garden));
  return token === undefined ? { by: "none" } : { by: "cookie", token };
}

/**
 * Cookies do not know ports: two gardens on one machine would take each other's away. The name follows from the key, which
 * every garden has its own of.
 */
export async function cookieName(garden: Pick<Garden, "folder" | "world">): Promise<string> {
  const key = await signingKey(garden);
  return `bloom_${createHash("sha256").update("cookie name\0").update(key).digest("hex").slice(0, 12)}`;
}

function cookieIn(header: string, name: string): string | undefined {
  for (const part of header.slice(0, 16_384).split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

const isReading = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

const notAllowed = (type: string): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: `this is not for ${WHO[type]?.en ?? type}`, uk: `це не для: ${WHO[type]?.uk ?? type}` },
    { details: { identity: type } },
  );

const WHO: Readonly<Record<string, { en: string; uk: string } | undefined>> = {
  owner: { en: "the owner", uk: "власника" },
  agent: { en: "agents", uk: "агентів" },
  webhook: { en: "webhooks", uk: "вебхуків" },
  guest: { en: "guests", uk: "гостей" },
};

const notOurPage = (): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: "a change by cookie must come from a page of this garden",
      uk: "зміна за cookie має надходити зі сторінки цього саду",
    },
    {
      hint: {
        en: "Scripts use `Authorization: Bearer` with a token, or send `X-Requested-With`.",
        uk: "Скрипти використовують токен (`Authorization: Bearer`) або надсилають `X-Requested-With`.",
      },
    },
  );
