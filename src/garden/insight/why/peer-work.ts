import type { Text } from "../../../base/text.ts";
import { ANNOUNCED_REFS_FILE, readAnnouncement } from "../../../domain/federation/announcement.ts";
import { type PeerOrigin, peerSessionIn } from "../../../domain/federation/peer-origin.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { sessionBranch } from "../../../domain/layout.ts";
import { originsOf } from "../../../domain/proposal/operation.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { readEdges } from "../../sessions/edge-stream.ts";
import { claimedProposal } from "./approved-words.ts";
import type { WhyGarden } from "./chain.ts";
import { findCommit } from "./commit-facts.ts";
import { mergeOf } from "./session-origin.ts";

/** S-10: a commit that another garden made, and the merge that brought it to main. */
export interface PeerWork {
  readonly origin: PeerOrigin;
  readonly merge: Oid;
}

/**
 * The other garden that a commit of main comes from; undefined for one of this garden. The record of the merge's proposal tells, never the
 * commit: its words are another garden's, and could name proposals of this one.
 */
export async function peerWorkOf(garden: WhyGarden, commit: Commit): Promise<PeerWork | undefined> {
  const { repo } = garden;
  const edges = await readEdges(repo);
  if (!edges.all().some(({ to }) => peerSessionIn(to))) return undefined; // nothing was ever taken from another garden
  const merge = await mergeOf(repo, commit.oid);
  const proposal = merge === undefined ? undefined : await claimedProposal(garden, await repo.commit(merge));
  for (const origin of proposal ? originsOf(proposal.operation) : [])
    if ((await findCommit(repo, origin.head)) && (await repo.isAncestor(commit.oid, origin.head)))
      return { origin, merge: merge! };
  return undefined;
}

export const fromPeer = ({ peer, session, space, seq, announcement }: PeerOrigin): Text => ({
  en: `written in the session ${session} of the garden ${peer} (${space}), announcement ${seq} (${announcement.slice(0, 10)})`,
  uk: `написано в сесії ${session} саду ${peer} (${space}), оголошення ${seq} (${announcement.slice(0, 10)})`,
});

/** True if the announcement is still here and names the session; undefined if it is not here any more. */
export async function isAnnounced(repo: Repo, origin: PeerOrigin): Promise<boolean | undefined> {
  const commit = await findCommit(repo, origin.announcement);
  if (!commit) return undefined;
  const told = readAnnouncement(commit.message, (await repo.read(commit.oid, ANNOUNCED_REFS_FILE))?.bytes);
  const head = told?.refs.get(sessionBranch(origin.session));
  if (told?.space !== origin.space || told.seq !== origin.seq || head === undefined) return false;
  return head === origin.head || ((await findCommit(repo, head)) !== undefined && repo.isAncestor(origin.head, head));
}
