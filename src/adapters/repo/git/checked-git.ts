import { Failure } from "../../../base/failure.ts";
import type { Repos } from "../../../ports/repo.ts";
import { type Environment, gitText } from "./git-process.ts";

const OLDEST = [2, 39] as const;

/**
 * The same repositories, after one look at the git that is installed: an old one answers questions that it does not
 * understand with nonsense, and `look` would take that for what is in the folder.
 */
export function checkedGit(repos: Repos, environment: Environment): Repos {
  let checked: Promise<void> | undefined;
  const first =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      checked ??= expectNewEnough(environment);
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

async function expectNewEnough(environment: Environment): Promise<void> {
  const said = await gitText({ dir: ".", environment }, ["--version"]);
  const version = /\d+(\.\d+)+/.exec(said)?.[0] ?? "?";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: `git ${version} is too old`, uk: `git ${version} застарий` },
    {
      hint: { en: "Install git 2.39 or newer.", uk: "Встановіть git 2.39 або новіший." },
      details: { part: "git", version },
    },
  );
}
