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
/** `replaced_by`: the next token of the same program. Revoking this one later revokes that one. */
const revocation = z.strictObject({ revoked_at: z.iso.datetime(), replaced_by: z.string().optional() });
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

/**
 * Revokes a token in every process, or the token that has replaced it: whoever revokes a token that its program renews at the same
 * moment means the new one too. Idempotent.
 */
export async function revokeToken(deps: AccessDeps, id: string, by: string): Promise<TokenRecord> {
  const record = await readRecord(deps, id);
  if (!record) throw noToken(id);
  let last = await lastToken(deps, record);
  while (last && last.revoked_at === undefined) {
    const revoked_at = await markRevoked(deps, last, { by });
    if (revoked_at !== undefined) return { ...record, revoked_at: record.revoked_at ?? revoked_at };
    last = await lastToken(deps, last); // another process was faster; it may have replaced the token
  }
  return (await readRecord(deps, id)) ?? record;
}

/**
 * Revokes a token because `next`, which exists, takes its place. `revoked`: it was revoked before, or the token that had replaced it; then
 * `next` must not be used. One record decides, so of a replacement and a revocation at once the second sees the first.
 */
export async function replaceToken(deps: AccessDeps, id: string, next: string): Promise<"replaced" | "revoked"> {
  for (;;) {
    const record = await readRecord(deps, id);
    const last = record && (await lastToken(deps, record));
    if (!last || last.claims.id === next) return "replaced"; // without its record a token is not valid
    if (last.revoked_at !== undefined) return "revoked";
    if ((await markRevoked(deps, last, { by: "gateway", next })) !== undefined) return "replaced";
  }
}

/** True for a token that was revoked, or whose last replacement was; false also for one whose record is gone. */
export async function isRevokedToken(deps: KeyFileDeps, id: string): Promise<boolean> {
  const record = await readRecord(deps, id);
  return record !== undefined && (await lastToken(deps, record))?.revoked_at !== undefined;
}

/** The token that has replaced this one last; itself if none has. Undefined if the record of a replacement is gone. */
async function lastToken(deps: KeyFileDeps, { claims: { id } }: TokenRecord): Promise<TokenRecord | undefined> {
  for (let at = id; ; ) {
    const mark = await readMark(deps, at);
    if (!mark || mark === "damaged" || mark.replaced_by === undefined) return await readRecord(deps, at);
    at = mark.replaced_by;
  }
}

/** Returns the time of the revocation; undefined if the token was revoked or replaced before. */
async function markRevoked(
  deps: AccessDeps,
  { claims }: TokenRecord,
  { by, next }: { readonly by: string; readonly next?: string },
): Promise<string | undefined> {
  const revoked_at = new Date(deps.world.now()).toISOString();
  const mark = { revoked_at, ...(next !== undefined && { replaced_by: next }) };
  if ((await keyFilesOf(deps).create(revokedPath(claims.id), bytesOf(mark))) === "taken") return undefined;
  await recordAudit(deps, `${claims.id}-revoked`, {
    kind: "token-revoked",
    at: revoked_at,
    by,
    subject: claims.id,
    details: {
      kind: claims.kind,
      ...(claims.kind === "outside" && { agent: claims.slug, name: claims.name }),
    },
  });
  return revoked_at;
}

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
  const mark = await readMark(deps, id);
  return { ...record, revoked_at: mark === "damaged" ? record.made_at : mark?.revoked_at };
}

const readMark = (deps: KeyFileDeps, id: string): Promise<z.infer<typeof revocation> | "damaged" | undefined> =>
  readJson(deps, revokedPath(id), revocation);

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
