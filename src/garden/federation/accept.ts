import { crashPoint } from "../../base/crash-point.ts";
import { ANNOUNCED_REFS_FILE, type Announcement, readAnnouncement } from "../../domain/federation/announcement.ts";
import { type ChainState, continuedChain } from "../../domain/federation/chain.ts";
import { type GardenPeer, type PeerKey, printOfLine } from "../../domain/federation/garden-peer.ts";
import type { AnnouncementRefusal } from "../../domain/federation/refusals.ts";
import { signerOf } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, PEER_BOOK_REF, peerRefs } from "../../domain/layout.ts";
import type { Commit, RefMove, Visit, Visited } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { peerMove, readPeer } from "./peer-book.ts";
import { announcedAs, isFollowed, type RefClass, trackedPlaces } from "./ref-classes.ts";
import { type AcceptGround, type AcceptLimits, commitOr, Refusal } from "./refusal.ts";

export type Accepted =
  | { readonly kind: "accepted"; readonly seq: number; readonly moved: readonly RefName[] }
  | { readonly kind: "up-to-date"; readonly seq: number }
  | { readonly kind: "refused"; readonly why: AnnouncementRefusal; readonly subject?: string };

export const acceptLimits: AcceptLimits = { bytes: 256 * 1024 * 1024, refs: 1000, commits: 10_000 };

/**
 * S-10: looks at what another garden announces, in this order: signature by the pinned key, chain, names of refs, all objects, then
 * for each ref a fast-forward, its owner and a grant. Everything lands in one transaction at the end, or nothing.
 */
export async function acceptAnnouncement(
  garden: SessionGarden,
  name: string,
  limits: AcceptLimits = acceptLimits,
  /** The announcement that was found there just now, and the place to count what the look costs. */
  { tip, used }: { readonly tip?: Oid; readonly used?: { bytes: number; refs: number } } = {},
): Promise<Accepted> {
  const peer = await readPeer(garden.repo, name);
  const visit = await garden.repo.visit({ name, url: peer.url });
  try {
    const [found] = tip === undefined ? await visit.refs([ANNOUNCE_REF]) : [{ oid: tip }];
    if (!found) throw new Refusal("no-announcement");
    const known = await garden.repo.resolve(peerRefs(name).announce);
    await fetched(visit, [found.oid], limits);
    const chain = await verifiedChain(visit, peer, { tip: found.oid, known });
    const { announcement } = chain;
    const named = checkedNames(announcement, peer, limits);
    const there = await trackedRefs(garden, name);
    if (found.oid === known && isSame(there, named)) return { kind: "up-to-date", seq: announcement.seq };
    const wanted = named.map(({ oid }) => oid);
    await fetched(visit, wanted, limits);
    const { space, keys } = chain;
    const ground = { garden, visit, peer, limits, space, keys, announced: announcement.refs };
    const moves = await trackingMoves(ground, named, there);
    const unsafe = await visit.unsafe([found.oid, ...wanted]);
    if (unsafe !== undefined) throw new Refusal("unsafe-file", unsafe);
    if (limits.moves !== undefined && moves.length > limits.moves) throw new Refusal("too-much-this-hour", "refs");
    await visit.take([found.oid, ...wanted]);
    crashPoint("federation.accept.taken");
    if (used) used.refs = moves.length;
    return await landed(garden, peer, { moves, known, tip: found.oid, chain });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", why: error.why, ...(error.subject !== undefined && { subject: error.subject }) };
  } finally {
    if (used) used.bytes = await visit.received();
    await visit.close();
  }
}

const fetchRefusals = {
  incomplete: "missing-objects",
  unsound: "unsound-objects",
  "too-large": "too-large",
} as const satisfies Record<Exclude<Visited, "fetched">, AnnouncementRefusal>;

async function fetched(visit: Visit, wanted: readonly Oid[], { bytes }: AcceptLimits): Promise<void> {
  const visited = wanted.length === 0 ? "fetched" : await visit.fetch(wanted, { bytes });
  if (visited !== "fetched") throw new Refusal(fetchRefusals[visited]);
}

interface PeerChain {
  /** The newest announcement. */
  readonly announcement: Announcement;
  /** The other garden as the chain tells it: its first key, and those that it changed to. */
  readonly space: string;
  readonly keys: readonly PeerKey[];
}

/** Steps 2 and 3: every announcement since the last accepted one is signed by the key that was valid then, and the numbers grow. */
async function verifiedChain(
  visit: Visit,
  peer: GardenPeer,
  { tip, known }: { readonly tip: Oid; readonly known: Oid | undefined },
): Promise<PeerChain> {
  const fresh = await announcedSince(visit, tip, known);
  const before = known === undefined ? undefined : await announcementAt(visit, known);
  let chain: ChainState = { space: peer.space, keys: peer.keys, seq: before?.seq ?? 0 };
  let announcement = before;
  for (const { commit, announced } of fresh.toReversed()) {
    const signer = commit.signed && signerOf(commit.signed.content, commit.signed.signature);
    const next = continuedChain(chain, announced, signer);
    if ("why" in next) throw new Refusal(next.why, next.subject);
    [announcement, chain] = [announced, next];
  }
  const { space, keys } = chain;
  // The newest announcement is by the key that the owner compared or a later one: whoever stole an older one cannot hand over to it.
  const pinned = keys.findIndex(({ key }) => printOfLine(key) === peer.pin);
  const signer = keys.findLastIndex(({ from_seq }) => from_seq <= announcement!.seq);
  if (pinned === -1 || signer < pinned) throw new Refusal("signed-by-a-stranger", space);
  return { announcement: announcement!, space: space!, keys };
}

