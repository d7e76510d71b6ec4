import { createHash } from "node:crypto";
import { z } from "zod";
import { crashPoint } from "../../../../base/crash-point.ts";
import { isFailure } from "../../../../base/failure.ts";
import { slugField } from "../../../../domain/identity.ts";
import { tryReadJson } from "../../../core/json-record.ts";
import { findAgent } from "../../../records/agents/read-agent.ts";
import { type AccessFolder, keyFilesOf } from "../key-files.ts";
import type { AccessDeps } from "../signing-key.ts";
import { isRevokedToken, listTokens, type MadeToken, makeToken, replaceToken, revokeToken } from "../tokens.ts";
import { type OauthRefusal, oauthRefusal } from "./oauth-error.ts";

/**
 * A program that the owner confirmed acts as an agent until its grant is revoked. Its access tokens are tokens of that outside
 * agent and short-lived; a refresh token gives the next one and is used up by that. Revoking the access token in the list of tokens
 * ends the grant as well.
 *
 * Several gateways may renew, revoke and end at once. Two records that are created once decide: the `.revoked` of a token says that it was
 * revoked, or which token replaced it; the `.ended` of a grant precedes everything else that ends it. New tokens are made first, and the
 * answer is given only if neither says otherwise after the grant was written.
 */
const grantRecord = z.strictObject({
  id: z.string(),
  client: z.string(),
  agent: slugField,
  /** Name of its tokens in lists and in `why`. */
  name: z.string(),
  made_at: z.iso.datetime(),
  /** The access token that counts now. */
  access: z.string().optional(),
});
type GrantRecord = z.infer<typeof grantRecord>;

const refreshRecord = z.strictObject({ grant: z.string(), expires: z.int() });
/** For `.used` and `.ended`. */
const useMark = z.strictObject({ at: z.int() });

const ACCESS_S = 4 * 60 * 60;
/** Within it the last access token is still listed, also after its expiry: every program that can come back is shown to the owner. */
const REFRESH_MS = 7 * 24 * 60 * 60 * 1000;
/** A program that did not get the answer may ask again with the same refresh token. Later it is a stolen one. */
const LOST_ANSWER_MS = 20_000;

export interface OauthTokens {
  readonly kind: "tokens";
  readonly access: MadeToken;
  readonly refresh: string;
  readonly seconds: number;
}

export async function makeOauthGrant(
  deps: AccessDeps,
  wish: { readonly client: string; readonly agent: string },
): Promise<string> {
  const id = `grant_${Buffer.from(deps.world.random(16)).toString("hex")}`;
  const record: GrantRecord = {
    ...wish,
    id,
    name: `oauth-${id.slice("grant_".length, "grant_".length + 6)}`,
    made_at: new Date(deps.world.now()).toISOString(),
  };
  await keyFilesOf(deps).create(grantPath(id), bytesOf(record));
  return id;
}

/** The first tokens of a grant. After a crash before the answer the program asks the owner again. */
export async function firstOauthTokens(deps: AccessDeps, id: string): Promise<OauthTokens | OauthRefusal> {
  const grant = await readGrant(deps, id);
  if (!grant || !(await findAgent(deps.store, grant.agent)))
    return oauthRefusal("invalid_grant", "the grant was revoked");
  return issueTokens(deps, grant);
}

