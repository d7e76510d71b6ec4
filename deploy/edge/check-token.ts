import { claimsIn, fromBase64url, tokenParts } from "../../src/domain/token-claims.ts";
import { authRequired, tokenExpired } from "../../src/garden/agents/access/failures.ts";

/** The gateway's routes that anyone may call. */
export const PUBLIC_PATHS: readonly string[] = [
  "/",
  "/sign-in",
  "/health",
  "/openapi.json",
  "/federation/news",
  "/public.git/info/refs",
  "/public.git/git-upload-pack",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/oauth/authorize",
  "/oauth/register",
  "/oauth/revoke",
  "/oauth/token",
];

/** The gateway's cookies. Their names end in a hash that differs by garden and port. */
const COOKIE = /(?:^|;)\s*bloom_(?:owner|guest)_[0-9a-f]{12}=([^;\s]+)/g;

/**
 * Throws for a request that the gateway would refuse by its signature or its expiry. Revocation, rights and the signatures of webhooks,
 * whose secrets are not here, stay with the gateway. As there, a bearer token counts before cookies.
 */
export async function checkToken(key: CryptoKey, { url, headers }: Request, now: number): Promise<void> {
  if (PUBLIC_PATHS.includes(new URL(url).pathname) || headers.has("x-bloom-webhook")) return;
  const authorization = headers.get("authorization");
  const tokens =
    authorization === null
      ? [...(headers.get("cookie") ?? "").slice(0, 16_384).matchAll(COOKIE)].map(([, token]) => token!)
      : [/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ""];
  const readings = await Promise.all(tokens.slice(0, 4).map((token) => readingOf(key, token, now)));
  if (readings.includes("valid")) return;
  throw readings.includes("expired") ? tokenExpired() : authRequired();
}

async function readingOf(key: CryptoKey, token: string, now: number): Promise<"valid" | "expired" | "refused"> {
  const parts = tokenParts(token);
  if (!parts || !/^[\w-]{43}$/.test(parts.signature)) return "refused";
  const signed = new TextEncoder().encode(parts.signed);
  if (!(await crypto.subtle.verify("HMAC", key, fromBase64url(parts.signature), signed))) return "refused";
  const claims = claimsIn(parts.signed);
  if (!claims) return "refused";
  return claims.expires * 1000 <= now ? "expired" : "valid";
}
