import { isAbsolute, relative, sep } from "node:path";
import { Failure } from "../../../base/failure.ts";
import {
  BACKUP_VERSION,
  type BackupManifest,
  backupEntry,
  backupFileName,
  backupNames,
  storeEntry,
  sumsText,
} from "../../../domain/backup-format.ts";
import { AUTHORITY_REFS, agentFilePath, isAgentFileKey, MAIN_REF, machine } from "../../../domain/layout.ts";
import type { Folder } from "../../../ports/folder.ts";
import type { RefEntry } from "../../../ports/repo.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { type AddEntry, packArchive } from "./archive.ts";

const MAX_ROUNDS = 5;
const IN_MEMORY_BYTES = 8 * 1024 * 1024;

export interface BackedUp {
  readonly file: string;
  readonly manifest: BackupManifest;
}

/** Without `config` (a garden of format 1) the files of agents are objects of the store like any other. */
export type GardenToBackUp = Pick<Garden, "folder" | "repo" | "store" | "world"> & Partial<Pick<Garden, "config">>;

/** G-1a: these objects are files of the work tree, so the bundle has them, or the list of uncommitted files. */
const isInWorkTree = ({ config }: GardenToBackUp, key: string): boolean =>
  config?.store.kind === "directory" && isAgentFileKey(key);

/**
 * Writes a whole garden, git and store, as one file, without blocking writers: if the refs moved while the store was copied, changed
 * objects are copied again, until a round ends with the refs that it began with. So every commit in the backup has its records, and
 * every record its commit. Objects that were copied, and that the last round did not find, are listed as removed. Throws
 * CONCURRENT_MODIFICATION after `MAX_ROUNDS`.
 */
export async function backUp(
  garden: GardenToBackUp,
  name: string,
  into: Pick<Folder, "dir" | "write">,
  progress: (objects: number) => void = () => undefined,
): Promise<BackedUp> {
  refuseAmongNotes(garden.folder.dir, into.dir);
  const at = garden.world.now();
  const file = backupFileName(name, at);
  const random = Buffer.from(garden.world.random(8)).toString("hex");
  const bundle = `${machine.temporary}/backup-${random}.bundle`;
  let manifest: BackupManifest | undefined;
  const fill = async (add: AddEntry): Promise<void> => {
    manifest = await fillArchive(garden, { name, at, bundle, progress }, add);
  };
  try {
    await garden.folder.makeFolder(machine.temporary);
    await into.write(file, packArchive(at, fill));
  } finally {
    await garden.folder.removeFile(bundle);
  }
  return { file: `${into.dir}/${file}`, manifest: manifest! };
}

/** A backup inside the work tree would include itself. */
function refuseAmongNotes(garden: string, into: string): void {
  const path = relative(garden, into);
  if (path.split(sep)[0] === ".." || isAbsolute(path) || path.split(sep)[0] === machine.folder) return;
  throw new Failure("VALIDATION_FAILED", {
    en: `${into} is inside the garden`,
    uk: `${into} лежить усередині саду`,
    hint: { en: "Choose a folder outside of it.", uk: "Виберіть теку поза ним." },
  });
}

interface Task {
  readonly name: string;
  readonly at: number;
  /** Path of the temporary bundle in the garden. */
  readonly bundle: string;
  readonly progress: (objects: number) => void;
}

async function fillArchive(garden: GardenToBackUp, task: Task, add: AddEntry): Promise<BackupManifest> {
  const sums = new Map<string, string>();
  const left: string[] = [];
  const counts = { objects: 0, files: 0, bytes: 0 };
  const copy = await copyStore(garden, task, add, sums, left);
  counts.objects = copy.objects;
  counts.bytes = copy.bytes;
  sums.set(backupNames.bundle, await addFile(garden.folder, task.bundle, backupNames.bundle, add));
  const deleted: string[] = [];
  for (const { path, kind } of await garden.repo.uncommitted()) {
    const name = `worktree/${path}`;
    const sight = kind === "other" ? { kind } : await garden.folder.stat(path);
    if (kind === "deleted" || sight.kind === "missing") deleted.push(path);
    else if (sight.kind !== "file" || !backupEntry(name)) left.push(path);
    else {
      sums.set(name, await addFile(garden.folder, path, name, add));
      counts.files++;
    }
  }
  for (const path of await ignoredAgentFiles(garden, new Set(sums.keys()))) {
    sums.set(`worktree/${path}`, await addFile(garden.folder, path, `worktree/${path}`, add));
    counts.files++;
  }
  const manifest: BackupManifest = {
    format: "garden-bloom-backup",
    version: BACKUP_VERSION,
    name: task.name,
    made_at: new Date(task.at).toISOString(),
    refs: Object.fromEntries(copy.refs.map(({ name, oid }) => [name, oid])),
    counts,
    deleted,
    removed: copy.removed,
    left,
  };
  const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
  sums.set(backupNames.manifest, await add({ name: backupNames.manifest, size: text.length, bytes: [text] }));
  const list = Buffer.from(sumsText(sums));
  await add({ name: backupNames.sums, size: list.length, bytes: [list] });
  return manifest;
}

