import { asFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { RepoFinding, RepoHealth } from "../../../ports/repo-health.ts";
import type { Repos } from "../../../ports/repos.ts";
import { openCore, type RepoCore } from "./core.ts";
import type { Environment, GitPlace } from "./process/git-process.ts";
import { fetchServer } from "./public/fetch-server.ts";
import { mirrorInto } from "./public/mirror.ts";
import { bundle, bundleWith, openBundle, unbundle } from "./remote/bundle.ts";
import { pullBranch } from "./remote/pull.ts";
import { fetchFrom, pushTo } from "./remote/remote.ts";
import { openSnapshot } from "./remote/snapshot.ts";
import { tipsOf, visitRemote } from "./remote/visit.ts";
import { gitIdentity } from "./setup/git-identity.ts";
import { initRepository } from "./setup/init.ts";
import { mainWorkTreeOf } from "./setup/linked-work-tree.ts";
import { lookAtFolder } from "./setup/look-at-folder.ts";
import { inspectRepository, lockOfGit, staleLockFindings } from "./upkeep/inspect.ts";
import { maintainRepository } from "./upkeep/maintain.ts";
import { unfinishedFindings } from "./upkeep/unfinished.ts";
import { commitEverything } from "./work-tree/first-commit.ts";

export interface GitReposOptions {
  /** The environment of the process: git inherits PATH and HOME, and for remotes the proxy variables. */
  readonly environment: Environment;
  readonly world: World;
  /** Number of moves after which maintenance runs in the background, if it is needed. */
  readonly maintainEvery?: number;
}

const MAINTAIN_EVERY = 100;

/** Repositories in folders of this machine, through the installed git. */
export function gitRepos({ environment, world, maintainEvery = MAINTAIN_EVERY }: GitReposOptions): Repos {
  const at = (dir: string): GitPlace => ({ dir, environment });
  return {
    look: (dir) => lookAtFolder(dir, environment),
    mainWorkTree: async (dir) => mainWorkTreeOf(dir),
    person: (dir) => gitIdentity(at(dir)),
    init: (dir) => initRepository(dir, environment, world),
    commitEverything: (dir, draft, progress) => commitEverything(at(dir), draft, progress),
    open: async (dir, shared) => withUpkeep(await openCore(at(dir), { world, shared }), world, maintainEvery),
    unbundle: (dir, file) => unbundle(dir, file, environment, world),
    openBundle: (file) => openBundle(file, environment, world),
    openSnapshot: (url, limits) => openSnapshot(url, limits, environment, world),
    serveFetch: fetchServer(environment),
  };
}

function withUpkeep(core: RepoCore, world: World, maintainEvery: number): Repo {
  const upkeep = singleFlight(() => maintainRepository(core, world));
  let moves = 0;
  const counted =
    (move: Repo["move"]): Repo["move"] =>
    async (wanted) => {
      const moved = await move(wanted);
      if (moved.kind === "moved" && ++moves % maintainEvery === 0) upkeep.run().catch(() => undefined); // reported by `health`
      return moved;
    };
  return {
    ...core,
    move: counted(core.move),
    hold: (branch, work) => core.hold(branch, (move) => work(counted(move))),
    fetch: (remote) => fetchFrom(core, remote),
    pull: (remote, branch, by) => pullBranch(core, remote, branch, by),
    push: (remote, refs) => pushTo(core, remote, refs),
    visit: (remote) => visitRemote(core, world, remote),
    tips: (remote, names) => tipsOf(core.place, remote, names),
    mirror: (dir, refs) => mirrorInto(core, world, dir, refs),
    maintain: upkeep.run,
    bundle: (file) => bundle(core.place, world, file),
    bundleWith: (file, content) => bundleWith(core, world, file, content),
    inspect: async (options) => [
      ...(await inspectRepository(core, world, options?.everything)),
      ...(await remoteFindings(core)),
    ],
    health: () => healthOf(core, world, upkeep.trouble()),
    close: async () => {
      await upkeep.ended();
      await core.close();
    },
  };
}

/** A remote that main cannot follow, as it is now. One that does not answer is told by `health`. */
async function remoteFindings(core: RepoCore): Promise<readonly RepoFinding[]> {
  await core.refresh().catch(() => undefined);
  const { remote } = await core.health();
  return remote?.blocked && remote.trouble ? [{ kind: "remote", subject: remote.address, what: remote.trouble }] : [];
}

/** Checks that take milliseconds; `inspect` reads the objects. */
async function healthOf(core: RepoCore, world: World, trouble: Text | undefined): Promise<RepoHealth> {
  const { ok, version, remarks, remote } = await core.health();
  // `busy` tells of a lock that git holds.
  const locks = await staleLockFindings(core.gitDir, core.commonDir, world);
  const held = [
    ...locks.filter(({ what }) => what !== lockOfGit),
    ...(await unfinishedFindings(core.place, core.gitDir).catch(() => [])),
  ].map(({ subject, what }) => ({ en: `${subject}: ${what.en}`, uk: `${subject}: ${what.uk}` }));
  return { ok, version, remarks: [...remarks, ...held, ...(trouble ? [trouble] : [])], ...(remote && { remote }) };
}

/** Concurrent calls share one run. The last error is kept until a run succeeds. */
function singleFlight(work: () => Promise<unknown>): {
  run: () => Promise<void>;
  trouble: () => Text | undefined;
  ended: () => Promise<void>;
} {
  let running: Promise<void> | undefined;
  let trouble: Text | undefined;
  const once = async (): Promise<void> => {
    try {
      await work();
      trouble = undefined;
    } catch (error) {
      const { text } = asFailure(error);
      trouble = { en: `packing failed: ${text.en}`, uk: `пакування не вдалося: ${text.uk}` };
      throw error;
    } finally {
      running = undefined;
    }
  };
  return {
    run: () => {
      running ??= once();
      return running;
    },
    trouble: () => trouble,
    ended: async () => {
      await running?.catch(() => undefined);
    },
  };
}
