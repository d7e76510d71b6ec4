import { z } from "zod";
import { type TokenClaims, type TokenKind, tokenClaims } from "../../../domain/token-claims.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { recordAudit } from "../../core/audit.ts";
import { noToken, noZone } from "./failures.ts";
import { type AccessFolder, keyFilesOf } from "./key-files.ts";
import { type AccessDeps, signingKey } from "./signing-key.ts";
import { signToken, verifiedClaims } from "./token.ts";

/**
 * A token is valid only while its record exists (`key-files.ts`) without a `.revoked` record beside it: a lost record invalidates
 * the token. The record holds the claims and not the token, so reading it does not allow signing in. Both files are read at every
 * use, so a revocation by one process holds in all.
 */
const recordFile = z.strictObject({ claims: tokenClaims, made_at: z.iso.datetime() });
const revocation = z.strictObject({ revoked_at: z.iso.datetime() });
export interface TokenRecord extends z.infer<typeof recordFile> {
  readonly revoked_at: string | undefined;
}

type KeyFileDeps = Pick<AccessDeps, "settings" | "folder" | "store">;

/** Claims of a token without id and expiry. */
export type TokenWish = DistributiveOmit<TokenClaims, "id" | "expires">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface MadeToken {
  readonly id: string;
  /** Shown once: it cannot be derived from the record. */
  readonly token: string;
  readonly expires_at: string;
}

const DAY_S = 24 * 60 * 60;
/** Default and maximum lifetime in seconds. */
export const tokenLife: Readonly<Record<TokenKind, { usual: number; most: number }>> = {
  owner: { usual: 90 * DAY_S, most: 366 * DAY_S },
  session: { usual: 30 * DAY_S, most: 30 * DAY_S },
  agent: { usual: DAY_S, most: 30 * DAY_S },
  outside: { usual: 90 * DAY_S, most: 366 * DAY_S },
  guest: { usual: 30 * DAY_S, most: 366 * DAY_S },
};

/** A token for `issueToken`. Signing in creates sessions, `issueAgentToken` tokens of outside agents; nothing creates a run's token yet. */
export type IssuedWish = Extract<TokenWish, { kind: "owner" | "guest" }>;

/** Creates a token for a script or a zone's guests. Throws NOT_FOUND if `garden.yaml` has no such zone. */
export async function issueToken(
  deps: AccessDeps,
  wish: IssuedWish,
  { by, days }: { readonly by: string; readonly days?: number | undefined },
): Promise<MadeToken> {
  if (wish.kind === "guest" && !(await currentSettings(deps)).zones.some(({ name }) => name === wish.zone))
    throw noZone(wish.zone);
  return makeToken(deps, wish, by, days === undefined ? undefined : days * DAY_S);
}

export async function makeToken(
  deps: AccessDeps,
  wish: TokenWish,
  by: string,
  seconds = tokenLife[wish.kind].usual,
): Promise<MadeToken> {
  const { world } = deps;
  const key = await signingKey(deps);
  const now = world.now();
  const id = `tok_${Buffer.from(world.random(8)).toString("hex")}`;
  const lasts = Math.min(seconds, tokenLife[wish.kind].most);
  const claims = tokenClaims.parse({ ...wish, id, expires: Math.floor(now / 1000) + lasts });
  const record = { claims, made_at: new Date(now).toISOString() };
  await keyFilesOf(deps).create(recordPath(id), bytesOf(record));
  if (claims.kind === "owner" || claims.kind === "guest" || claims.kind === "outside")
    await recordAudit(deps, `${id}-made`, {
      kind: "token-made",
      at: record.made_at,
      by,
      subject: id,
      details: {
        kind: claims.kind,
        name: claims.kind === "guest" ? claims.zone : claims.name,
        ...(claims.kind === "outside" && { agent: claims.slug }),
      },
    });
  return { id, token: signToken(key, claims), expires_at: expiryOf(claims) };
}

export type TokenReading =
  | { readonly kind: "good"; readonly claims: TokenClaims }
  /** Was valid: the holder may know that it expired. */
  | { readonly kind: "expired"; readonly claims: TokenClaims }
  /** Forged, truncated, of another garden, or revoked: the caller does not learn which. */
  | { readonly kind: "refused" };

export async function readToken(deps: AccessDeps, token: string): Promise<TokenReading> {
  const claims = verifiedClaims(await signingKey(deps), token);
  if (!claims) return { kind: "refused" };
  const record = await readRecord(deps, claims.id);
  if (!record || record.revoked_at !== undefined) return { kind: "refused" };
  return claims.expires * 1000 <= deps.world.now() ? { kind: "expired", claims } : { kind: "good", claims };
}

