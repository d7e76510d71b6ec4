import { assert } from "../../base/assert.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { newerFormat } from "../../domain/config/failures.ts";
import {
  FORMAT_VERSION,
  formatVersionOf,
  MAX_CONFIG_BYTES,
  readGardenConfig,
} from "../../domain/config/garden-config.ts";
import { withGardenValue } from "../../domain/config/garden-config-text.ts";
import { MAIN_BRANCH, MAIN_REF, machine, tree } from "../../domain/layout.ts";
import { parseYaml } from "../../domain/text/checked-yaml.ts";
import type { Folder } from "../../ports/folder.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Store } from "../../ports/store.ts";
import { type GardenPorts, noGarden, personSignature, prepareMachineFolder } from "../core/garden.ts";
import { gitBusy } from "../core/git-busy.ts";
import { backUp } from "./backup/backup.ts";
import { agentFilesInStore, chooseAgentsRoot, removeMovedFiles } from "./move-agents.ts";

/** Converts the files of a garden from one format to the next. All migrations together are one commit. */
export interface Migration {
  readonly from: number;
  readonly what: Text;
  migrate(files: GardenFiles, garden: GardenToMigrate): Promise<void>;
}

/** The places that a migration may read besides the files of `main`. */
export interface GardenToMigrate {
  readonly folder: Folder;
  /** As it was before format 2: the files of agents are objects like any other. */
  readonly store: Store;
}

/** The files of `main` with the changes so far: later migrations see what earlier ones wrote. */
export interface GardenFiles {
  read(path: string): Promise<string | undefined>;
  write(path: string, content: string | Uint8Array): void;
  list(folder: string): Promise<readonly string[]>;
}

export const migrations: readonly Migration[] = [
  {
    from: 0,
    what: { en: `${tree.config} says its format`, uk: `${tree.config} називає свій формат` },
    async migrate(files) {
      const text = await files.read(tree.config);
      if (text !== undefined) files.write(tree.config, withGardenValue(text, ["version"], 1, "first"));
    },
  },
  {
    from: 1,
    what: {
      en: "the files of agents that people write are in the garden's own folder, under git (G-1a)",
      uk: "файли агентів, які пишуть люди, лежать у теці самого саду, під git (G-1a)",
    },
    async migrate(files, { folder, store }) {
      const text = (await files.read(tree.config)) ?? "";
      const agentsRoot = await chooseAgentsRoot(folder, notesRootIn(text));
      const next = withGardenValue(text, ["version"], 2, "first");
      files.write(tree.config, agentsRoot === tree.agents ? next : withGardenValue(next, ["agents_root"], agentsRoot));
      for await (const { path, bytes } of agentFilesInStore(store, agentsRoot)) files.write(path, bytes);
    },
  },
];

const notesRootIn = (config: string): string => {
  const parsed = parseYaml(config);
  const named = parsed.kind === "parsed" ? (parsed.value as { notes_root?: unknown }).notes_root : undefined;
  return typeof named === "string" ? named : tree.notes;
};

export type Upgraded =
  | { readonly kind: "current"; readonly version: number }
  | {
      readonly kind: "upgraded";
      readonly from: number;
      readonly to: number;
      readonly steps: readonly Text[];
      readonly backup: string;
      readonly commit: string;
    };

/**
 * Upgrades a garden to the current format (G-7): a backup, then all changes in one commit, so a crash leaves the old garden or the new
 * one. If the work tree was not updated before a crash, opening the repository does it. Objects that moved into the commit are removed
 * last; a repeated upgrade removes those that a crash left. No other process may work in the garden meanwhile.
 */
export async function upgradeGarden(
  ground: GardenPorts,
  dir: string,
  table: readonly Migration[] = migrations,
  target: number = FORMAT_VERSION,
): Promise<Upgraded> {
  const folder = ground.folders.at(dir);
  if ((await folder.stat(tree.config)).kind === "missing") throw noGarden(dir);
  await prepareMachineFolder(folder);
  const repo = await ground.repos.open(dir);
  const store = await ground.openStore(dir, { store: { kind: "directory" } });
  try {
    if ((await store.health()).role === "client") throw inUse();
    const text = Buffer.from((await folder.read(tree.config, MAX_CONFIG_BYTES)) ?? []).toString();
    const from = formatVersionOf(text);
    if (from === undefined) throw unreadable();
    if (from > target) throw newerFormat("garden", from);
    if (from === target) {
      if (target === FORMAT_VERSION) await removeMoved(repo, store);
      return { kind: "current", version: from };
    }
    await refuseUncommitted(ground, repo, dir);
    const files = await filesOfMain(repo);
    const steps = stepsBetween(table, from, target);
    for (const step of steps) await step.migrate(files, { folder, store });
    const backup = await backUpFirst(ground, dir, { repo, store }, text);
    crashPoint("upgrade:backed-up");
    const commit = await commitAll(ground, dir, repo, files, `Upgrade the garden to format ${target}`);
    if (target === FORMAT_VERSION) await removeMoved(repo, store);
    return { kind: "upgraded", from, to: target, steps: steps.map(({ what }) => what), backup, commit };
  } finally {
    await store.close();
    await repo.close();
  }
}

