import { createHash } from "node:crypto";
import { z } from "zod";
import { tryReadJson } from "../../../core/json-record.ts";
import { type AccessFolder, keyFilesOf } from "../key-files.ts";
import type { AccessDeps } from "../signing-key.ts";
import { sameText } from "../token.ts";
import { type OauthRefusal, oauthRefusal } from "./oauth-error.ts";

/**
 * Codes that the owner's confirmation gives a program (RFC 6749 §4.1 with PKCE). A code is valid once, for a minute, for the program, the
 * address and the challenge that it was made for. Only its hash is kept.
 */
const codeRecord = z.strictObject({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  /** The grant whose tokens the code gives: a second use of the code ends it. */
  grant: z.string(),
  expires: z.int(),
});
type CodeRecord = z.infer<typeof codeRecord>;

const CODE_MS = 60_000;

export async function makeOauthCode(deps: AccessDeps, wish: Omit<CodeRecord, "expires">): Promise<string> {
  await forgetOldCodes(deps);
  const code = Buffer.from(deps.world.random(32)).toString("base64url");
  const record: CodeRecord = { ...wish, expires: deps.world.now() + CODE_MS };
  await keyFilesOf(deps).create(pathOf(code), Buffer.from(`${JSON.stringify(record)}\n`));
  return code;
}

export interface CodeProof {
  readonly code: string;
  readonly client: string;
  readonly redirect: string;
  /** The secret whose hash was the challenge. */
  readonly verifier: string;
}

/**
 * Uses a code up and returns its grant. Creating the `.used` file consumes it: of two requests one gets the tokens. `replayed` is the grant
 * of a code that was used before: somebody else has it too.
 */
export async function useOauthCode(
  deps: AccessDeps,
  { code, client, redirect, verifier }: CodeProof,
): Promise<{ readonly kind: "grant" | "replayed"; readonly grant: string } | OauthRefusal> {
  const files = keyFilesOf(deps);
  const record = tryReadJson(await files.read(pathOf(code)), codeRecord);
  if (!record || record.client !== client) return oauthRefusal("invalid_grant", "unknown code");
  if (record.expires <= deps.world.now()) return oauthRefusal("invalid_grant", "the code has expired");
  if (record.redirect !== redirect)
    return oauthRefusal("invalid_grant", "redirect_uri differs from the one of the code");
  if (!sameText(challengeOf(verifier), record.challenge))
    return oauthRefusal("invalid_grant", "code_verifier does not match the challenge");
  const used = await files.create(`${pathOf(code)}.used`, new Uint8Array());
  return { kind: used === "created" ? "grant" : "replayed", grant: record.grant };
}

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

/** Kept for a while after their end, so that a second use is noticed. */
async function forgetOldCodes(deps: AccessDeps): Promise<void> {
  const files = keyFilesOf(deps);
  for (const name of (await files.names(CODES)).filter((each) => !each.endsWith(".used"))) {
    const record = tryReadJson(await files.read(`${CODES}/${name}`), codeRecord);
    if (record && record.expires + 10 * CODE_MS > deps.world.now()) continue;
    await files.remove(`${CODES}/${name}`); // first: a mark without its code has no effect
    await files.remove(`${CODES}/${name}.used`);
  }
}

const CODES = "oauth-codes" satisfies AccessFolder;
const pathOf = (code: string): string => `${CODES}/${createHash("sha256").update(code).digest("hex")}`;
