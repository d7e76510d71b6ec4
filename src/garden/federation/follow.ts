import { crashPoint } from "../../base/crash-point.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { ANNOUNCED_REFS_FILE, readAnnouncement } from "../../domain/federation/announcement.ts";
import type { CapabilityGrant } from "../../domain/federation/capability.ts";
import { type GardenPeer, gardenPeer } from "../../domain/federation/garden-peer.ts";
import { looksLike } from "../../domain/federation/lookalike.ts";
import { isFingerprint } from "../../domain/federation/ssh-key.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import type { Identity } from "../../domain/identity.ts";
import { ANNOUNCE_REF, keys, PEER_BOOK_REF, peerRefs } from "../../domain/layout.ts";
import { sessionName } from "../../domain/session/session-name.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import type { Garden } from "../core/garden.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { readCapabilities } from "../sessions/read-capabilities.ts";
import { type Accepted, acceptAnnouncement, acceptLimits } from "./accept.ts";
import { type CapabilityChange, grantCapability, revokeCapability } from "./capabilities.ts";
import { malformedPeer, nameOfRemote, peerLooksLike } from "./failures.ts";
import { tellFederation } from "./federation-audit.ts";
import { type LookTrouble, readLook, recordLook } from "./garden-look.ts";
import { addPeer, changePeer, listPeers, peerMove, readPeer } from "./peer-book.ts";
import { grantedKind } from "./peer-kinds.ts";
import { reserveLook, settleLook } from "./peer-quota.ts";
import { announcedAs, isFollowed, refClasses, trackedPlaces } from "./ref-classes.ts";

/** Verbs of the owner about other gardens. Each leaves an audit record. */

/** Follows another garden under a name of one's own. Nothing is fetched yet. */
export async function followGarden(
  garden: Garden,
  wish: Pick<GardenPeer, "name" | "url" | "pin">,
  by: Identity,
): Promise<GardenPeer> {
  if (!isSlug(wish.name)) throw malformedPeer("name");
  if (!isFingerprint(wish.pin)) throw malformedPeer("key");
  if (
    Object.hasOwn(garden.config.remotes, wish.name) ||
    (await garden.repo.refs(`refs/remotes/${wish.name}/`)).length > 0
  )
    throw nameOfRemote(wish.name);
  const peer = gardenPeer.parse({ ...wish, keys: [] });
  const double = (await listPeers(garden.repo)).find(({ name }) => name !== peer.name && looksLike(name, peer.name));
  if (double) throw peerLooksLike(peer.name, double.name);
  await addPeer(garden, peer);
  await tellFederation(garden, "peer-added", by, peer.name, { url: peer.url, key: peer.pin });
  return peer;
}

/**
 * Pins another key of a garden that is followed, compared by hand: the old one was stolen or lost. Everything that came from it leaves, and
 * its chain is checked from the beginning; grants, chosen sessions and the address for news stay. Throws NOT_FOUND.
 */
export async function replaceKey(
  garden: Garden,
  { name, url, pin }: Pick<GardenPeer, "name" | "url" | "pin">,
  by: Identity,
): Promise<GardenPeer> {
  if (!isFingerprint(pin)) throw malformedPeer("key");
  const before = await readPeer(garden.repo, name);
  const next = gardenPeer.parse({ ...before, url, pin, space: undefined, keys: [] });
  await untilLanded(garden, [PEER_BOOK_REF], async () => {
    const gone = (await trackingOf(garden.repo, name)).map(({ name: ref, oid }) => ({ ref, from: oid, to: undefined }));
    const book = await peerMove(garden, name, () => next);
    return (await landRefs(garden, [...gone, book])).kind === "landed" ? true : undefined;
  });
  for (const key of [keys.gardenLook(name), keys.gardenNewsOf(name)]) await garden.store.delete(key);
  await tellFederation(garden, "peer-key-replaced", by, name, { before: before.pin, key: pin, url });
  return next;
}

