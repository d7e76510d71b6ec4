import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { RepoHealth } from "../../../ports/repo-health.ts";
import type { SharedRepo } from "../../../ports/repos.ts";
import { connectAuthority } from "./authority/connect.ts";
import { noteSwap } from "./authority/published-swap.ts";
import { folderSync } from "./disk/folder-sync.ts";
import { gitAnnotations } from "./objects/annotations.ts";
import { buildCommit, commitAt } from "./objects/build-commit.ts";
import { commitHistory } from "./objects/commit-history.ts";
import { type DeferredCommits, deferredCommits } from "./objects/deferred-commits.ts";
import { objectNotFound } from "./objects/failures.ts";
import { mergeCommits } from "./objects/merge-commits.ts";
import { objectReader, readerWithFetch } from "./objects/object-reader.ts";
import { objectWriter } from "./objects/object-writer.ts";
import { MAX_PACK_BYTES } from "./objects/pack-file.ts";
import { writePack } from "./objects/pack-writer.ts";
import { treeWalk } from "./objects/tree-walk.ts";
import type { GitPlace } from "./process/git-process.ts";
import { branchBusy, holdBranch, type MoveDeps, moveRefs } from "./refs/move-refs.ts";
import { refReader } from "./refs/ref-reader.ts";
import { refSwap } from "./refs/ref-swap.ts";
import { refTransactions } from "./refs/ref-transaction.ts";
import { locateRepository, type RepoLocation } from "./setup/locate-repository.ts";
import { removeStaleLocks } from "./upkeep/stale-locks.ts";
import { conversionIn } from "./work-tree/conversion.ts";
import { deadLockTaken } from "./work-tree/failures.ts";
import { followRecord } from "./work-tree/follow-record.ts";
import { indexLockHolder } from "./work-tree/index-lock.ts";
import { indexStore } from "./work-tree/index-store.ts";
import { uncommittedIn } from "./work-tree/uncommitted.ts";
import { copyOut, takeCopy } from "./work-tree/work-copy.ts";
import { type WorkTreeDeps, type WorkTreeFollower, workTreeFollower } from "./work-tree/work-tree-follower.ts";

export interface CoreOptions {
  readonly world: World;
  /** Limit of the cache of parsed objects. */
  readonly cacheBytes?: number;
  /** The remote that is the authority of the shared refs. */
  readonly shared?: SharedRepo | undefined;
}

/** A repository without remotes and upkeep, and the facts that those two need. */
export interface RepoCore
  extends Omit<
    Repo,
    "fetch" | "pull" | "push" | "visit" | "tips" | "mirror" | "maintain" | "bundle" | "bundleWith" | "inspect"
  > {
  readonly place: GitPlace;
  /** The git folder of this work tree (HEAD, index, merge state). Absolute. */
  readonly gitDir: string;
  /** The git folder of all work trees (objects, refs, config). Absolute; equals `gitDir` in an ordinary repository. */
  readonly commonDir: string;
  /** Undefined in a bare repository. */
  readonly workTree: string | undefined;
  /** The branch that HEAD names (`refs/heads/main`), also before its first commit; undefined if HEAD is detached. */
  branch(): Promise<string | undefined>;
  /** Reads the remote if the last contact is long ago, or `isNeeded`. A remote that does not answer is reported by `health`. */
  catchUpWithRemote(isNeeded: boolean): Promise<void>;
}

const CACHE_BYTES = 32 * 1024 * 1024;
/** From this many objects on, one pack is faster than loose files. Below, a pack each time would leave too many packs. */
const PACK_FROM = 32;

/** Opens the repository whose top is `place.dir`: takes over or removes locks of dead processes, and lets the work tree follow. */
export async function openCore(place: GitPlace, options: CoreOptions): Promise<RepoCore> {
  const location = await locateRepository(place);
  const isLockDead = (await indexLockHolder(location.gitDir)) === "dead-bloom";
  const removed = await removeStaleLocks(location.gitDir, location.commonDir, options.world);
  const remarks = [...(isLockDead ? [deadLockTaken] : []), ...removed];
  const core = await assembleCore(place, location, options, remarks);
  // A work tree that cannot follow now is reported by `health`, and must not prevent opening.
  await core.follow().catch(() => undefined);
  await core.catchUpWithRemote(isLockDead);
  return core;
}

/** Readers and writers of one open repository. */
type Plumbing = ReturnType<typeof openPlumbing>;

function openPlumbing(place: GitPlace, { gitDir, commonDir, plainRefs }: RepoLocation, options: CoreOptions) {
  const { world } = options;
  const syncFolder = folderSync();
  const objects = join(commonDir, "objects");
  const reader = objectReader(place, options.cacheBytes ?? CACHE_BYTES);
  const writer = objectWriter(objects, world, syncFolder);
  const deferred = deferredCommits(reader, (chain) => {
    const size = chain.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isLoose = chain.length < PACK_FROM || size > MAX_PACK_BYTES;
    return isLoose ? writer.write(chain) : writePack(objects, chain, syncFolder);
  });
  const makeDurable: DeferredCommits["makeDurable"] = (commits) => deferred.makeDurable(commits);
  const refs = refReader(place, gitDir, commonDir, plainRefs);
  const transactions = refTransactions(place);
  return {
    reader,
    writer,
    deferred,
    makeDurable,
    refs,
    transactions,
    syncFolder,
    swap: refSwap({ refs, transactions, gitDir, commonDir, syncFolder, world }),
    trees: treeWalk(reader),
    history: commitHistory(place, reader, makeDurable),
  };
}

