import { asFailure, Failure, isFailure } from "../../base/failure.ts";
import type { World } from "../../base/world.ts";
import { expectConfig } from "../../domain/config/failures.ts";
import {
  type ConfigReading,
  type GardenConfig,
  readGardenConfig,
  secretVariables,
} from "../../domain/config/garden-config.ts";
import { isSameStore, type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { keys, machine, tree } from "../../domain/layout.ts";
import type { Folder, Folders } from "../../ports/folder.ts";
import type { Repo, Signature } from "../../ports/repo.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Store } from "../../ports/store.ts";
import { tryReadJson } from "./json-record.ts";
import { configBytes, type LiveSettings, liveSettings } from "./live-settings.ts";
import { type Meter, newMeter } from "./meter.ts";
import {
  emptyPlace,
  MAX_MARK_BYTES,
  type MovedToMark,
  movedAway,
  movedToMark,
  moveInterrupted,
  movingMark,
} from "./moving-mark.ts";
import { newSignals, type Signals } from "./signals.ts";

/** The ports that a garden is opened with, the clock and randomness. */
export interface GardenPorts {
  readonly folders: Folders;
  readonly repos: Repos;
  readonly world: World;
  openStore(dir: string, settings: StoreSettings): Promise<Store>;
  /** Reads an environment variable that the settings name as a secret. */
  readonly secretOf?: (variable: string) => string | undefined;
  /** The user's folder for what this machine keeps beside its gardens; undefined if there is none. */
  readonly state?: () => Promise<Folder | undefined>;
  /** The signing key that the environment names; undefined if it names none. Throws if it names a file that cannot be read. */
  readonly sharedKey?: () => Promise<Uint8Array | undefined>;
}

/** The settings that decide where the objects are. Without `agents_root` (format 1) the files of agents are in the store's folder. */
export type StoreSettings = Pick<GardenConfig, "store"> & Partial<Pick<GardenConfig, "agents_root">>;

/** An open garden: a record of ports. The verbs are functions beside it. */
export interface Garden {
  readonly dir: string;
  /** The settings in force: those of `garden.yaml`, also after it was changed. A copy of this record keeps the ones of its time. */
  readonly config: GardenConfig;
  readonly settings: LiveSettings;
  readonly folder: Folder;
  readonly repo: Repo;
  readonly repos: Repos;
  readonly store: Store;
  readonly world: World;
  readonly signals: Signals;
  /** Counters of this process. */
  readonly meter: Meter;
  /** Values of the secrets that the settings name: never written, never shown (S-6). */
  readonly secrets: () => readonly string[];
  /** The signing key that all gateways of the garden share, if the environment names one. */
  readonly sharedKey?: (() => Promise<Uint8Array | undefined>) | undefined;
}

/** A garden that may be damaged: each part, or the failure of opening it. */
export interface FoundGarden extends Pick<Garden, "dir" | "folder" | "repos" | "world"> {
  readonly config: ConfigReading;
  readonly repo: GardenPart<Repo>;
  readonly store: GardenPart<Store>;
}

export type GardenPart<T> =
  | { readonly kind: "open"; readonly value: T }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Opens a garden of the current format. The caller closes it. */
export async function openGarden(ground: GardenPorts, dir: string): Promise<Garden> {
  const folder = ground.folders.at(dir);
  const config = expectConfig(await readConfig(folder));
  const settings = liveSettings(folder, config, await configBytes(folder));
  if ((await folder.stat(machine.making)).kind !== "missing") throw initInterrupted(dir);
  await refuseHalfMoved(folder, config.store);
  await refuseLinkedWorkTree(ground, dir);
  // On read-only media the garden can still be read: the store says so, and refuses writes.
  await prepareMachineFolder(folder).catch((error: unknown) => {
    if (!isFailure(error, "FORBIDDEN")) throw error;
  });
  const repo = await ground.repos.open(dir, config.repo);
  try {
    const store = await openShared(ground, dir, config);
    return {
      dir,
      get config() {
        return settings.current;
      },
      settings,
      folder,
      repo,
      store,
      repos: ground.repos,
      world: ground.world,
      signals: newSignals(),
      meter: newMeter(),
      sharedKey: ground.sharedKey,
      secrets: () => variablesOf(settings.current).flatMap((variable) => ground.secretOf?.(variable) || []),
    };
  } catch (error) {
    await repo.close();
    throw error;
  }
}

/** `secretVariables` of the settings in force: every step of a run asks for them. */
function variablesOf(config: GardenConfig): readonly string[] {
  const there = knownVariables.get(config) ?? secretVariables(config);
  knownVariables.set(config, there);
  return there;
}
const knownVariables = new WeakMap<GardenConfig, readonly string[]>();

export async function closeGarden(garden: Pick<Garden, "store" | "repo">): Promise<void> {
  try {
    await garden.store.close();
  } finally {
    await garden.repo.close();
  }
}

/** Opens the parts that can be opened. Throws only if there is no garden at all. */
export async function findGarden(ground: GardenPorts, dir: string): Promise<FoundGarden> {
  const folder = ground.folders.at(dir);
  const config = await readConfig(folder);
  await refuseLinkedWorkTree(ground, dir);
  const settings: StoreSettings = config.kind === "value" ? config.value : storeOfFormat(config);
  await prepareMachineFolder(folder).catch(() => undefined); // a read-only folder can still be inspected
  return {
    dir,
    folder,
    config,
    repos: ground.repos,
    world: ground.world,
    repo: await attempt(() => ground.repos.open(dir, config.kind === "value" ? config.value.repo : undefined)),
    store: await attempt(async () => {
      await refuseHalfMoved(folder, settings.store);
      return await openShared(ground, dir, settings);
    }),
  };
}

export async function closeFound(found: FoundGarden): Promise<void> {
  try {
    if (found.store.kind === "open") await found.store.value.close();
  } finally {
    if (found.repo.kind === "open") await found.repo.value.close();
  }
}

/** Fallback for a garden whose settings cannot be read: before format 2 the files of agents were in the store's folder. */
const storeOfFormat = (config: ConfigReading): StoreSettings => ({
  store: { kind: "directory" },
  ...(config.kind !== "older" && { agents_root: tree.agents }),
});

/** Creates `.bloom/`, private to the owner and ignored by git, if it is missing (a clone of a garden has none). */
export async function prepareMachineFolder(folder: Folder): Promise<"made" | "there"> {
  const made = await folder.makeFolder(machine.folder, "private");
  if ((await folder.stat(machine.ignore)).kind === "missing") await folder.create(machine.ignore, Buffer.from("*\n"));
  return made;
}

export async function readConfig(folder: Folder): Promise<ConfigReading> {
  if ((await folder.stat(tree.config)).kind === "missing") throw noGarden(folder.dir);
  return readGardenConfig(await configBytes(folder));
}

/** Throws in a linked work tree: a second store beside that of the garden would know nothing of it. */
export async function refuseLinkedWorkTree({ repos }: Pick<GardenPorts, "repos">, dir: string): Promise<void> {
  const main = await repos.mainWorkTree(dir);
  if (main !== undefined) throw linkedWorkTree(dir, main);
}

/** The signature of the person's commits: git's user, else `owner`. */
export async function personSignature(garden: Pick<Garden, "repos" | "dir" | "world">): Promise<Signature> {
  const known = await garden.repos.person(garden.dir);
  return { ...(known ?? { name: "owner", email: "owner@garden.invalid" }), at: garden.world.now() };
}

/** Throws if `bloom move` was interrupted: the objects may be partly here and partly there. */
async function refuseHalfMoved(folder: Folder, store: StoreConfig): Promise<void> {
  const mark = tryReadJson(await folder.read(machine.moving, MAX_MARK_BYTES), movingMark);
  if (mark) throw moveInterrupted(storeName(mark.to), isSameStore(store, mark.to));
}

/** Throws if the garden of this bucket was moved elsewhere by another machine. */
export async function refuseMovedAway(store: Store): Promise<void> {
  const mark = await leftMark(store);
  if (mark) throw movedAway(mark);
}

/** The mark that a move has left in a bucket; undefined if the garden is there. */
export const leftMark = async (store: Store): Promise<MovedToMark | undefined> =>
  tryReadJson((await store.get(keys.movedTo))?.bytes, movedToMark);

/** Opens the bucket of a garden. Throws if the garden was moved elsewhere, or if there is none at this place. */
async function openShared(ground: GardenPorts, dir: string, config: StoreSettings): Promise<Store> {
  const store = await ground.openStore(dir, config);
  if (config.store.kind === "directory") return store;
  try {
    await refuseMovedAway(store);
    if ((await store.list("", { limit: 1 })).entries.length === 0) throw emptyPlace(storeName(config.store));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const attempt = async <T>(open: () => Promise<T>): Promise<GardenPart<T>> => {
  try {
    return { kind: "open", value: await open() };
  } catch (error) {
    return { kind: "failed", failure: asFailure(error) };
  }
};

export const noGarden = (dir: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no garden in ${dir}`,
    uk: `у ${dir} немає саду`,
    hint: {
      en: "Make one with `bloom init`, or name its folder with `--garden DIR`.",
      uk: "Створіть його командою `bloom init` або вкажіть теку саду: `--garden ТЕКА`.",
    },
    details: { dir },
  });

const linkedWorkTree = (dir: string, main: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${dir} is a linked git work tree; its garden is in ${main}`,
    uk: `${dir} — долучене робоче дерево git; його сад — у ${main}`,
    hint: {
      en: `Run bloom in ${main}, or add \`--garden ${main}\`.`,
      uk: `Запустіть bloom у ${main} або додайте \`--garden ${main}\`.`,
    },
    details: { dir, main },
  });

const initInterrupted = (dir: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: "making this garden was interrupted",
    uk: "створення цього саду було перервано",
    hint: {
      en: `Run \`bloom init\` again in ${dir}: it completes what it began.`,
      uk: `Виконайте \`bloom init\` ще раз у ${dir}: він завершить почате.`,
    },
    details: { dir },
  });
