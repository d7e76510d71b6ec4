import { createHash } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import { machine } from "../../../domain/layout.ts";
import { recordAudit } from "../../core/audit.ts";
import { tryReadJson } from "../../core/json-record.ts";
import type { AccessDeps } from "./signing-key.ts";
import { type MadeToken, makeToken } from "./tokens.ts";

/**
 * One-time codes by which the owner signs in: `bloom up` and `bloom token link` print one in a link. A code is good once and
 * for ten minutes. On disk lies its hash, so that reading the file signs nobody in; it lies on disk so that a link printed
 * by one process is good in another and after a restart.
 */
const SECONDS = 10 * 60;
const codeFile = z.strictObject({ expires: z.int() });

export async function makeSignInCode(ground: AccessDeps): Promise<{ code: string; expires_at: string }> {
  const { folder, world } = ground;
  await folder.makeFolder(machine.keys, "private");
  await folder.makeFolder(machine.signIn, "private");
  await forgetOldCodes(ground);
  const code = Buffer.from(world.random(24)).toString("base64url");
  const expires = Math.floor(world.now() / 1000) + SECONDS;
  await folder.create(pathOf(code), Buffer.from(`${JSON.stringify({ expires })}\n`), "private");
  return { code, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Turns a code into a session. Whoever makes the `.used` file beside it first has used it; a crash right after that costs
 * the code, and never lets it be used twice.
 */
export async function signIn(ground: AccessDeps, code: string): Promise<MadeToken> {
  const { folder, world } = ground;
  const expires = await readCode(ground, code);
  const now = world.now();
  const used =
    expires !== undefined &&
    expires * 1000 > now &&
    (await folder.create(`${pathOf(code)}.used`, new Uint8Array(), "private")) === "created";
  if (!used) {
    await recordAudit(ground, `sign-in-refused-${Buffer.from(world.random(6)).toString("hex")}`, {
      kind: "sign-in-refused",
      at: new Date(now).toISOString(),
      by: "nobody",
      subject: "sign-in",
      why: "the code is unknown, used or too old",
      details: {},
    });
    throw codeRefused();
  }
  const session = await makeToken(ground, { kind: "session" }, "owner");
  await recordAudit(ground, `signed-in-${session.id}`, {
    kind: "signed-in",
    at: new Date(now).toISOString(),
    by: "owner",
    subject: session.id,
    details: {},
  });
  return session;
}

/** Whether this code would sign somebody in now. Uses nothing up, and leaves no record. */
export async function isOpenCode(ground: AccessDeps, code: string): Promise<boolean> {
  const expires = await readCode(ground, code);
  if (expires === undefined || expires * 1000 <= ground.world.now()) return false;
  return (await ground.folder.read(`${pathOf(code)}.used`, 1024)) === undefined;
}

async function readCode({ folder }: AccessDeps, code: string): Promise<number | undefined> {
  if (!/^[A-Za-z0-9_-]{10,100}$/.test(code)) return undefined;
  const bytes = await folder.read(pathOf(code), 1024);
  return tryReadJson(bytes, codeFile)?.expires;
}

/** The code goes before its mark: a crash in between leaves a mark without a code, which is nothing. */
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

const codeRefused = (): Failure =>
  new Failure(
    "AUTH_REQUIRED",
    {
      en: "this sign-in link has been used already, is too old, or was never ours",
      uk: "це посилання для входу вже використано, застаріло або не наше",
    },
    {
      hint: {
        en: "Make a new one on the machine of the garden: `bloom token link`.",
        uk: "Створіть нове на машині саду: `bloom token link`.",
      },
    },
  );
