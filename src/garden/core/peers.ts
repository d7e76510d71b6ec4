import { asFailure, type Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { keys } from "../../domain/layout.ts";
import {
  firstPeerFor,
  isWorkerRole,
  MOST_NAMED_RUNS,
  PEER_AWAY_MS,
  PEER_FORGOTTEN_MS,
  PEER_PUT_MS,
  type PeerCard,
  type ProcessRole,
  peerCard,
} from "../../domain/peer.ts";
import { everyKey } from "../../ports/store.ts";
import type { Garden } from "./garden.ts";
import { jsonBytes, tryReadJson } from "./json-record.ts";

type PeerDeps = Pick<Garden, "store" | "world">;

export interface SeenPeer extends PeerCard {
  /** Seconds since its last announcement, by the clock of this process. */
  readonly age_s: number;
  /** It announced itself within `PEER_AWAY_MS`. */
  readonly present: boolean;
}

export interface PeerSelf {
  readonly role: ProcessRole;
  readonly version: string;
  readonly url: string;
  readonly host?: string;
  readonly keyId?: string | undefined;
  /** Runs under way in this process. */
  readonly workingOn: () => readonly string[];
}

export interface Announced {
  readonly id: string;
  /** True if another process was present at the last announcement. */
  readonly hasOthers: () => boolean;
  /** True if this process is the first of the workers, as of the last announcement, to take up runs of this agent. */
  readonly isFirstFor: (slug: string) => boolean;
  /** Deletes the card and stops the timer. Never throws: a card that stays is forgotten after a minute. */
  close(): Promise<void>;
}

/**
 * Announces this process to the others of the garden (O-10) until `close`. The card is a view: nothing depends on it but what
 * `/health` and `bloom status` show, and whether rate limits are shared. A failed announcement is reported and repeated.
 */
export async function announcePeer(
  deps: PeerDeps,
  self: PeerSelf,
  report: (failure: Failure) => void = () => undefined,
): Promise<Announced> {
  const { store, world } = deps;
  const id = Buffer.from(world.random(8)).toString("hex");
  const started_at = new Date(world.now()).toISOString();
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  let others: readonly SeenPeer[] = [];
  const put = async (): Promise<void> => {
    const working = self.workingOn();
    const card: PeerCard = {
      id,
      role: self.role,
      version: self.version,
      started_at,
      seen_at: new Date(world.now()).toISOString(),
      url: self.url,
      ...(self.host !== undefined && { host: self.host }),
      working_on: working.slice(0, MOST_NAMED_RUNS),
      running: working.length,
      ...(self.keyId !== undefined && { key_id: self.keyId }),
    };
    await store.put(keys.peer(id), jsonBytes(peerCard.parse(card)));
    others = (await seenPeers(deps)).filter((peer) => peer.present && peer.id !== id);
  };
  let putting: Promise<void> = Promise.resolve();
  const turn = (): void => {
    putting = put()
      .catch((error: unknown) => report(asFailure(error)))
      .finally(() => {
        if (isOpen) timer = setTimeout(turn, PEER_PUT_MS).unref();
      });
  };
  turn();
  await putting;
  return {
    id,
    hasOthers: () => others.length > 0,
    isFirstFor: (slug) =>
      firstPeerFor(slug, [id, ...others.filter(({ role }) => isWorkerRole(role)).map((peer) => peer.id)]) === id,
    async close() {
      isOpen = false;
      clearTimeout(timer);
      await putting;
      await store.delete(keys.peer(id)).catch(() => undefined);
    },
  };
}

/** The processes that serve this garden, in order of their starts. Deletes cards that are older than `PEER_FORGOTTEN_MS`. */
export async function seenPeers({ store, world }: PeerDeps): Promise<readonly SeenPeer[]> {
  const found: SeenPeer[] = [];
  for await (const { key } of everyKey(store, keys.peers)) {
    const stored = await store.get(key);
    const card = tryReadJson(stored?.bytes, peerCard);
    const ageMs = card ? Math.max(0, world.now() - Date.parse(card.seen_at)) : Number.POSITIVE_INFINITY;
    if (card && ageMs <= PEER_FORGOTTEN_MS)
      found.push({ ...card, age_s: Math.round(ageMs / 1000), present: ageMs <= PEER_AWAY_MS });
    // By its hash: a process that was paused and announces itself again keeps its new card.
    else if (stored) await store.remove(key, stored.hash).catch(() => undefined);
  }
  return found.toSorted((a, b) => (a.started_at < b.started_at ? -1 : a.started_at > b.started_at ? 1 : 0));
}

/** Tells of processes that sign with different keys. */
export function keyRemarks(peers: readonly SeenPeer[]): readonly Text[] {
  const present = peers.filter((peer) => peer.present);
  return new Set(present.map(({ key_id }) => key_id)).size <= 1 ? [] : [SEVERAL_KEYS];
}

const SEVERAL_KEYS: Text = {
  en: "The processes sign with different keys: a token or session of one is refused by another. Give all of them the same BLOOM_SIGNING_KEY_FILE.",
  uk: "Процеси підписують різними ключами: токен або сеанс одного інший не приймає. Дайте всім однаковий BLOOM_SIGNING_KEY_FILE.",
};
