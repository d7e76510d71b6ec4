import { z } from "zod";
import { tryReadJson } from "../../../core/json-record.ts";
import { type AccessFolder, keyFilesOf } from "../key-files.ts";
import type { AccessDeps } from "../signing-key.ts";
import { type OauthRefusal, oauthRefusal } from "./oauth-error.ts";
import { redirectProblem } from "./redirect-uri.ts";

/**
 * Programs that registered themselves (RFC 7591). Anybody may register, and a registration grants nothing: it only names the program
 * and the addresses to which the owner's answer may be sent. Clients have no secret; each exchange is proved by PKCE.
 */
const clientRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  made_at: z.iso.datetime(),
  /** The owner connected it at least once. */
  used: z.boolean(),
});
export type OauthClient = z.infer<typeof clientRecord>;

/** A registration that the owner did not confirm is forgotten after a day, or when there are this many others. */
const UNUSED_MS = 24 * 60 * 60 * 1000;
const MAX_CLIENTS = 200;
const MAX_REDIRECTS = 5;

export async function registerOauthClient(
  deps: AccessDeps,
  wish: { readonly name: string | undefined; readonly redirects: readonly string[] },
): Promise<OauthClient | OauthRefusal> {
  const { name = "", redirects } = wish;
  if (redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    return oauthRefusal("invalid_redirect_uri", `redirect_uris: from 1 to ${MAX_REDIRECTS} addresses`);
  for (const uri of redirects) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) return oauthRefusal("invalid_redirect_uri", `${uri.slice(0, 200)}: ${problem}`);
  }
  await forgetUnused(deps);
  const client: OauthClient = {
    id: `client_${Buffer.from(deps.world.random(16)).toString("hex")}`,
    name: shownName(name),
    redirect_uris: [...redirects],
    made_at: new Date(deps.world.now()).toISOString(),
    used: false,
  };
  await keyFilesOf(deps).create(pathOf(client.id), bytesOf(client));
  return client;
}

/** One line that the owner can read: a name must not look like another part of the page. */
const shownName = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 60) || "a program without a name";

export async function findOauthClient(deps: AccessDeps, id: string): Promise<OauthClient | undefined> {
  if (!/^client_[0-9a-f]{32}$/.test(id)) return undefined;
  return tryReadJson(await keyFilesOf(deps).read(pathOf(id)), clientRecord);
}

/** Keeps the registration from now on. */
export async function keepOauthClient(deps: AccessDeps, client: OauthClient): Promise<void> {
  if (!client.used) await keyFilesOf(deps).write(pathOf(client.id), bytesOf({ ...client, used: true }));
}

async function forgetUnused(deps: AccessDeps): Promise<void> {
  const files = keyFilesOf(deps);
  const unused: OauthClient[] = [];
  for (const file of await files.names(CLIENTS)) {
    const client = await findOauthClient(deps, file.replace(/\.json$/, ""));
    if (client && !client.used) unused.push(client);
  }
  const oldest = unused.toSorted((a, b) => (a.made_at < b.made_at ? -1 : 1));
  for (const [index, { id, made_at }] of oldest.entries()) {
    const isOld = deps.world.now() - Date.parse(made_at) > UNUSED_MS;
    if (isOld || oldest.length - index >= MAX_CLIENTS) await files.remove(pathOf(id));
  }
}

const CLIENTS = "oauth-clients" satisfies AccessFolder;
const pathOf = (id: string): string => `${CLIENTS}/${id}.json`;
const bytesOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
