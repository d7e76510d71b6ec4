import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { machine } from "../../../domain/layout.ts";
import { recordAudit } from "../../core/audit.ts";
import { type AccessDeps, signingKey } from "./signing-key.ts";
import { signToken, type TokenClaims, type TokenKind, tokenClaims, verifiedClaims } from "./token.ts";

/**
 * Which tokens there are. A token counts only while its record lies in `.bloom/keys/tokens` without a mark of revocation
 * beside it: what is lost there is refused, never let in. The record holds what the token claims and not the token, so that
 * reading it lets nobody in. Both are asked at every use: what one process revokes, every process refuses.
 */
const recordFile = z.strictObject({ claims: tokenClaims, made_at: z.iso.datetime() });
const revocation = z.strictObject({ revoked_at: z.iso.datetime() });
export interface TokenRecord extends z.infer<typeof recordFile> {
  readonly revoked_at: string | undefined;
}

/** What a token is for, without id and expiry. */
export type TokenWish = DistributiveOmit<TokenClaims, "id" | "expires">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface MadeToken {
  readonly id: string;
  /** Shown once; nobody can make it again from the record. */
  readonly token: string;
  readonly expires_at: string;
}

const DAY_S = 24 * 60 * 60;
/** How long a token is good for unless said otherwise, and at most, in seconds. */
export const tokenLife: Readonly<Record<TokenKind, { usual: number; most: number }>> = {
  owner: { usual: 90 * DAY_S, most: 366 * DAY_S },
  session: { usual: 30 * DAY_S, most: 30 * DAY_S },
  agent: { usual: DAY_S, most: 30 * DAY_S },
  guest: { usual: 30 * DAY_S, most: 366 * DAY_S },
};

export async function makeToken(
  ground: AccessDeps,
  wish: TokenWish,
  by: string,
  seconds = tokenLife[wish.kind].usual,
): Promise<MadeToken> {
  const { folder, world } = ground;
  const key = await signingKey(ground);
  const now = world.now();
  const id = `tok_${Buffer.from(world.random(8)).toString("hex")}`;
  const lasts = Math.min(seconds, tokenLife[wish.kind].most);
  const claims = tokenClaims.parse({ ...wish, id, expires: Math.floor(now / 1000) + lasts });
  const record = { claims, made_at: new Date(now).toISOString() };
  await folder.makeFolder(machine.tokens, "private");
  await folder.create(recordPath(id), bytesOf(record), "private");
  if (claims.kind === "owner" || claims.kind === "guest")
    await recordAudit(ground, `${id}-made`, {
      kind: "token-made",
      at: record.made_at,
      by,
      subject: id,
      details: { kind: claims.kind, name: claims.kind === "owner" ? claims.name : claims.zone },
    });
  return { id, token: signToken(key, claims), expires_at: expiryOf(claims) };
}

export type TokenReading =
  | { readonly kind: "good"; readonly claims: TokenClaims }
  /** It was good once: its holder may be told so. */
  | { readonly kind: "expired"; readonly claims: TokenClaims }
  /** Forged, cut off, of another garden, revoked: nobody is told which. */
  | { readonly kind: "refused" };

export async function readToken(ground: AccessDeps, token: string): Promise<TokenReading> {
  const claims = verifiedClaims(await signingKey(ground), token);
  if (!claims) return { kind: "refused" };
  const record = await readRecord(ground, claims.id);
  if (!record || record.revoked_at !== undefined) return { kind: "refused" };
  return claims.expires * 1000 <= ground.world.now() ? { kind: "expired", claims } : { kind: "good", claims };
}

/** Newest last. Those that expired are told until `forgetExpired` clears them away. */
export async function listTokens(ground: Pick<AccessDeps, "folder">): Promise<TokenRecord[]> {
  const records: TokenRecord[] = [];
  for (const name of await ground.folder.names(machine.tokens)) {
    const record = await readRecord(ground, name.replace(/\.json$/, ""));
    if (record) records.push(record);
  }
  return records.toSorted((a, b) => (a.made_at < b.made_at ? -1 : a.made_at > b.made_at ? 1 : 0));
}

/** Ends a token now, in every process. Ending it twice is ending it once. */
export async function revokeToken(ground: AccessDeps, id: string, by: string): Promise<TokenRecord> {
  const record = await readRecord(ground, id);
  if (!record) throw noToken(id);
  if (record.revoked_at !== undefined) return record;
  const revoked_at = new Date(ground.world.now()).toISOString();
  await ground.folder.create(revokedPath(id), bytesOf({ revoked_at }), "private");
  await recordAudit(ground, `${id}-revoked`, {
    kind: "token-revoked",
    at: revoked_at,
    by,
    subject: id,
    details: { kind: record.claims.kind },
  });
  return { ...record, revoked_at };
}

/** Clears away records that have been over for a week: without one a token is refused all the same. */
export async function forgetExpired(ground: AccessDeps): Promise<void> {
  const now = ground.world.now();
  for (const { claims } of await listTokens(ground)) {
    if ((claims.expires + 7 * DAY_S) * 1000 > now) continue;
    await ground.folder.removeFile(recordPath(claims.id)); // before its revocation: never one without the other's word
    await ground.folder.removeFile(revokedPath(claims.id));
  }
}

export const expiryOf = ({ expires }: TokenClaims): string => new Date(expires * 1000).toISOString();

async function readRecord(ground: Pick<AccessDeps, "folder">, id: string): Promise<TokenRecord | undefined> {
  if (!/^tok_[0-9a-f]{16}$/.test(id)) return undefined;
  const record = await readJson(ground, recordPath(id), recordFile);
  if (!record || record === "damaged") return undefined;
  const mark = await readJson(ground, revokedPath(id), revocation);
  return { ...record, revoked_at: mark === "damaged" ? record.made_at : mark?.revoked_at };
}

async function readJson<T>(
  { folder }: Pick<AccessDeps, "folder">,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | "damaged" | undefined> {
  const bytes = await folder.read(path, 64 * 1024);
  try {
    return bytes && schema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return "damaged";
  }
}

const recordPath = (id: string): string => `${machine.tokens}/${id}.json`;
const revokedPath = (id: string): string => `${machine.tokens}/${id}.revoked`;
const bytesOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

const noToken = (id: string): Failure => {
  const text: Text = { en: `there is no token ${id}`, uk: `немає токена ${id}` };
  return new Failure("NOT_FOUND", text, {
    hint: { en: "`bloom token list` shows them.", uk: "`bloom token list` показує їх." },
    details: { token: id },
  });
};
