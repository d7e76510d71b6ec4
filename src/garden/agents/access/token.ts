import { createHmac, timingSafeEqual } from "node:crypto";
import { claimsIn, TOKEN_VERSION, type TokenClaims, tokenClaims, tokenParts } from "../../../domain/token-claims.ts";

export function signToken(key: Uint8Array, claims: TokenClaims): string {
  const signed = `${TOKEN_VERSION}.${Buffer.from(JSON.stringify(tokenClaims.parse(claims))).toString("base64url")}`;
  return `${signed}.${signature(key, signed)}`;
}

/** The claims of a token that this garden signed; undefined for anything else. Does not check expiry or revocation. */
export function verifiedClaims(key: Uint8Array, token: string): TokenClaims | undefined {
  const parts = tokenParts(token);
  // Compares the text, not the decoded bytes: base64url has several spellings of the same bytes.
  if (!parts || !sameText(parts.signature, signature(key, parts.signed))) return undefined;
  return claimsIn(parts.signed);
}

/** Constant-time comparison. */
export function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const signature = (key: Uint8Array, text: string): string => createHmac("sha256", key).update(text).digest("base64url");