/** The next tokens. A refresh token that was used before ends the grant: two programs have it. */
export async function refreshOauthTokens(
  deps: AccessDeps,
  { refresh, client }: { readonly refresh: string; readonly client: string },
): Promise<OauthTokens | OauthRefusal> {
  const files = keyFilesOf(deps);
  const now = deps.world.now();
  const record = tryReadJson(await files.read(refreshPath(refresh)), refreshRecord);
  const grant = record && (await readGrant(deps, record.grant));
  if (!record || grant?.client !== client) return oauthRefusal("invalid_grant", "unknown refresh token");
  if (record.expires <= now) return oauthRefusal("invalid_grant", "the refresh token has expired");
  if (await isOver(deps, grant)) {
    await endOauthGrant(deps, grant.id, "owner");
    return oauthRefusal("invalid_grant", "the owner ended this connection");
  }
  const mark = `${refreshPath(refresh)}.used`;
  if ((await files.create(mark, bytesOf({ at: now }))) === "taken") {
    const used = tryReadJson(await files.read(mark), useMark);
    if (!used || now - used.at > LOST_ANSWER_MS) {
      await endOauthGrant(deps, grant.id, "gateway");
      return oauthRefusal("invalid_grant", "the refresh token was used before; the connection is ended");
    }
  }
  crashPoint("oauth.refresh-used");
  return issueTokens(deps, grant);
}

/**
 * A crash after the access token before was replaced leaves a grant that still names it: the program asks again, and the replacement is
 * replaced. Refuses, and leaves no token and no grant, if the connection was ended meanwhile.
 */
async function issueTokens(deps: AccessDeps, grant: GrantRecord): Promise<OauthTokens | OauthRefusal> {
  const files = keyFilesOf(deps);
  const { agent: slug, name, access: before } = grant;
  const access = await makeToken(deps, { kind: "outside", slug, name, starts: [slug] }, "owner", ACCESS_S);
  const refresh = Buffer.from(deps.world.random(32)).toString("base64url");
  const expires = deps.world.now() + REFRESH_MS;
  await files.create(refreshPath(refresh), bytesOf({ grant: grant.id, expires }));
  const isNext = before === undefined || (await replaceToken(deps, before, access.id)) === "replaced";
  crashPoint("oauth.access-replaced");
  const moved = { ...grant, access: access.id };
  if (isNext) await files.write(grantPath(grant.id), bytesOf(moved));
  crashPoint("oauth.grant-moved");
  // After the write: whoever ended the grant before it has not seen the new token, and the write may have restored the grant.
  if (isNext && !(await isOver(deps, moved))) return { kind: "tokens", access, refresh, seconds: ACCESS_S };
  await revokeIfKnown(deps, access.id, "gateway");
  await endOauthGrant(deps, grant.id, "gateway");
  return oauthRefusal("invalid_grant", "the owner ended this connection");
}

/** True if the grant was ended or its access token revoked, also where a crash left the rest to be done. */
const isOver = async (deps: AccessDeps, { id, access }: GrantRecord): Promise<boolean> =>
  (await keyFilesOf(deps).read(endedPath(id))) !== undefined ||
  (access !== undefined && (await isRevokedToken(deps, access)));

/** Ends a grant with its access token, in every process, also if the record of that token is gone. Idempotent. */
export async function endOauthGrant(deps: AccessDeps, id: string, by: string): Promise<void> {
  if (!(await readGrant(deps, id))) return;
  const files = keyFilesOf(deps);
  // First: no refresh token counts any more, and tokens that are being issued are found below or revoked by their issuer.
  await files.create(endedPath(id), bytesOf({ at: deps.world.now() }));
  const grant = await readGrant(deps, id);
  if (grant?.access !== undefined && !(await isRevokedToken(deps, grant.access)))
    await revokeIfKnown(deps, grant.access, by);
  crashPoint("oauth.access-revoked");
  await files.remove(grantPath(id));
}

/** Revokes a token. Without its record it is not valid, and there is nothing to do: `forgetExpired` removes records. */
async function revokeIfKnown(deps: AccessDeps, token: string, by: string): Promise<void> {
  try {
    await revokeToken(deps, token, by);
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND")) throw error;
  }
}

/** Ends the grant of a refresh token (RFC 7009). Unknown tokens are ignored, as the standard asks. */
export async function revokeOauthRefresh(
  deps: AccessDeps,
  { refresh, client }: { readonly refresh: string; readonly client: string },
): Promise<void> {
  const record = tryReadJson(await keyFilesOf(deps).read(refreshPath(refresh)), refreshRecord);
  const grant = record && (await readGrant(deps, record.grant));
  if (grant?.client === client) await endOauthGrant(deps, grant.id, grant.agent);
}

