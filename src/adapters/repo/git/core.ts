import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Repo, RepoHealth } from "../../../ports/repo.ts";
import { folderSync } from "./disk/folder-sync.ts";
import { notes } from "./objects/annotations.ts";
import { build, commitAt, notFound } from "./objects/build-commit.ts";
import { historyOf } from "./objects/commit-history.ts";
import { type HeldBack, heldBack } from "./objects/deferred-commits.ts";
import { merge } from "./objects/merge-commits.ts";
import { objectReader } from "./objects/object-reader.ts";
import { type NewObject, objectWriter } from "./objects/object-writer.ts";
import { MAX_PACK_BYTES } from "./objects/pack-file.ts";
import { writePack } from "./objects/pack-writer.ts";
import { treeWalk } from "./objects/tree-walk.ts";
import type { GitPlace } from "./process/git-process.ts";
import { moveRefs } from "./refs/move-refs.ts";
import { refReader } from "./refs/ref-reader.ts";
import { refSwap } from "./refs/ref-swap.ts";
import { refTransactions } from "./refs/ref-transaction.ts";
import { type Opened, openingOf } from "./setup/locate-repository.ts";
import { removeStaleLocks } from "./upkeep/stale-locks.ts";
import { conversionIn } from "./work-tree/conversion.ts";
import { followedRecord } from "./work-tree/follow-record.ts";
import { indexStore } from "./work-tree/index-store.ts";
import { uncommittedIn } from "./work-tree/uncommitted.ts";
import { type Follower, follower } from "./work-tree/work-tree-follower.ts";

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

const CACHE_BYTES = 128 * 1024 * 1024;
/** From here on one pack is quicker than as many files; for fewer, a pack each time would leave too many packs. */
const PACK_FROM = 32;

/** Opens the repository whose top is `place.dir`, removes locks that no living process holds, and follows. */
export async function openCore(place: GitPlace, options: CoreOptions): Promise<RepoCore> {
  const opened = await openingOf(place);
  const remarks = await removeStaleLocks(opened.gitDir, opened.commonDir, options.world);
  const core = await assemble(place, opened, options, remarks);
  // A work tree that cannot follow now is told by `health`, and is no reason not to open.
  await core.follow().catch(() => undefined);
  return core;
}

async function assemble(place: GitPlace, opened: Opened, options: CoreOptions, remarks: Text[]): Promise<RepoCore> {
  const { gitDir, commonDir, workTree, version } = opened;
  const { world } = options;
  const syncFolder = folderSync();
  const reader = objectReader(place, options.cacheBytes ?? CACHE_BYTES);
  const objects = join(commonDir, "objects");
  const writer = objectWriter(objects, world, syncFolder);
  const writeChain = (chain: readonly NewObject[]): Promise<void> => {
    const size = chain.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return chain.length < PACK_FROM || size > MAX_PACK_BYTES
      ? writer.write(chain)
      : writePack(objects, chain, syncFolder);
  };
  const chains: HeldBack = heldBack(reader, writeChain);
  const settle: HeldBack["settle"] = (commits) => chains.settle(commits);
  const refs = refReader(place, gitDir, commonDir, opened.plainRefs);
  const transactions = refTransactions(place);
  const swap = refSwap({ refs, transactions, gitDir, commonDir, syncFolder, world });
  const trees = treeWalk(reader);
  const history = historyOf(place, reader, settle);
  const buildCommit: Repo["build"] = (draft, { durable } = {}) =>
    build({ reader, writer, heldBack: chains }, draft, durable);
  const annotations = notes({ reader, refs, swap, world, build: buildCommit });

  const followerIn = async (folder: string): Promise<Follower> => {
    return follower({
      gitDir,
      workTree: folder,
      index: indexStore(place, gitDir, syncFolder),
      refs,
      settle,
      syncFolder,
      conversion: await conversionIn(place, commonDir),
      record: followedRecord(folder, gitDir, syncFolder),
      changes: (from, to) => trees.changes(from, to),
      versionIn: (commit, path) => trees.version(commit, path),
      // A commit that a crash took before its move is nobody's ancestor.
      isAncestor: async (ancestor, of) =>
        (await reader.typeOf(ancestor)) === "commit" && (await history.isAncestor(ancestor, of)),
      blob: async (oid) => {
        const object = await reader.get(oid);
        if (object?.type !== "blob") throw notFound("blob", oid);
        return object.bytes;
      },
      attributesAbove: async (commit: Oid, path: string) => {
        const parts = path.split("/");
        const names = parts.map((_, depth) => [...parts.slice(0, depth), ".gitattributes"].join("/"));
        return (await Promise.all(names.map((name) => trees.version(commit, name)))).some(Boolean);
      },
    });
  };
  const following = workTree === undefined ? undefined : await followerIn(workTree);

  async function health(): Promise<RepoHealth> {
    const branch = await refs.branch();
    const head = branch === undefined ? await refs.detachedHead() : await refs.resolve(branch);
    const there = existsSync(join(gitDir, "HEAD"));
    const readable = there && (head === undefined || (await reader.typeOf(head)) === "commit");
    const behind = (following?.behind() ?? []).map(({ path, why }) => ({
      en: `${path} in the work tree is behind: ${why.en}`,
      uk: `${path} у робочій теці відстає: ${why.uk}`,
    }));
    return { ok: readable, version: `git ${version}`, remarks: [...remarks, ...behind] };
  }

  return {
    place,
    gitDir,
    commonDir,
    workTree,
    branch: () => refs.branch(),
    resolve: (ref) => refs.resolve(ref),
    refs: (prefix) => refs.refs(prefix),
    read: (at, path) => trees.read(at, path),
    list: (at, folder) => trees.list(at, folder),
    commit: (oid) => commitAt(reader, oid),
    changes: (from, to, folder) => trees.changes(from, to, folder),
    ...history,
    build: buildCommit,
    move: (moves) => moveRefs({ reader, refs, swap, settle, gitDir, commonDir, follower: following }, moves),
    merge: (ours, theirs) => merge({ place, commonDir, reader, writer, history }, ours, theirs),
    ...annotations,
    async annotate(ref, commit, bytes, by) {
      await settle([commit]);
      await annotations.annotate(ref, commit, bytes, by);
    },
    edited: async (paths) => following?.edited(paths) ?? [],
    uncommitted: () => uncommittedIn(place),
    follow: async () => (await following?.follow()) ?? { written: [], behind: [] },
    health,
    async close() {
      await following?.close();
      await chains.close();
      await transactions.close();
      reader.close();
    },
  };
}
