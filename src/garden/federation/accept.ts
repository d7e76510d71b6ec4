import { crashPoint } from "../../base/crash-point.ts";
import { isFailure } from "../../base/failure.ts";
import {
  ANNOUNCED_REFS_FILE,
  type AnnouncedRef,
  type Announcement,
  announcedRef,
  readAnnouncement,
} from "../../domain/federation/announcement.ts";
import { type GardenPeer, ownersOf, signerAt } from "../../domain/federation/garden-peer.ts";
import { fingerprint } from "../../domain/federation/ssh-key.ts";
import { signerOf } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, peerRefs } from "../../domain/layout.ts";
import { COMMIT_KIND } from "../../domain/session/kinds.ts";
import { decodeTypedCommit, type TypedCommit } from "../../domain/session/typed-commit.ts";
import type { Commit, RefMove, Visit } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { readCapabilities } from "./capabilities.ts";
import { changePeer, readPeer } from "./peer-book.ts";

/** The reasons for which an announcement is not accepted. Nothing of it is here then. */
export type AnnouncementRefusal =
  | "no-announcement"
  | "malformed-announcement"
  | "not-signed"
  | "signed-by-a-stranger"
  | "rewound-announcement"
  | "forked-announcement"
  | "stale-number"
  | "other-garden"
  | "foreign-ref"
  | "missing-objects"
  | "too-large"
  | "malformed-head"
  | "unsafe-file"
  | "rewound-head"
  | "not-owner"
  | "not-allowed";

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
    const announcement = await checkedAnnouncement(visit, peer, { tip: found.oid, known });
    if (found.oid === known) return { kind: "up-to-date", seq: announcement.seq };
    const named = checkedNames(announcement, limits);
    await fetched(visit, [...announcement.refs.values()], limits);
    const moves = await trackingMoves(garden, { visit, peer, limits }, named);
    await visit.take([found.oid, ...announcement.refs.values()]);
    crashPoint("federation.accept.taken");
    return await landed(garden, peer, { moves, known, tip: found.oid, announcement });
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

/** Steps 2 and 3: signature, chain and number. */
async function checkedAnnouncement(
  visit: Visit,
  peer: GardenPeer,
  { tip, known }: { readonly tip: Oid; readonly known: Oid | undefined },
): Promise<Announcement> {
  const announcement = await announcementAt(visit, tip);
  const commit = await visit.commit(tip);
  const signer = commit.signed && signerOf(commit.signed.content, commit.signed.signature);
  if (!signer) throw new Refusal("not-signed");
  if (fingerprint(signer) !== signerAt(peer, announcement.seq))
    throw new Refusal("signed-by-a-stranger", fingerprint(signer));
  if (peer.space !== undefined && announcement.space !== peer.space)
    throw new Refusal("other-garden", announcement.space);
  if (known === undefined || known === tip) return announcement;
  if (!(await visit.isAncestor(known, tip)))
    throw new Refusal((await visit.isAncestor(tip, known)) ? "rewound-announcement" : "forked-announcement");
  const before = await announcementAt(visit, known);
  if (announcement.seq <= before.seq) throw new Refusal("stale-number", String(announcement.seq));
  return announcement;
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
  if (from === undefined) await checkedOwner(peer, means.session, own.at(-1)!);
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

async function checkedOwner(peer: GardenPeer, session: string, { typed }: PeerCommit): Promise<void> {
  const owner = typed?.fields["owner"];
  if (typeof owner !== "string" || !ownersOf(peer).has(owner)) throw new Refusal("not-owner", session);
}

/** Step 7. */
async function landed(
  garden: SessionGarden,
  peer: GardenPeer,
  {
    moves,
    known,
    tip,
    announcement,
  }: { moves: readonly RefMove[]; known: Oid | undefined; tip: Oid; announcement: Announcement },
): Promise<Accepted> {
  const last: RefMove = { ref: peerRefs(peer.name).announce, from: known, to: tip, reason: "bloom accept" };
  return untilLanded(garden, [last.ref], async () => {
    const done = await landRefs(garden, [...moves, last]);
    if (done.kind === "landed") {
      crashPoint("federation.accept.landed");
      if (peer.space === undefined)
        await changePeer(garden, peer.name, (now) => ({ ...now, space: announcement.space }));
      return { kind: "accepted", seq: announcement.seq, moved: moves.map(({ ref }) => ref) };
    }
    // Another process accepted the same announcement.
    return done.actual === tip
      ? { kind: "up-to-date", seq: announcement.seq }
      : { kind: "refused", why: "forked-announcement" };
  });
}
