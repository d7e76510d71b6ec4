import { z } from "zod";
import type { Identity } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { malformedNewsAddress } from "./failures.ts";
import { tellFederation } from "./federation-audit.ts";
import { signedNews } from "./news.ts";
import { changePeer, listPeers } from "./peer-book.ts";
import { signingKeyPair } from "./rotate-key.ts";

/** Sends a body to an address, and returns the status of the answer. Throws if there was none within seconds. */
export type SendNews = (url: string, body: string) => Promise<number>;

const due = z.strictObject({ tries: z.int().min(0), next_at: z.iso.datetime() });

/** Between two attempts. After the last one nobody is told: the other garden looks by itself. */
const WAITS_MS = [60_000, 300_000, 1_800_000];

/** The address where a garden that is followed here wants to be told of news; undefined ends it. Throws VALIDATION_FAILED. */
export async function tellNewsTo(garden: Garden, name: string, url: string | undefined, by: Identity): Promise<void> {
  if (url !== undefined && !isNewsAddress(url)) throw malformedNewsAddress();
  await changePeer(garden, name, (peer) => ({ ...peer, news: url }));
  await tellFederation(garden, "peer-news", by, name, { url: url ?? "" });
}

function isNewsAddress(text: string): boolean {
  if (!URL.canParse(text) || text.length > 2000) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}` === "";
}

/** Marks everybody who asked to be told. The mark is written before anything is sent, so a crash delays the message only. */
export async function queueNews({ store, repo, world }: Garden): Promise<void> {
  const now = new Date(world.now()).toISOString();
  for (const { name, news } of await listPeers(repo))
    if (news !== undefined) await store.put(keys.unsentNewsOf(name), jsonBytes({ tries: 0, next_at: now }));
}

/** Upkeep: sends what is due, signed with the garden's key and the newest announcement. */
export async function sendQueuedNews(garden: Garden, send: SendNews): Promise<void> {
  const { store, world } = garden;
  for await (const { key } of everyKey(store, keys.unsentNews)) {
    const queued = tryReadJson((await store.get(key))?.bytes, due);
    if (queued && Date.parse(queued.next_at) > world.now()) continue;
    const name = key.slice(keys.unsentNews.length).replace(/\.json$/, "");
    const wait = WAITS_MS[queued?.tries ?? 0];
    if ((await isSent(garden, name, send)) || wait === undefined) await store.delete(key);
    else {
      const next_at = new Date(world.now() + wait).toISOString();
      await store.put(key, jsonBytes({ tries: (queued?.tries ?? 0) + 1, next_at }));
    }
  }
}

/** True if it arrived, or if there is nobody to tell any more. */
async function isSent(garden: Garden, name: string, send: SendNews): Promise<boolean> {
  const [last, key, peers] = [
    await lastAnnouncement(garden.repo),
    await signingKeyPair(garden),
    await listPeers(garden.repo),
  ];
  const url = peers.find((peer) => peer.name === name)?.news;
  if (!last || !key || url === undefined) return true;
  const news = signedNews({ garden: last.space, tip: last.at, at: new Date(garden.world.now()).toISOString() }, key);
  const status = await send(url, JSON.stringify(news)).catch(() => 0);
  return status >= 200 && status < 300;
}
