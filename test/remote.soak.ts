import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { repoConformance } from "../src/adapters/repo/conformance.ts";
import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { environment, scratch } from "../src/adapters/repo/git/testing/scratch.ts";
import { smartHttp } from "../src/adapters/repo/git/testing/smart-http.ts";
import { realWorld } from "../src/base/world.ts";

/** The promises of the repository with a remote behind smart HTTP. Over a folder they are part of `npm test`. */
const root = scratch();
let served: Awaited<ReturnType<typeof smartHttp>>;
beforeAll(async () => {
  served = await smartHttp(root);
});
afterAll(() => served.close());
let made = 0;

repoConformance("git with a remote over smart HTTP", () => {
  const name = `garden-${made++}.git`;
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", name], { cwd: root });
  const repos = gitRepos({ environment, world: realWorld });
  const shared = { remote: `${served.url}/${basename(name)}`, fetch_seconds: 30, timeout_seconds: 30 };
  return { repos: { ...repos, open: (dir) => repos.open(dir, shared) }, folder: scratch };
});
