import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { slugField } from "../../../domain/identity.ts";

/**
 * A token is signed claims: `bloom1.<claims>.<HMAC-SHA256>`, both in base64url. Its bearer has these claims until it expires or its
 * record is gone (`tokens.ts`). `bloom1` is the version of the format.
 */
const id = z.string().regex(/^tok_[0-9a-f]{16}$/);
/** Seconds since 1970. */
const expires = z.int().positive();

export const tokenClaims = z.discriminatedUnion("kind", [
  /** For scripts of the owner. */
  z.strictObject({ kind: z.literal("owner"), id, name: z.string().min(1).max(100), expires }),
  /** In the cookie of a signed-in browser. */
  z.strictObject({ kind: z.literal("session"), id, expires }),
  /** For one run of one agent. */
  z.strictObject({ kind: z.literal("agent"), id, slug: slugField, run: z.string().min(1).max(100), expires }),
  /** For an agent that runs outside of the garden. */
  z.strictObject({
    kind: z.literal("outside"),
    id,
    slug: slugField,
    name: z.string().regex(/^[\w.-]{1,63}$/),
    expires,
  }),
  /** The code of a zone: for everyone the owner gives it to. */
  z.strictObject({ kind: z.literal("guest"), id, zone: slugField, expires }),
]);
export type TokenClaims = z.infer<typeof tokenClaims>;
export type TokenKind = TokenClaims["kind"];

const VERSION = "bloom1";
const MAX_LENGTH = 2000;

export function signToken(key: Uint8Array, claims: TokenClaims): string {
  const signed = `${VERSION}.${Buffer.from(JSON.stringify(tokenClaims.parse(claims))).toString("base64url")}`;
  return `${signed}.${signature(key, signed)}`;
}

/** The claims of a token that this garden signed; undefined for anything else. Does not check expiry or revocation. */
export function verifiedClaims(key: Uint8Array, token: string): TokenClaims | undefined {
  if (token.length > MAX_LENGTH) return undefined;
  const end = token.lastIndexOf(".");
  const signed = token.slice(0, Math.max(end, 0));
  // Compares the text, not the decoded bytes: base64url has several spellings of the same bytes.
  if (!signed.startsWith(`${VERSION}.`) || !sameText(token.slice(end + 1), signature(key, signed))) return undefined;
  try {
    return tokenClaims.parse(JSON.parse(Buffer.from(signed.slice(VERSION.length + 1), "base64url").toString()));
  } catch {
    return undefined;
  }
}

/** Constant-time comparison. */
export function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const signature = (key: Uint8Array, text: string): string => createHmac("sha256", key).update(text).digest("base64url");