/** The announcements after the last accepted one, newest first. */
async function announcedSince(visit: Visit, tip: Oid, known: Oid | undefined) {
  const found: { readonly commit: Commit; readonly announced: Announcement }[] = [];
  for (let at: Oid | undefined = tip; at !== known; ) {
    if (at === undefined || found.length > MAX_ANNOUNCEMENTS) throw await chainRefusal(visit, tip, known);
    const commit: Commit = await commitOr(visit, at, "malformed-announcement");
    found.push({ commit, announced: await announcementAt(visit, at) });
    at = commit.parents[0];
  }
  return found;
}

/** Nobody announces so often between two looks. */
const MAX_ANNOUNCEMENTS = 10_000;

async function chainRefusal(visit: Visit, tip: Oid, known: Oid | undefined): Promise<Refusal> {
  if (known === undefined) return new Refusal("too-large");
  return new Refusal((await visit.isAncestor(tip, known)) ? "rewound-announcement" : "forked-announcement");
}

async function announcementAt(visit: Visit, at: Oid): Promise<Announcement> {
  const commit = await commitOr(visit, at, "malformed-announcement");
  const file = await visit.read(at, ANNOUNCED_REFS_FILE);
  const announcement = readAnnouncement(commit.message, file?.bytes);
  if (!announcement || commit.parents.length > 1) throw new Refusal("malformed-announcement");
  return announcement;
}

interface NamedRef {
  readonly oid: Oid;
  readonly refClass: RefClass;
  readonly subject: string;
  /** The ref that holds it here. */
  readonly ref: RefName;
}

/** Step 4: all names are checked, those that are followed are returned. */
function checkedNames({ refs }: Announcement, peer: GardenPeer, limits: AcceptLimits): readonly NamedRef[] {
  if (refs.size > limits.refs) throw new Refusal("too-large", `${refs.size} refs`);
  const named = [...refs].map(([name, oid]): NamedRef => {
    const means = announcedAs(name);
    if (!means) throw new Refusal("foreign-ref", name);
    return { oid, ...means, ref: means.refClass.tracked(peer.name, means.subject) };
  });
  return named.filter((each) => isFollowed(peer, each));
}

/** The refs that hold what was accepted of another garden. */
async function trackedRefs({ repo }: SessionGarden, peer: string): Promise<ReadonlyMap<RefName, Oid>> {
  const found = await Promise.all(trackedPlaces(peer).map((place) => repo.refs(place)));
  return new Map(found.flat().map(({ name, oid }) => [name, oid]));
}

const isSame = (there: ReadonlyMap<RefName, Oid>, named: readonly NamedRef[]): boolean =>
  there.size === named.length && named.every(({ ref, oid }) => there.get(ref) === oid);

/** Step 6: the moves of tracking refs that the announcement asks for, each checked. Refs that it no longer names are deleted. */
async function trackingMoves(
  ground: AcceptGround,
  named: readonly NamedRef[],
  there: ReadonlyMap<RefName, Oid>,
): Promise<readonly RefMove[]> {
  const { visit } = ground;
  const left = new Map(there);
  const moves: RefMove[] = [];
  for (const { oid: to, refClass, subject, ref } of named) {
    const from = left.get(ref);
    left.delete(ref);
    if (from === to) continue;
    await commitOr(visit, to, "malformed-head");
    if (from !== undefined && !(await visit.isAncestor(from, to))) throw new Refusal("rewound-head", subject || ref);
    await refClass.check(ground, { subject, from, to });
    moves.push({ ref, from, to, reason: "bloom accept" });
  }
  for (const [ref, from] of left) moves.push({ ref, from, to: undefined, reason: "bloom accept" });
  return moves;
}

interface Landing {
  readonly moves: readonly RefMove[];
  readonly known: Oid | undefined;
  readonly tip: Oid;
  readonly chain: PeerChain;
}

/** Step 7. What is known of the other garden's keys moves together with its refs. */
async function landed(
  garden: SessionGarden,
  peer: GardenPeer,
  { moves, known, tip, chain: { announcement, space, keys } }: Landing,
): Promise<Accepted> {
  const last: RefMove = { ref: peerRefs(peer.name).announce, from: known, to: tip, reason: "bloom accept" };
  const { seq } = announcement;
  return untilLanded(garden, [last.ref, PEER_BOOK_REF], async () => {
    const book =
      peer.space === space && peer.keys.length === keys.length
        ? []
        : [await peerMove(garden, peer.name, (now) => ({ ...now, space, keys: [...keys] }))];
    const done = await landRefs(garden, [...moves, ...book, ...(known === tip ? [] : [last])]);
    if (done.kind === "landed") {
      crashPoint("federation.accept.landed");
      return { kind: "accepted", seq, moved: moves.map(({ ref }) => ref) };
    }
    if (done.ref === PEER_BOOK_REF) return undefined;
    // Another process accepted the same announcement.
    return done.actual === tip ? { kind: "up-to-date", seq } : { kind: "refused", why: "forked-announcement" };
  });
}
