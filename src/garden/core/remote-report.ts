import type { Text } from "../../base/text.ts";
import type { RepoRemote } from "../../ports/repo-health.ts";

/** The remote of the garden (`repo.remote`) in words: its address, how far main is from it, and its trouble. */
export function remoteReport(remote: RepoRemote): {
  readonly ok: boolean;
  readonly about: string;
  readonly remarks: readonly Text[];
} {
  const { address, behind, ahead, reachable, blocked, trouble } = remote;
  return {
    ok: reachable && !blocked,
    about: `${address}, behind ${behind}, ahead ${ahead}`,
    remarks: trouble ? [trouble] : [],
  };
}
