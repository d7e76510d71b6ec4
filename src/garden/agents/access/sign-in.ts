import { createHash } from "node:crypto";
import { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { type CodeTrouble, codeRefused } from "./failures.ts";
import { type AccessFolder, keyFilesOf } from "./key-files.ts";
import type { AccessDeps } from "./signing-key.ts";
import { type MadeToken, makeToken } from "./tokens.ts";

/**
 * One-time codes for the owner: `bloom up` and `bloom token link` print one in a link. A code is valid once and for ten minutes. Its
 * hash is on disk, so the link works in another process and after a restart, and reading the file does not allow signing in.
 */
const SECONDS = 10 * 60;
const codeFile = z.strictObject({ expires: z.int() });

export async function makeSignInCode(deps: AccessDeps): Promise<{ code: string; expires_at: string }> {
  const { world } = deps;
  await forgetOldCodes(deps);
  const code = Buffer.from(world.random(24)).toString("base64url");
  const expires = Math.floor(world.now() / 1000) + SECONDS;
  await keyFilesOf(deps).create(pathOf(code), Buffer.from(`${JSON.stringify({ expires })}\n`));
  return { code, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Exchanges a code for a session. Creating the `.used` file consumes the code: a crash right after it loses the code, and no code is
 * used twice. Throws AUTH_REQUIRED for an invalid code, and audits it.
 */
export async function signIn(deps: AccessDeps, code: string): Promise<MadeToken> {
  const { world } = deps;
  const now = world.now();
  const refused = (await codeTrouble(deps, code)) ?? (await consume(deps, code));
  if (refused) {
    await recordAudit(deps, `sign-in-refused-${Buffer.from(world.random(6)).toString("hex")}`, {
      kind: "sign-in-refused",
      at: new Date(now).toISOString(),
      by: "nobody",
      subject: "sign-in",
      why: `the code is ${refused}`,
      details: {},
    });
    throw codeRefused(refused);
  }
  const session = await makeToken(deps, { kind: "session" }, "owner");
  await recordAudit(deps, `signed-in-${session.id}`, {
    kind: "signed-in",
    at: new Date(now).toISOString(),
    by: "owner",
    subject: session.id,
    details: {},
  });
  return session;
}

/** The code is valid now. Does not consume it and writes no audit record. */
export const isOpenCode = async (deps: AccessDeps, code: string): Promise<boolean> =>
  (await codeTrouble(deps, code)) === undefined;

async function codeTrouble(deps: AccessDeps, code: string): Promise<CodeTrouble | undefined> {
  const expires = await readCode(deps, code);
  if (expires === undefined) return "unknown";
  if ((await keyFilesOf(deps).read(`${pathOf(code)}.used`)) !== undefined) return "used";
  return expires * 1000 <= deps.world.now() ? "expired" : undefined;
}

async function consume(deps: AccessDeps, code: string): Promise<CodeTrouble | undefined> {
  const made = await keyFilesOf(deps).create(`${pathOf(code)}.used`, new Uint8Array());
  return made === "created" ? undefined : "used";
}

async function readCode(deps: AccessDeps, code: string): Promise<number | undefined> {
  if (!/^[A-Za-z0-9_-]{10,100}$/.test(code)) return undefined;
  const bytes = await keyFilesOf(deps).read(pathOf(code));
  return tryReadJson(bytes, codeFile)?.expires;
}

/** Removes each code before its `.used` file: a crash in between leaves a mark without a code, which has no effect. */
async function forgetOldCodes(deps: AccessDeps): Promise<void> {
  const files = keyFilesOf(deps);
  const names = await files.names(SIGN_IN);
  for (const name of names.filter((each) => !each.endsWith(".used"))) {
    const bytes = await files.read(`${SIGN_IN}/${name}`);
    const code = tryReadJson(bytes, codeFile);
    if (code && code.expires * 1000 > deps.world.now()) continue;
    await files.remove(`${SIGN_IN}/${name}`);
    await files.remove(`${SIGN_IN}/${name}.used`);
  }
}

const SIGN_IN = "sign-in" satisfies AccessFolder;
const pathOf = (code: string): string => `${SIGN_IN}/${createHash("sha256").update(code).digest("hex")}`;