/** A commit that is not here is no ancestor: a crash may have destroyed it before its move. */
const ancestry =
  ({ reader, history }: Plumbing) =>
  async (ancestor: Oid, of: Oid): Promise<boolean> =>
    (await reader.typeOf(ancestor)) === "commit" && (await history.isAncestor(ancestor, of));

/** At opening, a remote that is slow to answer is waited for so long. */
const OPENING_MS = 5_000;

async function assembleCore(
  place: GitPlace,
  location: RepoLocation,
  options: CoreOptions,
  remarks: readonly Text[],
): Promise<RepoCore> {
  const { gitDir, commonDir, workTree } = location;
  const plumbing = openPlumbing(place, location, options);
  const { writer, deferred, makeDurable, refs, swap } = plumbing;
  const follower =
    workTree === undefined
      ? undefined
      : workTreeFollower(await workTreeDeps(place, { gitDir, commonDir, workTree }, plumbing));
  const authority =
    options.shared &&
    connectAuthority(
      options.shared,
      { ...plumbing, isAncestor: ancestry(plumbing), place, gitDir, commonDir, follower },
      options.world,
    );
  // Callers may ask for an object that only the remote has. Following the remote reads what is here.
  const reader = authority ? readerWithFetch(plumbing.reader, (oid) => authority.missed(oid)) : plumbing.reader;
  const trees = authority ? treeWalk(reader) : plumbing.trees;
  const history = authority ? commitHistory(place, reader, makeDurable) : plumbing.history;
  const build: Repo["build"] = (draft, { durable } = {}) => buildCommit({ reader, writer, deferred }, draft, durable);
  const annotations = gitAnnotations({
    reader,
    refs,
    swap: authority ? noteSwap(authority, swap) : swap,
    world: options.world,
    build,
  });
  const moving: MoveDeps = { reader, refs, swap, makeDurable, gitDir, commonDir, follower, authority };
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
    names: (at, folder) => trees.names(at, folder),
    commit: (oid) => commitAt(reader, oid),
    changes: (from, to, folder) => trees.changes(from, to, folder),
    ...history,
    build,
    move: (moves) => moveRefs(moving, moves),
    hold: (ref, work) => holdBranch(moving, ref, work),
    busy: (ref) => branchBusy(moving, ref),
    merge: (ours, theirs, how) => mergeCommits({ place, commonDir, reader, writer, history }, ours, theirs, how),
    ...annotations,
    async annotate(ref, commit, bytes, by) {
      await makeDurable([commit]);
      await annotations.annotate(ref, commit, bytes, by);
    },
    edited: async (paths) => follower?.edited(paths) ?? [],
    uncommitted: () => uncommittedIn(place),
    copyOut: (folder, copy) => copyOut({ place, commonDir }, folder, copy),
    takeCopy: (folder, copy) => takeCopy({ place, commonDir }, folder, copy),
    follow: async () => (await follower?.follow()) ?? { written: [], behind: [] },
    refresh: async () => authority?.refresh(),
    async catchUpWithRemote(isNeeded) {
      if (authority && (isNeeded || authority.isDue()))
        await authority.refresh({ timeoutMs: OPENING_MS }).catch(() => undefined);
    },
    async health() {
      const remote = await authority?.state();
      return { ...(await healthOf(plumbing, location, follower, remarks)), ...(remote && { remote }) };
    },
    async close() {
      await authority?.close();
      await follower?.close();
      await deferred.close();
      await plumbing.transactions.close();
      reader.close();
    },
  };
}

async function workTreeDeps(
  place: GitPlace,
  { gitDir, commonDir, workTree }: Pick<RepoLocation, "gitDir" | "commonDir"> & { readonly workTree: string },
  plumbing: Plumbing,
): Promise<WorkTreeDeps> {
  const { reader, refs, makeDurable, syncFolder, trees } = plumbing;
  return {
    gitDir,
    workTree,
    index: indexStore(place, gitDir, syncFolder),
    refs,
    makeDurable,
    syncFolder,
    conversion: await conversionIn(place, commonDir),
    record: followRecord(workTree, gitDir, syncFolder),
    changes: (from, to) => trees.changes(from, to),
    versionIn: (commit, path) => trees.version(commit, path),
    isAncestor: ancestry(plumbing),
    blob: async (oid) => {
      const object = await reader.get(oid);
      if (object?.type !== "blob") throw objectNotFound("blob", oid);
      return object.bytes;
    },
    attributesAbove: async (commit, path) => {
      const parts = path.split("/");
      const names = parts.map((_, depth) => [...parts.slice(0, depth), ".gitattributes"].join("/"));
      return (await Promise.all(names.map((name) => trees.version(commit, name)))).some(Boolean);
    },
  };
}

async function healthOf(
  { reader, refs }: Plumbing,
  { gitDir, version }: RepoLocation,
  follower: WorkTreeFollower | undefined,
  remarks: readonly Text[],
): Promise<RepoHealth> {
  const branch = await refs.branch();
  const head = branch === undefined ? await refs.detachedHead() : await refs.resolve(branch);
  const hasHead = existsSync(join(gitDir, "HEAD"));
  const ok = hasHead && (head === undefined || (await reader.typeOf(head)) === "commit");
  const behind = (follower?.behind() ?? []).map(({ path, why }) => ({
    en: `${path} in the work tree is behind: ${why.en}`,
    uk: `${path} у робочій теці відстає: ${why.uk}`,
  }));
  return { ok, version: `git ${version}`, remarks: [...remarks, ...behind] };
}
