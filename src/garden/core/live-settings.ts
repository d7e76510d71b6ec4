import { asFailure, Failure } from "../../base/failure.ts";
import { expectConfig } from "../../domain/config/failures.ts";
import { type GardenConfig, MAX_CONFIG_BYTES, readGardenConfig } from "../../domain/config/garden-config.ts";
import { isSameStore } from "../../domain/config/store-config.ts";
import { tree } from "../../domain/layout.ts";
import type { Folder } from "../../ports/folder.ts";

/** The settings of an open garden. They follow `garden.yaml`, whoever changes it, without a restart (G-7). */
export interface LiveSettings {
  /** The last valid content of the file. The same object until the file changes. */
  readonly current: GardenConfig;
  /** Why the present file is refused; `current` is from before. */
  readonly trouble: Failure | undefined;
  /** The bytes of the file at the last reading; undefined if it is missing or unreadable. */
  readonly seen: Uint8Array | undefined;
  /** Reads the file again. Never throws: a file that is missing or invalid is `trouble`, and the settings stay. */
  reload(): Promise<void>;
}

export function liveSettings(folder: Folder, first: GardenConfig, bytes: Uint8Array): LiveSettings {
  let current = first;
  let trouble: Failure | undefined;
  let seen: Uint8Array | undefined = bytes;
  return {
    get current() {
      return current;
    },
    get trouble() {
      return trouble;
    },
    get seen() {
      return seen;
    },
    async reload() {
      try {
        const read = await configBytes(folder);
        if (seen && Buffer.compare(read, seen) === 0) return;
        seen = read;
        const next = expectConfig(readGardenConfig(read));
        if (next.agents_root !== first.agents_root) throw agentsMoved(first.agents_root, next.agents_root);
        if (JSON.stringify(next.repo) !== JSON.stringify(first.repo)) throw remoteChanged();
        if (!isSameStore(next.store, first.store)) throw storeMoved();
        current = next;
        trouble = undefined;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "VALIDATION_FAILED")) seen = undefined;
        trouble = asFailure(error);
      }
    },
  };
}

/** The content of `garden.yaml`. A file above the limit is read as that many zeros: its size alone is the problem. */
export async function configBytes(folder: Folder): Promise<Uint8Array> {
  const sight = await folder.stat(tree.config);
  if (sight.kind === "file" && sight.size > MAX_CONFIG_BYTES) return new Uint8Array(sight.size);
  return (await folder.read(tree.config, MAX_CONFIG_BYTES)) ?? new Uint8Array();
}

/** The store of an open garden has the files of agents in one folder: another one needs a new start. */
const agentsMoved = (from: string, to: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${tree.config} agents_root: ${to} takes effect after a restart; until then the agents are in ${from}`,
    uk: `${tree.config} agents_root: ${to} набуде чинності після перезапуску; доти агенти лежать у ${from}`,
    hint: {
      en: `Stop bloom, move the folder (\`git mv ${from} ${to}\`), and start it again.`,
      uk: `Зупиніть bloom, перенесіть теку (\`git mv ${from} ${to}\`) і запустіть його знову.`,
    },
    details: { from, to },
  });

/** The open repository follows one remote: another one needs a new start. */
const remoteChanged = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${tree.config} repo: takes effect after a restart; until then the settings from before apply`,
    uk: `${tree.config} repo: набуде чинності після перезапуску; доти діють попередні налаштування`,
    hint: { en: "Stop bloom and start it again.", uk: "Зупиніть bloom і запустіть його знову." },
    details: { setting: "repo" },
  });

/** Names of the top-level settings that differ. */
export const changedSettings = (before: GardenConfig, after: GardenConfig): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key as keyof GardenConfig]) !== JSON.stringify(after[key as keyof GardenConfig]),
  );

const storeMoved = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "`store` of garden.yaml names another place than the one that this process works with",
    uk: "`store` у garden.yaml називає інше місце, ніж те, з яким працює цей процес",
    hint: {
      en: "Restart bloom. To move a garden with its objects, stop it and use `bloom move --to …`.",
      uk: "Перезапустіть bloom. Щоб перенести сад з об'єктами, зупиніть його і виконайте `bloom move --to …`.",
    },
  });
