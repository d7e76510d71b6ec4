import { Failure } from "../../../../base/failure.ts";
import { refName } from "../../../../domain/git/git-names.ts";
import type { Merged, Pulled, Remote, Signature } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { fetchFrom, trackedBranch } from "./remote.ts";
import type { RemoteOptions } from "./talk.ts";

const ATTEMPTS = 5;

/**
 * Fetches, then fast-forwards our branch or makes a merge commit. On a conflict, or if a person has uncommitted edits in the
 * way, our branch does not move. If another process moves our branch meanwhile, the merge is retried on top of it.
 */
export async function pullBranch(
  core: RepoCore,
  remote: Remote,
  branch: string,
  by: Signature,
  options: RemoteOptions = {},
): Promise<Pulled> {
  const ref = refName(`refs/heads/${branch}`);
  const { refs } = await fetchFrom(core, remote, options);
  const theirs = await core.resolve(trackedBranch(remote, branch));
  if (!theirs) {
    const empty = !refs.some(({ name }) => name.startsWith(`refs/remotes/${remote.name}/heads/`));
    if (empty) return { kind: "up-to-date" };
    throw noSuchBranch(remote, branch);
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ours = await core.resolve(ref);
    const merged: Merged = ours ? await core.merge(ours, theirs) : { kind: "fast-forward" };
    if (merged.kind === "up-to-date" || merged.kind === "conflict") return merged;
    const message = `Merge ${branch} of ${remote.name}`;
    const head =
      merged.kind === "fast-forward"
        ? theirs
        : await core.build({
            parents: [ours!, theirs],
            tree: merged.tree,
            edits: [],
            author: by,
            committer: by,
            message,
          });
    const moved = await core.move([{ ref, from: ours, to: head }]);
    if (moved.kind === "moved") {
      return { kind: "pulled", head, merged: merged.kind === "merged", followed: moved.followed };
    }
    if (moved.kind === "edited" || moved.kind === "busy") return moved;
  }
  throw tooBusy(branch);
}

const noSuchBranch = (remote: Remote, branch: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the remote ${remote.name} has no branch ${branch}`,
    uk: `у віддаленому репозиторії ${remote.name} немає гілки ${branch}`,
    hint: { en: "Push yours first, or name another branch.", uk: "Спершу надішліть свою або вкажіть іншу гілку." },
    details: { part: "remote", remote: remote.name, branch },
  });

const tooBusy = (branch: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${branch} kept moving while the remote's changes were merged (${ATTEMPTS} attempts)`,
    uk: `гілка ${branch} рухалася, доки зливалися зміни (${ATTEMPTS} спроб)`,
    hint: { en: "Try again in a moment.", uk: "Повторіть за мить." },
  });