/** Ends following: its tracking refs are deleted, grants to it stay in history and are taken back. */
export async function unfollowGarden(garden: Garden, name: string, by: Identity): Promise<void> {
  const { repo } = garden;
  await readPeer(repo, name);
  for (const { id, value } of (await readCapabilities(repo)).objects)
    if (value.peer === name) await revokeGrant(garden, id, by);
  const refs = await trackingOf(repo, name);
  await landRefs(
    garden,
    refs.map(({ name: ref, oid }) => ({ ref, from: oid, to: undefined, reason: "bloom unfollow" })),
  );
  await changePeer(garden, name, () => undefined);
  for (const key of [keys.gardenLook(name), keys.gardenNewsOf(name), keys.unsentNewsOf(name)])
    await garden.store.delete(key);
  await tellFederation(garden, "peer-removed", by, name, {});
}

async function trackingOf(
  repo: Repo,
  name: string,
): Promise<readonly { readonly name: string; readonly oid: string }[]> {
  const places = [peerRefs(name).announce, ...trackedPlaces(name)];
  const found = await Promise.all(places.map((place) => repo.refs(place)));
  return found.flat();
}

/**
 * Looks at what another garden announces, and accepts or refuses it as a whole. `seen`: the announcement that was found there just now.
 * Throws UPSTREAM_UNAVAILABLE if the garden cannot be reached; the state of the look is kept in each case.
 */
export async function lookAtGarden(garden: Garden, name: string, by: Identity, seen?: Oid): Promise<Accepted> {
  await readPeer(garden.repo, name);
  try {
    const { tip, outcome } = await lookWithinQuota(garden, name, seen);
    if (outcome.kind === "accepted")
      await tellFederation(garden, "announcement-accepted", by, name, { seq: outcome.seq, refs: outcome.moved.length });
    if (outcome.kind === "refused")
      await tellFederation(garden, "announcement-refused", by, name, {
        why: outcome.why,
        ...(outcome.subject !== undefined && { subject: outcome.subject }),
      });
    await recordLook(garden, name, { tip, outcome });
    return outcome;
  } catch (failed) {
    await recordLook(garden, name, { failed });
    throw failed;
  }
}

/** A garden that floods this one is refused before anything is fetched. */
async function lookWithinQuota(
  garden: Garden,
  name: string,
  seen: Oid | undefined,
): Promise<{ readonly tip: Oid | undefined; readonly outcome: Accepted }> {
  const { repo } = garden;
  const { url } = await readPeer(repo, name);
  const tip = seen ?? (await repo.tips({ name, url }, [ANNOUNCE_REF]))[0]?.oid;
  if (tip === undefined) return { tip, outcome: { kind: "refused", why: "no-announcement" } };
  const reserved = await reserveLook(garden, name, acceptLimits.bytes);
  if (reserved.kind === "refused")
    return { tip, outcome: { kind: "refused", why: "too-much-this-hour", subject: reserved.subject } };
  crashPoint("federation.look.reserved");
  const used = { bytes: 0, refs: 0 };
  try {
    const limits = { ...acceptLimits, bytes: reserved.bytes, moves: reserved.refs };
    const outcome = await acceptAnnouncement(garden, name, limits, { tip, used });
    const isOver = outcome.kind === "refused" && outcome.why === "too-large" && reserved.bytes < acceptLimits.bytes;
    return { tip, outcome: isOver ? { ...outcome, why: "too-much-this-hour", subject: "bytes" } : outcome };
  } finally {
    await settleLook(garden, name, reserved.bytes, used);
  }
}

/**
 * Follows these sessions of another garden only; with none of them named, all that it announces. Those that are followed no longer leave at
 * once; the next look brings the others.
 */
