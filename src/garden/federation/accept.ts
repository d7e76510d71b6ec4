import { crashPoint } from "../../base/crash-point.ts";
import { isFailure } from "../../base/failure.ts";
import {
  ANNOUNCED_REFS_FILE,
  type AnnouncedRef,
  type Announcement,
  announcedRef,
  readAnnouncement,
} from "../../domain/federation/announcement.ts";
import { type ChainState, continuedChain } from "../../domain/federation/chain.ts";
import { type GardenPeer, type PeerKey, printOfLine } from "../../domain/federation/garden-peer.ts";
import type { AnnouncementRefusal } from "../../domain/federation/refusals.ts";
import { signerOf } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, PEER_BOOK_REF, peerRefs } from "../../domain/layout.ts";
import { COMMIT_KIND } from "../../domain/session/kinds.ts";
import { decodeTypedCommit, type TypedCommit } from "../../domain/session/typed-commit.ts";
import type { Commit, RefMove, Visit } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { readCapabilities } from "./capabilities.ts";
import { peerMove, readPeer } from "./peer-book.ts";

export type Accepted =
  | { readonly kind: "accepted"; readonly seq: number; readonly moved: readonly RefName[] }
  | { readonly kind: "up-to-date"; readonly seq: number }
  | { readonly kind: "refused"; readonly why: AnnouncementRefusal; readonly subject?: string };

export interface AcceptLimits {
  readonly bytes: number;
  readonly refs: number;
  /** New commits of one session in one announcement. */
  readonly commits: number;
}

export const acceptLimits: AcceptLimits = { bytes: 256 * 1024 * 1024, refs: 1000, commits: 10_000 };

/** Ends the acceptance; caught in `acceptAnnouncement` alone. */
class Refusal extends Error {
  readonly why: AnnouncementRefusal;
  readonly subject: string | undefined;
  constructor(why: AnnouncementRefusal, subject?: string) {
    super(why);
    this.why = why;
    this.subject = subject;
  }
}

/**
 * S-10: looks at what another garden announces, in this order: signature by the pinned key, chain, names of refs, all objects, then
 * for each ref a fast-forward, its owner and a grant. Everything lands in one transaction at the end, or nothing.
 */
export async function acceptAnnouncement(
  garden: SessionGarden,
  name: string,
  limits: AcceptLimits = acceptLimits,
): Promise<Accepted> {
  const peer = await readPeer(garden.repo, name);
  const visit = await garden.repo.visit({ name, url: peer.url });
  try {
    const [found] = await visit.refs([ANNOUNCE_REF]);
    if (!found) throw new Refusal("no-announcement");
    const known = await garden.repo.resolve(peerRefs(name).announce);
    await fetched(visit, [found.oid], limits);
    const chain = await verifiedChain(visit, peer, { tip: found.oid, known });
    const { announcement } = chain;
    if (found.oid === known) return { kind: "up-to-date", seq: announcement.seq };
    const named = checkedNames(announcement, limits);
    await fetched(visit, [...announcement.refs.values()], limits);
    const moves = await trackingMoves(garden, { visit, peer, limits, space: chain.space }, named);
    await visit.take([found.oid, ...announcement.refs.values()]);
    crashPoint("federation.accept.taken");
    return await landed(garden, peer, { moves, known, tip: found.oid, chain });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", why: error.why, ...(error.subject !== undefined && { subject: error.subject }) };
  } finally {
    await visit.close();
  }
}

