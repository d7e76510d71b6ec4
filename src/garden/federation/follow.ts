import { isSlug } from "../../domain/contract/slug.ts";
import type { CapabilityGrant } from "../../domain/federation/capability.ts";
import { type GardenPeer, gardenPeer } from "../../domain/federation/garden-peer.ts";
import { looksLike } from "../../domain/federation/lookalike.ts";
import { isFingerprint } from "../../domain/federation/ssh-key.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { PEER_BOOK_REF, peerRefs } from "../../domain/layout.ts";
import { sessionName } from "../../domain/session/session-name.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { type Accepted, acceptAnnouncement } from "./accept.ts";
import { type CapabilityChange, grantCapability, readCapabilities, revokeCapability } from "./capabilities.ts";
import { malformedPeer, peerLooksLike } from "./failures.ts";
import { addPeer, changePeer, listPeers, peerMove, readPeer } from "./peer-book.ts";
import { isFollowed, refClasses, trackedPlaces } from "./ref-classes.ts";

/** Verbs of the owner about other gardens. Each leaves an audit record. */

/** Follows another garden under a name of one's own. Nothing is fetched yet. */
export async function followGarden(
  garden: Garden,
  wish: Pick<GardenPeer, "name" | "url" | "pin">,
  by: Identity,
): Promise<GardenPeer> {
  if (!isSlug(wish.name)) throw malformedPeer("name");
  if (!isFingerprint(wish.pin)) throw malformedPeer("key");
  const peer = gardenPeer.parse({ ...wish, keys: [] });
  const double = (await listPeers(garden.repo)).find(({ name }) => name !== peer.name && looksLike(name, peer.name));
  if (double) throw peerLooksLike(peer.name, double.name);
  await addPeer(garden, peer);
  await told(garden, "peer-added", by, peer.name, { url: peer.url, key: peer.pin });
  return peer;
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
  await told(garden, "peer-removed", by, name, {});
}

async function trackingOf(
  repo: Repo,
  name: string,
): Promise<readonly { readonly name: string; readonly oid: string }[]> {
  const places = [peerRefs(name).announce, ...trackedPlaces(name)];
  const found = await Promise.all(places.map((place) => repo.refs(place)));
  return found.flat();
}

/** Looks at what another garden announces, and accepts or refuses it as a whole. */
export async function lookAtGarden(garden: Garden, name: string, by: Identity): Promise<Accepted> {
  const outcome = await acceptAnnouncement(garden, name);
  if (outcome.kind === "accepted")
    await told(garden, "announcement-accepted", by, name, { seq: outcome.seq, refs: outcome.moved.length });
  if (outcome.kind === "refused")
    await told(garden, "announcement-refused", by, name, {
      why: outcome.why,
      ...(outcome.subject !== undefined && { subject: outcome.subject }),
    });
  return outcome;
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
  await told(garden, "peer-sessions-chosen", by, name, { sessions: chosen?.join(" ") ?? "*" });
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
  const change = await grantCapability(garden, grant);
  if (change.commit !== undefined) await told(garden, "capability-granted", by, change.id, { ...grant });
  return change;
}

export async function revokeGrant(garden: Garden, id: string, by: Identity): Promise<CapabilityChange> {
  const change = await revokeCapability(garden, id);
  if (change.commit !== undefined) await told(garden, "capability-revoked", by, id, {});
  return change;
}

export interface FollowedGarden extends Omit<GardenPeer, "keys"> {
  /** Sessions of it that were accepted. */
  readonly sessions: readonly { readonly name: string; readonly head: string }[];
}

/** The gardens that this one follows, with the sessions of theirs that it has. */
export async function followedGardens({ repo }: Pick<Garden, "repo">): Promise<readonly FollowedGarden[]> {
  return Promise.all(
    (await listPeers(repo)).map(async ({ name, url, pin, space, chosen }) => {
      const { branches } = peerRefs(name);
      const refs = await repo.refs(branches);
      const known = { name, url, pin, ...(space !== undefined && { space }), ...(chosen && { chosen }) };
      return { ...known, sessions: refs.map((ref) => ({ name: ref.name.slice(branches.length), head: ref.oid })) };
    }),
  );
}

type FederationAudit =
  | "peer-added"
  | "peer-removed"
  | "peer-sessions-chosen"
  | "announcement-accepted"
  | "announcement-refused"
  | "capability-granted"
  | "capability-revoked";

async function told(
  garden: Pick<Garden, "store" | "signals" | "world">,
  kind: FederationAudit,
  by: Identity,
  subject: string,
  details: { readonly [name: string]: string | number | boolean },
): Promise<void> {
  const mark = Buffer.from(garden.world.random(4)).toString("hex");
  const at = new Date(garden.world.now()).toISOString();
  await recordAudit(garden, `${kind}-${mark}`, { kind, at, by: identityName(by), subject, details });
}
