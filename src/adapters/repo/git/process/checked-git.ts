import type { Repos } from "../../../../ports/repos.ts";
import type { Environment } from "./git-process.ts";
import { gitVersion } from "./git-version.ts";

/**
 * Wraps `repos` with one check of the installed git version before the first call: an old git misreads newer options, and
 * `look` would report its output as the state of the folder.
 */
export function checkedGit(repos: Repos, environment: Environment): Repos {
  let checked: Promise<string> | undefined;
  const afterCheck =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      checked ??= gitVersion({ dir: ".", environment });
      await checked;
      return await call(...args);
    };
  return {
    look: afterCheck((dir) => repos.look(dir)),
    mainWorkTree: (dir) => repos.mainWorkTree(dir),
    person: afterCheck((dir) => repos.person(dir)),
    init: afterCheck((dir) => repos.init(dir)),
    open: afterCheck((dir, shared) => repos.open(dir, shared)),
    commitEverything: afterCheck((dir, draft, progress) => repos.commitEverything(dir, draft, progress)),
    unbundle: afterCheck((dir, file) => repos.unbundle(dir, file)),
    openBundle: afterCheck((file) => repos.openBundle(file)),
    openSnapshot: afterCheck((url, limits) => repos.openSnapshot(url, limits)),
    serveFetch: afterCheck((dir, request) => repos.serveFetch(dir, request)),
  };
}
