import { ANNOUNCED_REFS_FILE, type Announcement, readAnnouncement } from "../../domain/federation/announcement.ts";
import { CHAIN_START, type ChainState, continuedChain } from "../../domain/federation/chain.ts";
import { type GardenPeer, printOfLine } from "../../domain/federation/garden-peer.ts";
import type { AnnouncementRefusal } from "../../domain/federation/refusals.ts";
import { signerOf } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import type { Commit, RepoReader } from "../../ports/repo.ts";
import { announcedAs, isFollowed } from "./ref-classes.ts";

export type CheckedChain =
  /** `at` is the first announcement, counted from the oldest, that does not continue the chain. */
  | { readonly broken: { readonly at: Oid; readonly why: AnnouncementRefusal } }
  | { readonly announcement: Announcement; readonly chain: ChainState; readonly length: number };

/** The whole chain of a garden, from its first announcement on. */
export async function checkedChain(repo: Pick<RepoReader, "commit" | "read">, tip: Oid): Promise<CheckedChain> {
  const commits: Commit[] = [];
  for (let at: Oid | undefined = tip; at !== undefined; ) {
    const commit: Commit = await repo.commit(at);
    commits.push(commit);
    at = commit.parents[0];
  }
  let chain = CHAIN_START;
  let announcement: Announcement | undefined;
  for (const { oid, message, parents, signed } of commits.toReversed()) {
    announcement = readAnnouncement(message, (await repo.read(oid, ANNOUNCED_REFS_FILE))?.bytes);
    const next =
      announcement && parents.length <= 1
        ? continuedChain(chain, announcement, signed && signerOf(signed.content, signed.signature))
        : ({ why: "malformed-announcement" } as const);
    if ("why" in next) return { broken: { at: oid, why: next.why } };
    chain = next;
  }
  return { announcement: announcement!, chain, length: commits.length };
}

/** Another machine of this garden may have accepted more: the known keys begin with those of the chain. */
export const isChainOf = ({ space, keys, pin }: GardenPeer, chain: ChainState): boolean =>
  space === chain.space &&
  chain.keys.every(({ key, from_seq }, i) => keys[i]?.key === key && keys[i].from_seq === from_seq) &&
  keys.some(({ key }) => printOfLine(key) === pin);

/** The tracking refs that an accepted announcement asks for, with their commits. */
export function announcedTracking(peer: GardenPeer, announcement: Announcement | undefined): Map<RefName, Oid> {
  const expected = new Map<RefName, Oid>();
  for (const [name, oid] of announcement?.refs ?? []) {
    const means = announcedAs(name);
    if (means && isFollowed(peer, means)) expected.set(means.refClass.tracked(peer.name, means.subject), oid);
  }
  return expected;
}