/** Newest last. Includes expired tokens until `forgetExpired` removes them. */
export async function listTokens(deps: KeyFileDeps): Promise<TokenRecord[]> {
  const records: TokenRecord[] = [];
  for (const name of await keyFilesOf(deps).names(TOKENS)) {
    const record = await readRecord(deps, name.replace(/\.json$/, ""));
    if (record) records.push(record);
  }
  return records.toSorted((a, b) => (a.made_at < b.made_at ? -1 : a.made_at > b.made_at ? 1 : 0));
}

/** Revokes a token in every process. Idempotent. */
export async function revokeToken(deps: AccessDeps, id: string, by: string): Promise<TokenRecord> {
  const record = await readRecord(deps, id);
  if (!record) throw noToken(id);
  if (record.revoked_at !== undefined) return record;
  const revoked_at = new Date(deps.world.now()).toISOString();
  await keyFilesOf(deps).create(revokedPath(id), bytesOf({ revoked_at }));
  await recordAudit(deps, `${id}-revoked`, {
    kind: "token-revoked",
    at: revoked_at,
    by,
    subject: id,
    details: {
      kind: record.claims.kind,
      ...(record.claims.kind === "outside" && { agent: record.claims.slug, name: record.claims.name }),
    },
  });
  return { ...record, revoked_at };
}

/** True for a token that was revoked; false also for one whose record is gone. */
export const isRevokedToken = async (deps: KeyFileDeps, id: string): Promise<boolean> =>
  (await readRecord(deps, id))?.revoked_at !== undefined;

/** Removes records that expired more than a week ago; without a record the token stays invalid. */
export async function forgetExpired(deps: AccessDeps): Promise<void> {
  const now = deps.world.now();
  const files = keyFilesOf(deps);
  for (const { claims } of await listTokens(deps)) {
    if ((claims.expires + 7 * DAY_S) * 1000 > now) continue;
    await files.remove(recordPath(claims.id)); // first: a record without its revocation would be valid
    await files.remove(revokedPath(claims.id));
    await files.remove(usedPath(claims.id));
  }
}

/** Gardens of earlier versions have a day. */
const useRecord = z.union([z.strictObject({ at: z.iso.datetime() }), z.strictObject({ day: z.iso.date() })]);
const USE_MS = 30_000;

/** The time at which a token was last used, to half a minute; undefined if never. */
export async function lastUsed(deps: KeyFileDeps, id: string): Promise<string | undefined> {
  const used = await readJson(deps, usedPath(id), useRecord);
  if (used === "damaged" || !used) return undefined;
  return "at" in used ? used.at : `${used.day}T00:00:00.000Z`;
}

/** Notes that a token is used: one write in half a minute. A failure is ignored, so that a full disk refuses no reader. */
export async function recordTokenUse(deps: AccessDeps, id: string): Promise<void> {
  const now = deps.world.now();
  try {
    const last = await lastUsed(deps, id);
    if (last !== undefined && Math.abs(now - Date.parse(last)) < USE_MS) return;
    await keyFilesOf(deps).write(usedPath(id), bytesOf({ at: new Date(now).toISOString() }));
  } catch {
    // shown to the owner only
  }
}

export const expiryOf = ({ expires }: TokenClaims): string => new Date(expires * 1000).toISOString();

async function readRecord(deps: KeyFileDeps, id: string): Promise<TokenRecord | undefined> {
  if (!/^tok_[0-9a-f]{16}$/.test(id)) return undefined;
  const record = await readJson(deps, recordPath(id), recordFile);
  if (!record || record === "damaged") return undefined;
  const mark = await readJson(deps, revokedPath(id), revocation);
  return { ...record, revoked_at: mark === "damaged" ? record.made_at : mark?.revoked_at };
}

async function readJson<T>(deps: KeyFileDeps, path: string, schema: z.ZodType<T>): Promise<T | "damaged" | undefined> {
  const bytes = await keyFilesOf(deps).read(path);
  try {
    return bytes && schema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return "damaged";
  }
}

const TOKENS = "tokens" satisfies AccessFolder;
const recordPath = (id: string): string => `${TOKENS}/${id}.json`;
const revokedPath = (id: string): string => `${TOKENS}/${id}.revoked`;
const usedPath = (id: string): string => `${TOKENS}/${id}.used`;
const bytesOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
