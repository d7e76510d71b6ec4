import { assert } from "../../../base/assert.ts";
import type { World } from "../../../base/world.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { GitPlace } from "./git-process.ts";

export interface CoreOptions {
  readonly world: World;
  /** Upper bound of the parsed objects that are held in memory. */
  readonly cacheBytes?: number;
}

/** All of a repository but remotes and upkeep, and what those need to know of it. */
export interface RepoCore extends Omit<Repo, "fetch" | "pull" | "push" | "maintain" | "bundle" | "inspect"> {
  readonly place: GitPlace;
  /** Of this work tree: HEAD, index, merge state. Absolute. */
  readonly gitDir: string;
  /** Of all work trees: objects, refs, packed-refs, config. Absolute; the same as `gitDir` in an ordinary repository. */
  readonly commonDir: string;
  /** Undefined in a bare repository. */
  readonly workTree: string | undefined;
  /** The branch that HEAD names (`refs/heads/main`), also before its first commit; undefined if HEAD is detached. */
  branch(): Promise<string | undefined>;
}

/** Opens the repository whose top is `place.dir`, removes locks that no living process holds, and follows. */
export async function openCore(place: GitPlace, options: CoreOptions): Promise<RepoCore> {
  assert(place.dir !== "" && options.world, "the place is named");
  throw new Error("not built yet");
}