/** Files of agents that neither main has as they are nor git reports: an ignore file names them. */
async function ignoredAgentFiles(garden: GardenToBackUp, known: ReadonlySet<string>): Promise<string[]> {
  const head = await garden.repo.resolve(MAIN_REF);
  const found: string[] = [];
  for await (const { key } of everyKey(garden.store, "agents/")) {
    const path = isInWorkTree(garden, key) ? agentFilePath(garden.config!.agents_root, key) : undefined;
    if (path === undefined || known.has(`worktree/${path}`) || !backupEntry(`worktree/${path}`)) continue;
    const committed = head === undefined ? undefined : (await garden.repo.read(head, path))?.oid;
    const stored = await garden.store.get(key);
    if (stored && committed === undefined) found.push(path);
  }
  return found;
}

/** Copies objects until a round ends with the refs that it began with, which are also those of the bundle. */
async function copyStore(
  garden: GardenToBackUp,
  task: Task,
  add: AddEntry,
  sums: Map<string, string>,
  left: string[],
): Promise<{ objects: number; bytes: number; removed: string[]; refs: readonly RefEntry[] }> {
  const copied = new Map<string, { hash: string; size: number }>();
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const before = await refsOfBundle(garden);
    const seen = new Set<string>();
    for await (const { key } of everyKey(garden.store, "")) {
      const object = isInWorkTree(garden, key) ? undefined : await garden.store.get(key);
      if (object) seen.add(key);
      if (!object || copied.get(key)?.hash === object.hash) continue;
      const name = storeEntry(key);
      if (backupEntry(name)) {
        sums.set(name, await add({ name, size: object.bytes.length, bytes: [object.bytes] }));
        copied.set(key, { hash: object.hash, size: object.bytes.length });
        task.progress(copied.size);
      } else if (round === 1) left.push(name);
    }
    const bundled = await garden.repo.bundle(`${garden.folder.dir}/${task.bundle}`);
    const after = await refsOfBundle(garden);
    if (sameRefs(before, after) && sameRefs(after, bundled)) {
      const removed = [...copied.keys()].filter((key) => !seen.has(key));
      for (const key of removed) copied.delete(key);
      const bytes = [...copied.values()].reduce((sum, { size }) => sum + size, 0);
      return { objects: copied.size, bytes, removed, refs: after };
    }
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `the garden kept changing while it was copied (${MAX_ROUNDS} attempts); no backup was written`,
    uk: `сад змінювався, поки його копіювали (спроб: ${MAX_ROUNDS}); резервну копію не записано`,
    hint: { en: "Try again when fewer changes happen.", uk: "Повторіть, коли стане спокійніше." },
  });
}

/** The refs that `bundle` writes: with one more or less, no round would end with the refs of its bundle. */
const refsOfBundle = async ({ repo }: GardenToBackUp): Promise<readonly RefEntry[]> =>
  (await repo.refs("refs/")).filter(({ name }) => !name.startsWith(AUTHORITY_REFS));

/**
 * A tar entry starts with its size, and a file of the work tree may change while it is read: small files are read into memory, large
 * ones are copied to a temporary file first.
 */
async function addFile(folder: Folder, path: string, name: string, add: AddEntry): Promise<string> {
  const sight = await folder.stat(path);
  const executable = sight.kind === "file" && sight.executable;
  if (sight.kind === "file" && sight.size <= IN_MEMORY_BYTES) {
    const bytes = await folder.read(path, 2 * IN_MEMORY_BYTES);
    if (bytes) return add({ name, size: bytes.length, bytes: [bytes], executable });
  }
  if (path.startsWith(`${machine.temporary}/`)) return add({ name, size: sizeOf(sight), bytes: folder.stream(path) });
  const aside = `${machine.temporary}/copy-${Buffer.from(path).toString("hex").slice(-40)}`;
  try {
    await folder.write(aside, folder.stream(path));
    return await add({ name, size: sizeOf(await folder.stat(aside)), bytes: folder.stream(aside), executable });
  } finally {
    await folder.removeFile(aside);
  }
}

const sizeOf = (sight: Awaited<ReturnType<Folder["stat"]>>): number => (sight.kind === "file" ? sight.size : 0);

const sameRefs = (a: readonly RefEntry[], b: readonly RefEntry[]): boolean => {
  const values = new Map(a.map(({ name, oid }) => [name, oid]));
  return a.length === b.length && b.every(({ name, oid }) => values.get(name) === oid);
};
