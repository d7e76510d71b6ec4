import { assert } from "../../base/assert.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { newerFormat } from "../../domain/config/failures.ts";
import { FORMAT_VERSION, formatVersionOf, MAX_CONFIG_BYTES } from "../../domain/config/garden-config.ts";
import { withGardenValue } from "../../domain/config/garden-config-text.ts";
import { MAIN_BRANCH, MAIN_REF, machine, tree } from "../../domain/layout.ts";
import { parseYaml } from "../../domain/text/checked-yaml.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Store } from "../../ports/store.ts";
import { type GardenPorts, noGarden, personSignature, prepareMachineFolder } from "../core/garden.ts";
import { gitBusy } from "../core/git-busy.ts";
import { backUp } from "./backup/backup.ts";

/** Converts the files of a garden from one format to the next. All migrations together are one commit. */
export interface Migration {
  readonly from: number;
  readonly what: Text;
  migrate(files: GardenFiles): Promise<void>;
}

/** The files of `main` with the changes so far: later migrations see what earlier ones wrote. */
export interface GardenFiles {
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): void;
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
];

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
 * one. If the work tree was not updated before a crash, opening the repository does it.
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
  try {
    const text = Buffer.from((await folder.read(tree.config, MAX_CONFIG_BYTES)) ?? []).toString();
    const from = formatVersionOf(text);
    if (from === undefined) throw unreadable();
    if (from > target) throw newerFormat("garden", from);
    if (from === target) return { kind: "current", version: from };
    await refuseUncommitted(ground, repo, dir);
    const files = await filesOfMain(repo);
    const steps = stepsBetween(table, from, target);
    for (const step of steps) await step.migrate(files);
    const backup = await backUpFirst(ground, dir, repo, text);
    crashPoint("upgrade:backed-up");
    const commit = await commitAll(ground, dir, repo, files, `Upgrade the garden to format ${target}`);
    return { kind: "upgraded", from, to: target, steps: steps.map(({ what }) => what), backup, commit };
  } finally {
    await repo.close();
  }
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
  readonly written: ReadonlyMap<string, string>;
}

async function filesOfMain(repo: Repo): Promise<ChangedFiles> {
  const head = await repo.resolve(MAIN_REF);
  assert(head, "a garden has a first commit");
  const written = new Map<string, string>();
  return {
    head,
    written,
    async read(path) {
      const fresh = written.get(path);
      if (fresh !== undefined) return fresh;
      const file = await repo.read(head, path);
      return file && Buffer.from(file.bytes).toString();
    },
    write: (path, text) => void written.set(path, text),
    list: async (folder) => (await repo.list(head, folder)).map(({ path }) => path),
  };
}

async function backUpFirst(ground: GardenPorts, dir: string, repo: Repo, config: string): Promise<string> {
  const parsed = parseYaml(config);
  const named = parsed.kind === "parsed" ? (parsed.value as { name?: unknown }).name : undefined;
  const name = typeof named === "string" ? named : "garden";
  const folder = ground.folders.at(dir);
  let store: Store | undefined;
  try {
    store = await ground.openStore(dir, { kind: "directory" });
    const into = ground.folders.at(`${dir}/${machine.backups}`);
    return (await backUp({ folder, repo, store, world: ground.world }, name, into)).file;
  } finally {
    await store?.close();
  }
}

async function commitAll(
  ground: GardenPorts,
  dir: string,
  repo: Repo,
  files: ChangedFiles,
  message: string,
): Promise<string> {
  const signature = await personSignature({ repos: ground.repos, dir, world: ground.world });
  const edits = [...files.written].map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
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

const unreadable = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${tree.config} cannot be read`,
    uk: `${tree.config} не читається`,
    hint: { en: "`bloom verify` tells what is wrong with it.", uk: "`bloom verify` покаже, що з ним не так." },
  });