export async function chooseSessions(
  garden: Garden,
  name: string,
  sessions: readonly string[],
  by: Identity,
): Promise<GardenPeer> {
  const chosen = sessions.length === 0 ? undefined : [...new Set(sessions.map(sessionName))].toSorted();
  const next: GardenPeer = { ...(await readPeer(garden.repo, name)), chosen };
  await untilLanded(garden, [PEER_BOOK_REF], async () => {
    const left = await notFollowed(garden.repo, next);
    const book = await peerMove(garden, name, (now) => ({ ...now, chosen }));
    return (await landRefs(garden, [...left, book])).kind === "landed" ? true : undefined;
  });
  await tellFederation(garden, "peer-sessions-chosen", by, name, { sessions: chosen?.join(" ") ?? "*" });
  return next;
}

/** The tracking refs of sessions that are not chosen, as deletions. */
async function notFollowed(repo: Repo, peer: GardenPeer): Promise<readonly RefMove[]> {
  const moves: RefMove[] = [];
  for (const refClass of refClasses.filter(({ bySession }) => bySession === true)) {
    const prefix = refClass.tracked(peer.name, "");
    for (const { name: ref, oid } of await repo.refs(prefix))
      if (!isFollowed(peer, { refClass, subject: ref.slice(prefix.length) }))
        moves.push({ ref, from: oid, to: undefined, reason: "bloom peer follow" });
  }
  return moves;
}

export async function grantTo(garden: Garden, grant: CapabilityGrant, by: Identity): Promise<CapabilityChange> {
  await readPeer(garden.repo, grant.peer);
  const named = { ...grant, agenticType: await grantedKind(garden.repo, grant.agenticType) };
  const change = await grantCapability(garden, named);
  if (change.commit !== undefined) await tellFederation(garden, "capability-granted", by, change.id, { ...named });
  return change;
}

export async function revokeGrant(garden: Garden, id: string, by: Identity): Promise<CapabilityChange> {
  const change = await revokeCapability(garden, id);
  if (change.commit !== undefined) await tellFederation(garden, "capability-revoked", by, id, {});
  return change;
}

export interface FollowedGarden extends Omit<GardenPeer, "keys"> {
  /** The last look at it and the next one; before the first look there is none. */
  readonly look?: { readonly at: string; readonly next_at: string; readonly trouble?: LookTrouble };
  /** Sessions of it that were accepted. */
  readonly sessions: readonly { readonly name: string; readonly head: string }[];
  /** Sessions in its newest accepted announcement, with those that are not followed. */
  readonly announced: readonly string[];
}

/** The gardens that this one follows, with the sessions of theirs that it has. */
export async function followedGardens(garden: Pick<Garden, "repo" | "store">): Promise<readonly FollowedGarden[]> {
  const { repo } = garden;
  return Promise.all(
    (await listPeers(repo)).map(async ({ name, url, pin, space, chosen, news }) => {
      const { branches } = peerRefs(name);
      const refs = await repo.refs(branches);
      const look = await readLook(garden, name);
      const known = {
        name,
        url,
        pin,
        ...(space !== undefined && { space }),
        ...(chosen && { chosen }),
        ...(news !== undefined && { news }),
        ...(look && {
          look: { at: look.looked_at, next_at: look.next_at, ...(look.trouble && { trouble: look.trouble }) },
        }),
      };
      return {
        ...known,
        sessions: refs.map((ref) => ({ name: ref.name.slice(branches.length), head: ref.oid })),
        announced: await announcedSessions(repo, name),
      };
    }),
  );
}

async function announcedSessions(repo: Repo, peer: string): Promise<readonly string[]> {
  const at = await repo.resolve(peerRefs(peer).announce);
  if (at === undefined) return [];
  const told = readAnnouncement((await repo.commit(at)).message, (await repo.read(at, ANNOUNCED_REFS_FILE))?.bytes);
  return [...(told?.refs.keys() ?? [])].flatMap((ref) => {
    const means = announcedAs(ref);
    return means?.refClass.part === "branch" ? [means.subject] : [];
  });
}
