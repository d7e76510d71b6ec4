import { z } from "zod";
import { slugField } from "./identity.ts";

/**
 * A token is signed claims: `bloom1.<claims>.<HMAC-SHA256>`, both in base64url. Its bearer has these claims until it expires or its
 * record is gone. `bloom1` is the version of the format. Gateway and edge read it here; each computes the signature with its own
 * platform's cryptography.
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
    /** Agents whose runs it may start. */
    starts: z.array(slugField).max(100).optional(),
    expires,
  }),
  /** The code of a zone: for everyone the owner gives it to. */
  z.strictObject({ kind: z.literal("guest"), id, zone: slugField, expires }),
]);
export type TokenClaims = z.infer<typeof tokenClaims>;
export type TokenKind = TokenClaims["kind"];

export const TOKEN_VERSION = "bloom1";
const MAX_LENGTH = 2000;

/** The signed text of a token and its signature; undefined for a text of another form. */
export function tokenParts(token: string): { readonly signed: string; readonly signature: string } | undefined {
  const end = token.lastIndexOf(".");
  const signed = token.slice(0, Math.max(end, 0));
  if (token.length > MAX_LENGTH || !signed.startsWith(`${TOKEN_VERSION}.`)) return undefined;
  return { signed, signature: token.slice(end + 1) };
}

/** The claims of a signed text. The caller has verified its signature. */
export function claimsIn(signed: string): TokenClaims | undefined {
  try {
    const json = new TextDecoder().decode(fromBase64url(signed.slice(TOKEN_VERSION.length + 1)));
    return tokenClaims.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Throws for a text that is no base64url. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
