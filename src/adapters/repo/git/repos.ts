import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { Repo, Repos } from "../../../ports/repo.ts";
import { bundle, unbundle } from "./bundle.ts";
import { openCore } from "./core.ts";
import { commitEverything } from "./first-commit.ts";
import type { Environment, GitPlace } from "./git-process.ts";
import { init } from "./init.ts";
import { inspect } from "./inspect.ts";
import { personOf } from "./person.ts";
import { look } from "./situation.ts";

export interface GitReposOptions {
  /** Of the process: PATH and HOME are handed to git, and to remotes also the proxies. */
  readonly environment: Environment;
  readonly world: World;
}

/** Repositories in folders of this machine, by the installed git. */
export function gitRepos({ environment, world }: GitReposOptions): Repos {
  const at = (dir: string): GitPlace => ({ dir, environment });
  return {
    look: (dir) => look(dir, environment),
    person: (dir) => personOf(at(dir)),
    init: (dir) => init(dir, environment, world),
    commitEverything: (dir, draft, progress) => commitEverything(at(dir), draft, progress),
    open: async (dir): Promise<Repo> => {
      const core = await openCore(at(dir), { world });
      return {
        ...core,
        fetch: notYet,
        pull: notYet,
        push: notYet,
        maintain: notYet,
        bundle: (file) => bundle(core.place, world, file),
        inspect: (options) => inspect(core, world, options?.everything),
      };
    },
    unbundle: (dir, file) => unbundle(dir, file, environment, world),
  };
}

const notYet = (): Promise<never> =>
  Promise.reject(new Failure("INTERNAL_ERROR", { en: "not built yet", uk: "ще не зроблено" }));