async function removeMoved(repo: Repo, store: Store): Promise<void> {
  const head = await repo.resolve(MAIN_REF);
  const config = head === undefined ? undefined : await repo.read(head, tree.config);
  const reading = config && readGardenConfig(config.bytes);
  if (head !== undefined && reading?.kind === "value" && reading.value.store.kind === "directory")
    await removeMovedFiles(store, repo, head, reading.value.agents_root);
}

function stepsBetween(table: readonly Migration[], from: number, target: number): Migration[] {
  return Array.from({ length: target - from }, (_, index) => {
    const step = table.find((migration) => migration.from === from + index);
    assert(step, `a migration from format ${from + index}`);
    return step;
  });
}

interface ChangedFiles extends GardenFiles {
  readonly head: string;
  readonly written: ReadonlyMap<string, Uint8Array>;
}

async function filesOfMain(repo: Repo): Promise<ChangedFiles> {
  const head = await repo.resolve(MAIN_REF);
  assert(head, "a garden has a first commit");
  const written = new Map<string, Uint8Array>();
  return {
    head,
    written,
    async read(path) {
      const fresh = written.get(path);
      if (fresh !== undefined) return Buffer.from(fresh).toString();
      const file = await repo.read(head, path);
      return file && Buffer.from(file.bytes).toString();
    },
    write: (path, content) => void written.set(path, typeof content === "string" ? Buffer.from(content) : content),
    list: async (folder) => (await repo.list(head, folder)).map(({ path }) => path),
  };
}

async function backUpFirst(
  ground: GardenPorts,
  dir: string,
  { repo, store }: { readonly repo: Repo; readonly store: Store },
  config: string,
): Promise<string> {
  const parsed = parseYaml(config);
  const named = parsed.kind === "parsed" ? (parsed.value as { name?: unknown }).name : undefined;
  const name = typeof named === "string" ? named : "garden";
  const folder = ground.folders.at(dir);
  const into = ground.folders.at(`${dir}/${machine.backups}`);
  return (await backUp({ folder, repo, store, world: ground.world }, name, into)).file;
}

async function commitAll(
  ground: GardenPorts,
  dir: string,
  repo: Repo,
  files: ChangedFiles,
  message: string,
): Promise<string> {
  const signature = await personSignature({ repos: ground.repos, dir, world: ground.world });
  const edits = [...files.written].map(([path, bytes]) => ({ path, bytes }));
  const commit = await repo.build({ parents: [files.head], edits, author: signature, committer: signature, message });
  crashPoint("upgrade:built");
  const moved = await repo.move([{ ref: MAIN_REF, from: files.head, to: commit }]);
  crashPoint("upgrade:moved");
  if (moved.kind === "edited") throw uncommitted(moved.paths);
  if (moved.kind === "busy") throw gitBusy(moved.why);
  if (moved.kind === "stale") {
    throw new Failure("CONCURRENT_MODIFICATION", {
      en: "main moved during the upgrade; nothing was changed",
      uk: "під час оновлення гілка main змінилася; нічого не змінено",
      hint: { en: "Run `bloom upgrade` again.", uk: "Виконайте `bloom upgrade` ще раз." },
    });
  }
  return commit;
}

/** The upgrade starts from the commit, so the work tree must not differ from it. */
async function refuseUncommitted(ground: GardenPorts, repo: Repo, dir: string): Promise<void> {
  const edited = await repo.edited([tree.config]);
  if (edited.length > 0) throw uncommitted(edited);
  const situation = await ground.repos.look(dir);
  if (situation.kind === "repository" && situation.branch === MAIN_BRANCH && !situation.underWay) return;
  throw new Failure("INVALID_TRANSITION", {
    en: `an upgrade needs ${MAIN_BRANCH} checked out and no unfinished git operation`,
    uk: `для оновлення потрібна гілка ${MAIN_BRANCH} без незавершених дій git`,
    hint: { en: `Run \`git switch ${MAIN_BRANCH}\` first.`, uk: `Спершу виконайте \`git switch ${MAIN_BRANCH}\`.` },
  });
}

const uncommitted = (paths: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `not committed yet: ${paths.join(", ")}; nothing was changed`,
    uk: `ще не закомічено: ${paths.join(", ")}; нічого не змінено`,
    hint: {
      en: "Commit these edits or undo them, then try again.",
      uk: "Закомітьте ці зміни або скасуйте їх і повторіть.",
    },
  });

const inUse = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "another bloom process works in this garden; nothing was changed",
    uk: "у цьому саду працює інший bloom; нічого не змінено",
    hint: {
      en: "Stop it (`bloom up`), then run `bloom upgrade`.",
      uk: "Зупиніть його (`bloom up`), тоді виконайте `bloom upgrade`.",
    },
  });

const unreadable = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${tree.config} cannot be read`,
    uk: `${tree.config} не читається`,
    hint: { en: "`bloom verify` tells what is wrong with it.", uk: "`bloom verify` покаже, що з ним не так." },
  });
