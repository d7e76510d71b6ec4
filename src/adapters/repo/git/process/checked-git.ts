import type { Repos } from "../../../../ports/repos.ts";
import type { Environment } from "./git-process.ts";
import { gitVersion } from "./git-version.ts";

/**
 * The same repositories, after one look at the git that is installed: an old one answers questions that it does not
 * understand with nonsense, and `look` would take that for what is in the folder.
 */
export function checkedGit(repos: Repos, environment: Environment): Repos {
  let checked: Promise<string> | undefined;
  const first =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      checked ??= gitVersion({ dir: ".", environment });
      await checked;
      return await call(...args);
    };
  return {
    look: first((dir) => repos.look(dir)),
    person: first((dir) => repos.person(dir)),
    init: first((dir) => repos.init(dir)),
    open: first((dir) => repos.open(dir)),
    commitEverything: first((dir, draft, progress) => repos.commitEverything(dir, draft, progress)),
    unbundle: first((dir, file) => repos.unbundle(dir, file)),
  };
}
