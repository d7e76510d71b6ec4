import { isFailure } from "../../../../base/failure.ts";
import type { Busy, RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { RefSwap, RefsSwapped } from "../refs/ref-swap.ts";
import type { HeldWorkTree } from "../work-tree/work-tree-follower.ts";
import type { Authority } from "./authority-port.ts";
import { mainNotFollowed } from "./remote-problem.ts";

/** Swaps shared refs that no work tree follows: pushed first. A `refresh` afterwards makes main here as new as the move. */
export async function publishedSwap(
  authority: Authority,
  local: RefSwap,
  moves: readonly RefMove[],
  tree?: HeldWorkTree,
): Promise<RefsSwapped | Busy> {
  const published = await authority.publish(moves);
  if (published.kind !== "accepted") return published;
  const swapped = await local(published.local);
  repoCrashPoint("repo.remote.swapped");
  // A fetch of another process may have moved the refs on already: the remote has the moves either way.
  if (swapped.kind === "stale") await authority.refresh({ tree });
  return { kind: "swapped" };
}

/** A move without main is answered when main here is as new as the move: the fence tells that no older plan can land (fence.ts). */
export async function refreshAfter(authority: Authority, tree: HeldWorkTree | undefined): Promise<void> {
  try {
    await authority.refresh({ tree });
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw mainNotFollowed(error.text);
  }
  const blocked = authority.blocked();
  if (blocked) throw mainNotFollowed(blocked);
}

/** Annotations go through the remote like every shared ref; the loser of a race has fetched the winner's notes. */
export const noteSwap =
  (authority: Authority, local: RefSwap): RefSwap =>
  async (moves) => {
    const swapped = await publishedSwap(authority, local, moves);
    if (swapped.kind === "busy") throw mainNotFollowed(swapped.why);
    return swapped;
  };
