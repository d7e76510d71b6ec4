import { isFailure } from "../../base/failure.ts";
import type { CapabilityQuestion, CapabilityTrigger } from "../../domain/federation/capability.ts";
import type { GardenPeer, PeerKey } from "../../domain/federation/garden-peer.ts";
import type { AnnouncementRefusal } from "../../domain/federation/refusals.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import type { Commit, Visit } from "../../ports/repo.ts";
import { readCapabilities } from "../sessions/read-capabilities.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";

/** Ends the acceptance of an announcement; caught in `acceptAnnouncement` alone. */
export class Refusal extends Error {
  readonly why: AnnouncementRefusal;
  readonly subject: string | undefined;
  constructor(why: AnnouncementRefusal, subject?: string) {
    super(why);
    this.why = why;
    this.subject = subject;
  }
}

export interface AcceptLimits {
  /** Refs that may move. */
  readonly moves?: number;
  readonly bytes: number;
  readonly refs: number;
  /** New commits of one session in one announcement. */
  readonly commits: number;
}

/** The parts of an acceptance that the check of a ref can use. Its objects are fetched, and not yet in this repository. */
export interface AcceptGround {
  readonly garden: SessionGarden;
  readonly visit: Visit;
  /** The garden that announces: the fingerprint of its first key. */
  readonly space: string;
  /** Its keys, oldest first, as its chain tells them. */
  readonly keys: readonly PeerKey[];
  readonly peer: GardenPeer;
  /** All refs of the announcement. Of those that are not followed nothing was fetched. */
  readonly announced: ReadonlyMap<RefName, Oid>;
  readonly limits: AcceptLimits;
}

/** One announced ref that moves here. It is a commit, and goes forward only. */
export interface AnnouncedMove {
  /** The part of the name that differs within the class, such as the session; empty for a ref that exists once. */
  readonly subject: string;
  readonly from: Oid | undefined;
  readonly to: Oid;
}

/** The commit, or the refusal `why`. */
export async function commitOr(visit: Visit, at: Oid, why: AnnouncementRefusal): Promise<Commit> {
  return visit.commit(at).catch((error: unknown) => {
    throw isFailure(error) ? new Refusal(why, at) : error;
  });
}

/** The refusal `not-allowed` unless a grant allows this garden the act. */
export async function checkGrant(
  { garden, peer }: Pick<AcceptGround, "garden" | "peer">,
  kind: string,
  trigger: CapabilityTrigger,
): Promise<void> {
  const set = await readCapabilities(garden.repo);
  if (!set.allows({ peer: peer.name, kind, trigger, now: garden.world.now() }))
    throw new Refusal("not-allowed", `${trigger} ${kind}`);
}

/** The same for a commit of a session. The refusal names the kind as a grant for it does. */
export async function checkCommitGrant(
  { garden, peer }: Pick<AcceptGround, "garden" | "peer">,
  { kind, theirs, trigger }: Pick<CapabilityQuestion, "kind" | "theirs" | "trigger">,
): Promise<void> {
  const set = await readCapabilities(garden.repo);
  if (!set.allowsCommit({ peer: peer.name, kind, ...(theirs && { theirs }), trigger, now: garden.world.now() }))
    throw new Refusal("not-allowed", `${trigger} ${set.grantable(kind, theirs)}`);
}

/** The refusal `unsafe-file` for a symbolic link or a submodule among the files of a commit. */
export async function checkFiles({ visit }: Pick<AcceptGround, "visit">, at: Oid): Promise<void> {
  for (const { path, mode } of await visit.list(at, ""))
    if (mode === "120000" || mode === "160000") throw new Refusal("unsafe-file", path);
}
