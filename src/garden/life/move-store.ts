import { createHash } from "node:crypto";
import { join } from "node:path";
import { crashPoint } from "../../base/crash-point.ts";
import { asFailure } from "../../base/failure.ts";
import { compareUtf8 } from "../../base/order.ts";
import type { Text } from "../../base/text.ts";
import { expectConfig } from "../../domain/config/failures.ts";
import type { GardenConfig } from "../../domain/config/garden-config.ts";
import { withGardenStore } from "../../domain/config/garden-config-text.ts";
import { isSameStore, type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { agentFilePath, isAgentFileKey, isViewKey, keys, machine, tree } from "../../domain/layout.ts";
import { keyProblem } from "../../domain/store-key.ts";
import type { Folder } from "../../ports/folder.ts";
import { everyKey, type Hash, type Store } from "../../ports/store.ts";
import { isAccessKey, moveKeyFiles } from "../agents/access/key-files.ts";
import { createOrFind } from "../core/flow/create-record.ts";
import {
  type GardenPorts,
  leftMark,
  prepareMachineFolder,
  readConfig,
  refuseLinkedWorkTree,
  refuseMovedAway,
} from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { configBytes } from "../core/live-settings.ts";
import {
  MAX_MARK_BYTES,
  type MovingMark,
  movedAway,
  moveInterrupted,
  moveIsOver,
  movingMark,
} from "../core/moving-mark.ts";
import { seenPeers } from "../core/peers.ts";
import {
  alreadyThere,
  changedWhileCopied,
  editedAgents,
  inUseElsewhere,
  namesNotPortable,
  objectDiffers,
  onlyInMirror,
  targetNotEmpty,
  verificationFailed,
} from "./move-failures.ts";
import { refuseInsideGarden } from "./outer-garden.ts";

/** The objects of a garden by key and hash; `digest` covers all of them. */
interface ObjectList {
  readonly hashes: ReadonlyMap<string, Hash>;
  readonly digest: string;
}

/** The listing of a store that is copied: size and version of each object. */
type Listing = ReadonlyMap<string, string>;

export interface MovedStore {
  readonly from: string;
  readonly to: string;
  readonly objects: number;
  /** SHA-256 over key and hash of every object, equal on both sides. */
  readonly digest: string;
  /** An interrupted earlier call was completed. */
  readonly resumed: boolean;
  /** The folder with the objects as they were, if they were in the garden's folder. */
  readonly kept: string | undefined;
  /** Why the bucket that was left has no mark: a machine with the older settings would go on working there. */
  readonly unmarked: Text | undefined;
}

/** An interrupted move was called off: the garden is where it was. */
export interface CalledOffMove {
  readonly stays: string;
  /** The place that may hold copies. */
  readonly calledOff: string;
}

type Tell = (what: "copied" | "verified", done: number, total: number) => void;

const AT_ONCE = 16;

/**
 * Moves the objects of a garden to another store. The plan is written first (`.bloom/moving.json`) and removed last; until then no
 * command opens the garden. Objects are copied, then all of the target are read and compared with the source, then `garden.yaml` names
 * the new store, then the old objects are set aside. After a crash at any point the same call continues. Nothing is deleted. Until the
 * settings name the new store, a call back to the old one calls the move off: the new place may be gone for good.
 */
export async function moveStore(
  ground: GardenPorts,
  dir: string,
  to: StoreConfig,
  tell: Tell = () => undefined,
): Promise<MovedStore | CalledOffMove> {
  const folder = ground.folders.at(dir);
  const config = expectConfig(await readConfig(folder));
  await refuseLinkedWorkTree(ground, dir);
  await prepareMachineFolder(folder);
  const begun = tryReadJson(await folder.read(machine.moving, MAX_MARK_BYTES), movingMark);
  if (begun && isSameStore(begun.from, to) && isSameStore(config.store, to))
    return await callOff(ground, dir, config, begun);
  if (begun && storeName(begun.to) !== storeName(to))
    throw moveInterrupted(storeName(begun.to), isSameStore(config.store, begun.to));
  if (!begun && isSameStore(config.store, to)) throw alreadyThere(storeName(to));
  const plan: MovingMark = begun ?? { from: config.store, to, at: new Date(ground.world.now()).toISOString() };
  // Settings that name the target were written after the comparison: only the last steps are left.
  const isSwitched = begun && (isSameStore(config.store, plan.to) || (await hasLeft(ground, dir, config, plan)));
  const task: Task = { config, plan, folder, isNew: begun === undefined };
  const { list, unmarked } = isSwitched
    ? await finishSwitched(ground, dir, task)
    : await copyAndSwitch(ground, dir, task, tell);
  const kept = plan.from.kind === "directory" ? await setAside(ground, folder, plan) : undefined;
  crashPoint("move:set-aside");
  await folder.removeFile(machine.moving);
  const { hashes, digest } = list;
  const [from, there] = [storeName(plan.from), storeName(plan.to)];
  return { from, to: there, objects: hashes.size, digest, resumed: begun !== undefined, kept, unmarked };
}

async function callOff(
  ground: GardenPorts,
  dir: string,
  config: GardenConfig,
  plan: MovingMark,
): Promise<CalledOffMove> {
  const { from, to } = plan;
  if (await hasLeft(ground, dir, config, plan)) throw moveIsOver(storeName(to));
  await withStore(ground, dir, config, (source) => refuseShared(ground, source));
  await ground.folders.at(dir).removeFile(machine.moving);
  return { stays: storeName(from), calledOff: storeName(to) };
}

/**
 * True if this move has left the old store already: then the settings were put back by hand. Throws if another machine has moved the
 * garden elsewhere meanwhile; then nothing is left to complete or to call off, and the plan is removed.
 */
async function hasLeft(
  ground: GardenPorts,
  dir: string,
  config: GardenConfig,
  { from, to, at }: MovingMark,
): Promise<boolean> {
  const folder = ground.folders.at(dir);
  if (from.kind === "directory") return (await folder.stat(setAsidePlace(at))).kind === "folder";
  const mark = await withStore(ground, dir, { ...config, store: from }, leftMark);
  if (!mark || (mark.at === at && mark.to === storeName(to))) return mark !== undefined;
  await folder.removeFile(machine.moving);
  throw movedAway(mark);
}

interface Task {
  readonly config: GardenConfig;
  readonly plan: MovingMark;
  readonly folder: Folder;
  readonly isNew: boolean;
}

const accessPlace = ({ kind }: StoreConfig, store: Store): Store | "local" => (kind === "directory" ? "local" : store);

/** Objects that belong to the garden wherever it is. Records of access have another place in each kind of store (`key-files.ts`). */
const isMoved = (key: string): boolean => key !== keys.movedTo && key !== keys.claim && !isAccessKey(key);

interface Switched {
  readonly list: ObjectList;
  readonly unmarked: Text | undefined;
}

async function copyAndSwitch(ground: GardenPorts, dir: string, task: Task, tell: Tell): Promise<Switched> {
  const { config, plan, folder, isNew } = task;
  return await withStore(ground, dir, { ...config, store: plan.from }, (source) =>
    withStore(ground, dir, { ...config, store: plan.to }, async (target) => {
      for (const store of [source, target]) await refuseShared(ground, store);
      if (isNew) await begin(ground, dir, { source, target, config, plan, folder });
      else await refuseOnlyInMirror(source, target, config, plan);
      const listing = await listingOf(source);
      const list = await copyAll(source, listing, target, tell);
      await moveKeyFiles(folder, accessPlace(plan.from, source), accessPlace(plan.to, target));
      crashPoint("move:copied");
      await verifyAll(list, target, tell);
      crashPoint("move:verified");
      await refuseMovedAway(source); // by another machine, while this one was copying
      await refuseChanged(source, listing);
      if (!(await takePlace(plan, target))) throw targetNotEmpty(storeName(plan.to), keys.claim);
      await switchSettings(folder, plan.to);
      crashPoint("move:switched");
      return { list, unmarked: await failureOf(markLeft(plan, source)) };
    }),
  );
}

async function finishSwitched(ground: GardenPorts, dir: string, { config, plan, folder }: Task): Promise<Switched> {
  await switchSettings(folder, plan.to);
  const list = await withStore(ground, dir, { ...config, store: plan.to }, async (target) => {
    await takePlace(plan, target);
    const hashes = await hashesOf(target, () => undefined);
    return { hashes, digest: digestOf(hashes) };
  });
  if (plan.from.kind === "directory") return { list, unmarked: undefined };
  const marking = withStore(ground, dir, { ...config, store: plan.from }, (source) => markLeft(plan, source));
  return { list, unmarked: await failureOf(marking) };
}

/**
 * Claims the place, as `init` does: an interrupted `init` of another garden must not go on there, and a place without any object is not
 * opened. An earlier move may have left its mark. False if another garden has claimed the place.
 */
async function takePlace({ to, at }: MovingMark, target: Store): Promise<boolean> {
  if (to.kind === "directory") return true;
  await target.delete(keys.movedTo);
  return (await createOrFind(target, keys.claim, jsonBytes({ id: at }))).first;
}

/** Another machine may still have the old settings: the bucket that was left tells it. */
async function markLeft({ from, to, at }: MovingMark, source: Store): Promise<void> {
  if (from.kind !== "directory") await source.put(keys.movedTo, jsonBytes({ to: storeName(to), at }));
}

/** The settings are switched: a bucket that was left and is gone, or takes no writes, must not keep the garden closed. */
const failureOf = (marking: Promise<void>): Promise<Text | undefined> =>
  marking.then(
    () => undefined,
    (error: unknown) => asFailure(error).text,
  );

async function withStore<T>(
  ground: GardenPorts,
  dir: string,
  settings: GardenConfig,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await ground.openStore(dir, settings);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Throws if another process uses a store: what it wrote after the copy would be lost. */
async function refuseShared({ world }: GardenPorts, store: Store): Promise<void> {
  const { role, shared, place } = await store.health();
  if (role === "client" || shared) throw inUseElsewhere(place);
  if (role !== "remote") return;
  const peer = (await seenPeers({ store, world })).find(({ present }) => present);
  if (peer) throw inUseElsewhere(`${peer.role}, ${peer.url}`);
  for await (const { key } of everyKey(store, keys.leases)) {
    const lease = JSON.parse(Buffer.from((await store.get(key))?.bytes ?? "{}").toString()) as Record<string, string>;
    if (lease["holder"] !== undefined && Date.parse(lease["until"] ?? "") > world.now())
      throw inUseElsewhere(`${place}: ${lease["holder"]}`);
  }
}

interface Begin {
  readonly source: Store;
  readonly target: Store;
  readonly config: GardenConfig;
  readonly plan: MovingMark;
  readonly folder: Folder;
}

/** Checks everything that can be checked before the first write, then writes the plan. */
async function begin(ground: GardenPorts, dir: string, { source, target, config, plan, folder }: Begin): Promise<void> {
  await refuseMovedAway(source); // by another machine: a second copy would be a second garden
  for await (const { key } of everyKey(target, ""))
    if (!isInTree(plan.to, key)) throw targetNotEmpty(storeName(plan.to), key);
  await refuseOnlyInMirror(source, target, config, plan);
  await refuseInsideGarden(ground, dir, { ...config, store: plan.to });
  const odd: string[] = [];
  for await (const { key } of everyKey(source, "")) if (keyProblem(key) !== undefined) odd.push(key);
  if (odd.length > 0) throw namesNotPortable(odd);
  const repo = await ground.repos.open(dir);
  try {
    const edited = (await repo.uncommitted()).filter(({ path }) => path.startsWith(`${config.agents_root}/`));
    if (edited.length > 0) throw editedAgents(edited.map(({ path }) => path));
  } finally {
    await repo.close();
  }
  await folder.create(machine.moving, jsonBytes(plan));
  crashPoint("move:planned");
}

/** G-1a: a mirror of a bucket has no effect. In a directory, a file that only the mirror has would be one of an agent. */
async function refuseOnlyInMirror(
  source: Store,
  target: Store,
  { agents_root }: GardenConfig,
  { from, to }: MovingMark,
): Promise<void> {
  const paths: string[] = [];
  for await (const { key } of everyKey(target, "agents/"))
    if (isInTree(to, key) && !(await source.get(key))) paths.push(agentFilePath(agents_root, key)!);
  if (paths.length > 0) throw onlyInMirror(paths, storeName(from));
}

/** G-1a: with a directory these objects are files of the work tree, so they are there before anything is copied. */
const isInTree = ({ kind }: StoreConfig, key: string): boolean => kind === "directory" && isAgentFileKey(key);

async function listingOf(store: Store): Promise<Listing> {
  const found = new Map<string, string>();
  for await (const { key, size, version } of everyKey(store, ""))
    if (isMoved(key)) found.set(key, `${size} ${version ?? ""}`);
  return found;
}

/** Throws if another process has written, changed or removed an object since the listing: the copy would lack it. */
async function refuseChanged(source: Store, before: Listing): Promise<void> {
  const now = await listingOf(source);
  const changed = [...now.keys(), ...before.keys()].find((key) => now.get(key) !== before.get(key));
  if (changed !== undefined) throw changedWhileCopied(changed);
}

async function copyAll(source: Store, listing: Listing, target: Store, tell: Tell): Promise<ObjectList> {
  const hashes = new Map<string, Hash>();
  await inParallel([...listing.keys()], async (key) => {
    const object = await source.get(key);
    if (!object) return;
    await copyOne(target, key, object.bytes, object.hash);
    hashes.set(key, object.hash);
    crashPoint("move:object");
    tell("copied", hashes.size, listing.size);
  });
  return { hashes, digest: digestOf(hashes) };
}

async function copyOne(target: Store, key: string, bytes: Uint8Array, hash: Hash): Promise<void> {
  if ((await target.create(key, bytes)).kind === "created") return;
  const there = await target.get(key);
  if (there?.hash === hash) return; // copied by the call that was interrupted
  if (isViewKey(key)) return await target.put(key, bytes);
  // The mirror in the work tree is behind the bucket.
  if (there && isAgentFileKey(key) && (await target.swap(key, there.hash, bytes)).kind === "swapped") return;
  throw objectDiffers(key);
}

/** Reads every object of the target. Throws if one is missing, differs or was not copied. */
async function verifyAll({ hashes, digest }: ObjectList, target: Store, tell: Tell): Promise<void> {
  const found = await hashesOf(target, (done, total) => tell("verified", done, total));
  if (digestOf(found) !== digest) {
    const wrong = [...hashes, ...found].find(([key]) => hashes.get(key) !== found.get(key));
    throw verificationFailed(wrong?.[0] ?? "?");
  }
}

async function hashesOf(store: Store, tell: (done: number, total: number) => void): Promise<Map<string, Hash>> {
  const found = new Map<string, Hash>();
  const listed: string[] = [];
  for await (const { key } of everyKey(store, "")) if (isMoved(key)) listed.push(key);
  await inParallel(listed, async (key) => {
    const object = await store.get(key);
    if (object) found.set(key, object.hash);
    tell(found.size, listed.length);
  });
  return found;
}

function digestOf(hashes: ReadonlyMap<string, Hash>): string {
  const lines = [...hashes].toSorted(([a], [b]) => compareUtf8(a, b)).map(([key, hash]) => `${hash}  ${key}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

async function inParallel(items: readonly string[], work: (item: string) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function switchSettings(folder: Folder, to: StoreConfig): Promise<void> {
  const before = Buffer.from(await configBytes(folder)).toString();
  const after = withGardenStore(before, to);
  if (after !== before) await folder.write(tree.config, [Buffer.from(after)]);
}

const setAsidePlace = (at: string): string => `${machine.movedStores}/${at.replaceAll(/[-:]|\.\d+/g, "")}`;

/** The old objects stay on disk, outside of the store, until the owner deletes them. */
async function setAside({ folders }: GardenPorts, folder: Folder, { at }: MovingMark): Promise<string> {
  const place = setAsidePlace(at);
  await folder.makeFolder(place);
  for (const [path, name] of [
    [machine.store, "store"],
    [machine.storeLog, "log"],
  ] as const)
    if ((await folder.stat(path)).kind === "folder")
      await folders.moveIntoPlace(join(folder.dir, path), join(folder.dir, place, name));
  return `${folder.dir}/${place}`;
}
