import type { World } from "../../../../base/world.ts";
import { GATEWAY } from "../../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { CommitDraft } from "../../../../ports/repo.ts";
import type { SharedRepo } from "../../../../ports/repos.ts";
import { buildCommit, commitAt } from "../objects/build-commit.ts";
import type { CommitHistory } from "../objects/commit-history.ts";
import type { DeferredCommits } from "../objects/deferred-commits.ts";
import { mergeCommits } from "../objects/merge-commits.ts";
import type { ObjectWriter } from "../objects/object-writer.ts";
import { type GitPlace, gitText } from "../process/git-process.ts";
import { type MoveDeps, moveHere } from "../refs/move-refs.ts";
import { checkedRemote, withoutCredentials } from "../remote/remote-url.ts";
import { RemoteAuthority } from "./authority.ts";
import type { Authority } from "./authority-port.ts";
import { contactRecord } from "./contact-record.ts";
import { remoteLink } from "./remote-link.ts";

/** The parts of an open repository that follow the remote. They read what is here, and never fetch by themselves. */
export interface Clone extends Omit<MoveDeps, "authority"> {
  readonly place: GitPlace;
  readonly writer: ObjectWriter;
  readonly deferred: DeferredCommits;
  readonly history: CommitHistory;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
}

/** Makes the remote the authority of the shared refs of an open repository. Nothing is sent yet. */
export function connectAuthority(shared: SharedRepo, clone: Clone, world: World): Authority {
  const { remote: url, fetch_seconds, timeout_seconds } = shared;
  const { place, gitDir, commonDir, reader, writer, history, refs, swap, follower } = clone;
  checkedRemote({ name: "remote", url });
  const remote = { name: withoutCredentials(url, { name: "remote", url }), url };
  const build = (draft: CommitDraft): Promise<Oid> => buildCommit(clone, draft);
  const signature = { ...GATEWAY, at: 0 };
  return new RemoteAuthority({
    remote,
    link: remoteLink(place, commonDir, remote, timeout_seconds * 1000),
    contact: contactRecord(gitDir, remote.name),
    world,
    fetchEveryMs: fetch_seconds * 1000,
    refs,
    swap,
    isAncestor: (ancestor, of) => clone.isAncestor(ancestor, of),
    commit: (oid) => commitAt(reader, oid),
    build,
    merge: (ours, theirs) => mergeCommits({ place, commonDir, reader, writer, history }, ours, theirs),
    moveLocally: (moves, tree) => moveHere({ ...clone, authority: undefined }, moves, tree),
    checkMark: (parent, message) =>
      build({ parents: [parent], edits: [], author: signature, committer: signature, message }),
    hold: async (work) => (follower ? follower.hold(work) : { kind: "held", result: await work(undefined) }),
    countCommits: async (from, to) => Number(await gitText(place, ["rev-list", "--count", `${from}..${to}`])),
  });
}
