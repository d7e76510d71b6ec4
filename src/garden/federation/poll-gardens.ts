import type { AnnouncementRefusal } from "../../domain/federation/refusals.ts";
import { ANNOUNCE_REF, keys, PEER_BOOK_REF } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import type { Garden } from "../core/garden.ts";
import type { Accepted } from "./accept.ts";
import { lookAtGarden } from "./follow.ts";
import { fraction, type GardenLook, isSettled, judgement, readLook, recordLook } from "./garden-look.ts";
import { forgetNews, newsOf } from "./news.ts";
import { listPeers, readPeer } from "./peer-book.ts";

/** Looks of one process at once: a garden that does not answer keeps the others waiting no longer than this allows. */
const AT_ONCE = 8;
/** A garden that was added just now: its owner is still writing the grants. */
const FIRST_LOOK_MS = 30_000;
/** News make a look happen, but not more often than this. */
const AFTER_LAST_MS = 10_000;

/** The time of the next look at each garden, in the memory of the process that has the upkeep; the store keeps them across processes. */
interface Turns {
  book: string | undefined;
  readonly nextAt: Map<string, number>;
}
const turnsOf = new WeakMap<Garden["signals"], Turns>();

/**
 * S-10: looks at the gardens whose turn it is. A look costs one `ls-remote` of one ref; only a tip that changed is fetched and checked.
 * Done by the process that has the upkeep. A process that dies in it leaves the times in the store; the next one goes on with them.
 */
export async function pollGardens(garden: Garden): Promise<void> {
  if (garden.config.federation.look_seconds === 0) return;
  const turns = await knownTurns(garden);
  await hearNews(garden, turns);
  const waiting = [...turns.nextAt].filter(([, at]) => at <= garden.world.now()).toSorted(([, a], [, b]) => a - b);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const look = await takeTurn(garden, next[0]);
      if (look === undefined) turns.nextAt.delete(next[0]);
      else turns.nextAt.set(next[0], look);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function knownTurns(garden: Garden): Promise<Turns> {
  const { repo, signals } = garden;
  const known = turnsOf.get(signals);
  const book = await repo.resolve(PEER_BOOK_REF);
  if (known && known.book === book) return known;
  const names = book === undefined ? [] : (await listPeers(repo)).map(({ name }) => name);
  const nextAt = new Map<string, number>();
  const fresh = names.filter((name) => !known?.nextAt.has(name));
  for (const name of names) nextAt.set(name, known?.nextAt.get(name) ?? (await firstTurn(garden, name, fresh.length)));
  const turns = { book, nextAt };
  turnsOf.set(signals, turns);
  return turns;
}

/** Looks that are overdue, after a restart or for new gardens, are spread too: one a second, over one interval at most. */
async function firstTurn(garden: Garden, name: string, count: number): Promise<number> {
  const { world, config } = garden;
  const look = await readLook(garden, name);
  const due = look ? Date.parse(look.next_at) : 0;
  const now = world.now();
  if (due > now) return due;
  const spread = Math.min(config.federation.look_seconds * 1000, count * 1000) * fraction(world);
  return Math.round(now + (look ? 0 : FIRST_LOOK_MS) + spread);
}

async function hearNews(garden: Garden, { nextAt }: Turns): Promise<void> {
  for await (const { key } of everyKey(garden.store, keys.gardenNews)) {
    const name = key.slice(keys.gardenNews.length).replace(/\.json$/, "");
    const [news, look] = [await newsOf(garden, name), await readLook(garden, name)];
    if (!nextAt.has(name) || !news || (look && look.tip === news.tip)) await forgetNews(garden, name);
    else {
      const soon = look ? Date.parse(look.looked_at) + AFTER_LAST_MS : 0;
      nextAt.set(name, Math.min(nextAt.get(name)!, Math.max(garden.world.now(), soon)));
    }
  }
}

/** One look; returns the time of the next one, undefined if the garden is no longer followed. */
async function takeTurn(garden: Garden, name: string): Promise<number | undefined> {
  const { repo } = garden;
  const peer = await readPeer(repo, name).catch(() => undefined);
  if (!peer) return undefined;
  const look = await lookOf(garden, peer);
  await forgetNews(garden, name);
  return Date.parse(look.next_at);
}

async function lookOf(garden: Garden, { name, url }: { readonly name: string; readonly url: string }) {
  const { repo } = garden;
  const before = await readLook(garden, name);
  let tip: string | undefined;
  try {
    tip = (await repo.tips({ name, url }, [ANNOUNCE_REF]))[0]?.oid;
  } catch (failed) {
    return recordLook(garden, name, { failed });
  }
  if (isSettled(before, tip, await judgement(garden, name)))
    return recordLook(garden, name, { tip, outcome: sameAgain(before!) });
  await lookAtGarden(garden, name, { type: "gateway" }, tip).catch(() => undefined); // recorded by it
  return (await readLook(garden, name))!;
}

const sameAgain = ({ trouble }: GardenLook): Accepted =>
  trouble
    ? {
        kind: "refused",
        why: trouble.why as AnnouncementRefusal,
        ...(trouble.subject !== undefined && { subject: trouble.subject }),
      }
    : { kind: "up-to-date", seq: 0 };
