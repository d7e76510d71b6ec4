import { realWorld } from "../../../../base/world.ts";
import type { Repos } from "../../../../ports/repos.ts";
import { repoConformance } from "../../conformance.ts";
import { gitRepos } from "../repos.ts";
import { environment, scratch } from "../testing/scratch.ts";
import { bareRemote } from "../testing/shared.ts";

/** Every repository is a clone of one bare remote, which each test makes for itself. */
repoConformance("git with a remote", () => {
  const remote = bareRemote();
  const repos = gitRepos({ environment, world: realWorld });
  const shared = { remote: `file://${remote}`, fetch_seconds: 30, timeout_seconds: 30 };
  const joined: Repos = { ...repos, open: (dir) => repos.open(dir, shared) };
  return { repos: joined, folder: scratch };
});