async function fetched(visit: Visit, wanted: readonly Oid[], { bytes }: AcceptLimits): Promise<void> {
  const visited = wanted.length === 0 ? "fetched" : await visit.fetch(wanted, { bytes });
  if (visited !== "fetched") throw new Refusal(visited === "incomplete" ? "missing-objects" : visited);
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
  if (!keys.some(({ key }) => printOfLine(key) === peer.pin)) throw new Refusal("signed-by-a-stranger", space);
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

async function commitOr(visit: Visit, at: Oid, why: AnnouncementRefusal): Promise<Commit> {
  return visit.commit(at).catch((error: unknown) => {
    throw isFailure(error) ? new Refusal(why, at) : error;
  });
}

interface NamedRef {
  readonly name: RefName;
  readonly oid: Oid;
  readonly means: AnnouncedRef;
}

/** Step 4. A dossier comes with its branch. */
function checkedNames({ refs }: Announcement, limits: AcceptLimits): readonly NamedRef[] {
  if (refs.size > limits.refs) throw new Refusal("too-large", `${refs.size} refs`);
  const named = [...refs].map(([name, oid]) => ({ name, oid, means: announcedRef(name) }));
  const foreign = named.find(({ means }) => means === undefined);
  if (foreign) throw new Refusal("foreign-ref", foreign.name);
  return named as NamedRef[];
}

interface AcceptGround {
  readonly visit: Visit;
  readonly space: string;
  readonly peer: GardenPeer;
  readonly limits: AcceptLimits;
}

/** Step 6: the moves of tracking refs that the announcement asks for, each checked. Refs that it no longer names are deleted. */
async function trackingMoves(
  garden: SessionGarden,
  ground: AcceptGround,
  named: readonly NamedRef[],
): Promise<readonly RefMove[]> {
  const { branches, dossiers, traces } = peerRefs(ground.peer.name);
  const there = new Map<RefName, Oid>();
  for (const prefix of [branches, dossiers, traces])
    for (const { name, oid } of await garden.repo.refs(prefix)) there.set(name, oid);
  const moves: RefMove[] = [];
  for (const { oid, means } of named) {
    const ref = means.part === "traces" ? traces : `${means.part === "branch" ? branches : dossiers}${means.session}`;
    const from = there.get(ref);
    there.delete(ref);
    if (from === oid) continue;
    await checkedHead(garden, ground, { means, from, to: oid });
    moves.push({ ref, from, to: oid, reason: "bloom accept" });
  }
  for (const [ref, from] of there) moves.push({ ref, from, to: undefined, reason: "bloom accept" });
  return moves;
}

interface HeadMove {
  readonly means: AnnouncedRef;
  readonly from: Oid | undefined;
  readonly to: Oid;
}

async function checkedHead(garden: SessionGarden, ground: AcceptGround, move: HeadMove): Promise<void> {
  const { visit, peer } = ground;
  const { means, from, to } = move;
  await commitOr(visit, to, "malformed-head");
  if (from !== undefined && !(await visit.isAncestor(from, to))) throw new Refusal("rewound-head", means.session);
  const allowed = async (kind: string, trigger: "spawn" | "head-move" | "notes"): Promise<void> => {
    const set = await readCapabilities(garden.repo);
    if (!set.allows({ peer: peer.name, kind, trigger, now: garden.world.now() }))
      throw new Refusal("not-allowed", `${trigger} ${kind}`);
  };
  if (means.part === "traces") return allowed("console-trace", "notes");
  if (means.part === "dossier") return;
  for (const { path, mode } of await visit.list(to, ""))
    if (mode === "120000" || mode === "160000") throw new Refusal("unsafe-file", path);
  const own = await newCommits(ground, move);
  if (from === undefined) checkOwner(ground.space, means.session, own.at(-1)!);
  for (const kind of new Set(own.map(({ typed }) => typed?.kind ?? COMMIT_KIND)))
    await allowed(kind, from === undefined ? "spawn" : "head-move");
}

interface PeerCommit {
  readonly commit: Commit;
  readonly typed: TypedCommit | undefined;
}

/** The session's own commits since the last acceptance, newest first; at the first one down to its spawn commit. */
async function newCommits(
  { visit, limits }: AcceptGround,
  { means, from, to }: HeadMove,
): Promise<readonly PeerCommit[]> {
  const found: PeerCommit[] = [];
  for (let at: Oid | undefined = to; at !== undefined && at !== from; ) {
    const commit: Commit = await commitOr(visit, at, "malformed-head");
    const typed = decodeTypedCommit(commit.message);
    found.push({ commit, typed });
    if (typed?.kind === "spawn" && typed.fields["agent"] === means.session) return found;
    if (found.length > limits.commits) throw new Refusal("too-large", means.session);
    at = commit.parents[0];
  }
  if (from === undefined) throw new Refusal("not-owner", means.session); // it does not begin with its spawn commit
  return found;
}

function checkOwner(space: string, session: string | undefined, { typed }: PeerCommit): void {
  if (typed?.fields["owner"] !== space) throw new Refusal("not-owner", session);
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
    const done = await landRefs(garden, [...moves, ...book, last]);
    if (done.kind === "landed") {
      crashPoint("federation.accept.landed");
      return { kind: "accepted", seq, moved: moves.map(({ ref }) => ref) };
    }
    if (done.ref === PEER_BOOK_REF) return undefined;
    // Another process accepted the same announcement.
    return done.actual === tip ? { kind: "up-to-date", seq } : { kind: "refused", why: "forked-announcement" };
  });
}
