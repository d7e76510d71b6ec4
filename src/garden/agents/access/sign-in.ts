import { createHash } from "node:crypto";
import { z } from "zod";
import { machine } from "../../../domain/layout.ts";
import { recordAudit } from "../../core/audit.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { type CodeTrouble, codeRefused } from "./failures.ts";
import type { AccessDeps } from "./signing-key.ts";
import { type MadeToken, makeToken } from "./tokens.ts";

/**
 * One-time codes for the owner: `bloom up` and `bloom token link` print one in a link. A code is valid once and for ten minutes. Its
 * hash is on disk, so the link works in another process and after a restart, and reading the file does not allow signing in.
 */
const SECONDS = 10 * 60;
const codeFile = z.strictObject({ expires: z.int() });

export async function makeSignInCode(deps: AccessDeps): Promise<{ code: string; expires_at: string }> {
  const { folder, world } = deps;
  await folder.makeFolder(machine.keys, "private");
  await folder.makeFolder(machine.signIn, "private");
  await forgetOldCodes(deps);
  const code = Buffer.from(world.random(24)).toString("base64url");
  const expires = Math.floor(world.now() / 1000) + SECONDS;
  await folder.create(pathOf(code), Buffer.from(`${JSON.stringify({ expires })}\n`), "private");
  return { code, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Exchanges a code for a session. Creating the `.used` file consumes the code: a crash right after it loses the code, and no code is
 * used twice. Throws AUTH_REQUIRED for an invalid code, and audits it.
 */
export async function signIn(deps: AccessDeps, code: string): Promise<MadeToken> {
  const { folder, world } = deps;
  const now = world.now();
  const refused = (await codeTrouble(deps, code)) ?? (await consume(folder, code));
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
  if ((await deps.folder.read(`${pathOf(code)}.used`, 1024)) !== undefined) return "used";
  return expires * 1000 <= deps.world.now() ? "expired" : undefined;
}

async function consume(folder: AccessDeps["folder"], code: string): Promise<CodeTrouble | undefined> {
  const made = await folder.create(`${pathOf(code)}.used`, new Uint8Array(), "private");
  return made === "created" ? undefined : "used";
}

async function readCode({ folder }: AccessDeps, code: string): Promise<number | undefined> {
  if (!/^[A-Za-z0-9_-]{10,100}$/.test(code)) return undefined;
  const bytes = await folder.read(pathOf(code), 1024);
  return tryReadJson(bytes, codeFile)?.expires;
}

/** Removes each code before its `.used` file: a crash in between leaves a mark without a code, which has no effect. */
async function forgetOldCodes({ folder, world }: AccessDeps): Promise<void> {
  const names = await folder.names(machine.signIn);
  for (const name of names.filter((each) => !each.endsWith(".used"))) {
    const bytes = await folder.read(`${machine.signIn}/${name}`, 1024);
    const code = tryReadJson(bytes, codeFile);
    if (code && code.expires * 1000 > world.now()) continue;
    await folder.removeFile(`${machine.signIn}/${name}`);
    await folder.removeFile(`${machine.signIn}/${name}.used`);
  }
}

const pathOf = (code: string): string => `${machine.signIn}/${createHash("sha256").update(code).digest("hex")}`;