/** Ends the grants by which a program acts as this agent. */
export async function endOauthGrantsOf(deps: AccessDeps, slug: string): Promise<void> {
  for (const { id, agent } of await allGrants(deps)) if (agent === slug) await endOauthGrant(deps, id, "gateway");
}

/**
 * Ends grants that are over or were not used for a week, removes expired refresh tokens, and the marks of grants that ended a week ago.
 * Upkeep calls it before the records of tokens are removed, because without the record of its revocation a grant would count again.
 * A grant that cannot be ended stops nothing else; then it throws the first such failure at the end.
 */
export async function forgetEndedGrants(deps: AccessDeps): Promise<void> {
  const files = keyFilesOf(deps);
  const failures: unknown[] = [];
  const grants = await allGrants(deps); // before the tokens are listed: a token's record is older than the grant that names it
  const isUnused = await unusedGrants(deps);
  for (const grant of grants) {
    try {
      if (isUnused(grant) || (await isOver(deps, grant))) await endOauthGrant(deps, grant.id, "gateway");
    } catch (error) {
      failures.push(error);
    }
  }
  for (const name of (await files.names(GRANTS)).filter((each) => each.endsWith(ENDED))) {
    const mark = tryReadJson(await files.read(`${GRANTS}/${name}`), useMark);
    // Tokens that were being issued at that time have expired by now.
    if (!mark || mark.at + REFRESH_MS <= deps.world.now()) await files.remove(`${GRANTS}/${name}`);
  }
  for (const name of (await files.names(REFRESH)).filter((each) => !each.endsWith(".used"))) {
    const record = tryReadJson(await files.read(`${REFRESH}/${name}`), refreshRecord);
    if (record && record.expires > deps.world.now()) continue;
    await files.remove(`${REFRESH}/${name}`);
    await files.remove(`${REFRESH}/${name}.used`);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Returns whether no token of a grant read before can count any more: the record of its access token is gone, and every refresh token has
 * expired. Both are needed: a damaged record of an access token must not end a connection that can still be renewed.
 */
async function unusedGrants(deps: AccessDeps): Promise<(grant: GrantRecord) => boolean> {
  const files = keyFilesOf(deps);
  const known = new Set((await listTokens(deps)).map(({ claims }) => claims.id));
  const renewable = new Set<string>();
  for (const name of (await files.names(REFRESH)).filter((each) => !each.endsWith(".used"))) {
    const record = tryReadJson(await files.read(`${REFRESH}/${name}`), refreshRecord);
    if (record && record.expires > deps.world.now()) renewable.add(record.grant);
  }
  return ({ id, access }) => access !== undefined && !known.has(access) && !renewable.has(id);
}

async function allGrants(deps: AccessDeps): Promise<GrantRecord[]> {
  const names = (await keyFilesOf(deps).names(GRANTS)).filter((name) => !name.endsWith(ENDED));
  const grants = await Promise.all(names.map((name) => readGrant(deps, name.replace(/\.json$/, ""))));
  return grants.filter((grant) => grant !== undefined);
}

async function readGrant(deps: AccessDeps, id: string): Promise<GrantRecord | undefined> {
  if (!/^grant_[0-9a-f]{32}$/.test(id)) return undefined;
  return tryReadJson(await keyFilesOf(deps).read(grantPath(id)), grantRecord);
}

const REFRESH = "oauth-refresh" satisfies AccessFolder;
const GRANTS = "oauth-grants" satisfies AccessFolder;
const ENDED = ".ended";
const endedPath = (id: string): string => `${GRANTS}/${id}${ENDED}`;
const grantPath = (id: string): string => `${GRANTS}/${id}.json`;
const refreshPath = (token: string): string => `${REFRESH}/${createHash("sha256").update(token).digest("hex")}`;
const bytesOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
