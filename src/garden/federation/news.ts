import { createHash } from "node:crypto";
import { z } from "zod";
import type { GardenPeer } from "../../domain/federation/garden-peer.ts";
import { printOfLine } from "../../domain/federation/garden-peer.ts";
import { fingerprint, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { signerOf, sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { keys } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { newsRefused, newsRepeated, staleNews } from "./failures.ts";
import { listPeers } from "./peer-book.ts";

/** S-10: a message of another garden that it has announced something. It only makes a look happen sooner. */
export interface GardenNews {
  /** The garden that announced: the fingerprint of its first key. */
  readonly garden: string;
  readonly tip: Oid;
  /** ISO 8601. */
  readonly at: string;
  /** By the garden's present key, as `ssh-keygen -Y sign -n bloom-news` makes it, over `newsText`. */
  readonly signature: string;
}

const NAMESPACE = "bloom-news";
/** Allowed difference of the two clocks; also the lifetime of a message. */
const WINDOW_MS = 5 * 60_000;

const newsText = ({ garden, tip, at }: Omit<GardenNews, "signature">): Buffer =>
  Buffer.from(`${NAMESPACE}\n${garden}\n${tip}\n${at}\n`);

export function signedNews(news: Omit<GardenNews, "signature">, key: SshKeyPair): GardenNews {
  return { ...news, signature: sshSignature(newsText(news), key, NAMESPACE) };
}

const toldNews = z.strictObject({ tip: z.string(), at: z.iso.datetime() });

/**
 * Takes a message of a garden that is followed. Throws FORBIDDEN for a garden that is not, a wrong signature or another time, and
 * DUPLICATE_ENTRY for a message that came before: its signature is kept until the time is over.
 */
export async function receiveNews(garden: Garden, news: GardenNews): Promise<void> {
  const { store, world } = garden;
  const signer = signerOf(newsText(news), news.signature, NAMESPACE);
  const print = signer && fingerprint(signer);
  const from = (await listPeers(garden.repo)).filter(
    (peer) => (peer.space ?? peer.pin) === news.garden && presentKey(peer) === print,
  );
  if (from.length === 0) throw newsRefused();
  const now = world.now();
  if (Math.abs(Date.parse(news.at) - now) > WINDOW_MS) throw staleNews(WINDOW_MS / 1000);
  const hash = createHash("sha256").update(`${NAMESPACE}\0${news.signature}`).digest("hex");
  const record = jsonBytes({ webhook: NAMESPACE, at: new Date(now).toISOString() });
  const claimed = await store.create(keys.usedSignature(news.at.slice(0, 10), hash), record);
  if (claimed.kind === "taken") throw newsRepeated();
  for (const { name } of from) await store.put(keys.gardenNewsOf(name), jsonBytes({ tip: news.tip, at: news.at }));
}

const presentKey = ({ keys: known, pin }: GardenPeer): string => {
  const last = known.at(-1);
  return last ? printOfLine(last.key) : pin;
};

export const newsOf = async (
  { store }: Pick<Garden, "store">,
  name: string,
): Promise<{ readonly tip: Oid } | undefined> =>
  tryReadJson((await store.get(keys.gardenNewsOf(name)))?.bytes, toldNews);

export const forgetNews = ({ store }: Pick<Garden, "store">, name: string): Promise<void> =>
  store.delete(keys.gardenNewsOf(name));
