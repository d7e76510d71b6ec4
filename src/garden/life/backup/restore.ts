import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { type BackupManifest, backupEntry, backupNames } from "../../../domain/backup-format.ts";
import { MAX_CONFIG_BYTES, readGardenConfig } from "../../../domain/config/garden-config.ts";
import { withGardenStore } from "../../../domain/config/garden-config-text.ts";
import { repoPathProblem } from "../../../domain/git/git-names.ts";
import { agentFileKey, agentFilePath, machine, tree } from "../../../domain/layout.ts";
import type { Folder } from "../../../ports/folder.ts";
import { type GardenPorts, prepareMachineFolder } from "../../core/garden.ts";
import { siblingFolder } from "../../core/sibling-folder.ts";
import type { ArchiveEntry, Bytes } from "./archive.ts";
import { damagedBackup, readBackup, type VerifiedBackup, verifyBackup } from "./verify-backup.ts";

const SMALL_BYTES = 1024 * 1024;
const AT_ONCE = 16;

export interface Restored extends Pick<VerifiedBackup, "manifest"> {
  readonly dir: string;
}

/**
 * Restores a garden from a backup into a missing or empty folder. The file is read twice: first every hash is verified, then the garden
 * is built in a sibling folder, which is renamed at the end. After a crash the target is complete or untouched.
 */
export async function restoreBackup(ground: GardenPorts, file: string, dir: string): Promise<Restored> {
  const source = ground.folders.at(dirname(file));
  const name = basename(file);
  if ((await source.stat(name)).kind !== "file") throw noBackup(file);
  const target = await ground.folders.at(dir).stat("");
  if (target.kind !== "missing" && (target.kind !== "folder" || (await ground.folders.at(dir).names("")).length > 0)) {
    throw targetTaken(dir);
  }
  const backup = await verifyBackup(source.stream(name));
  const aside = await siblingFolder(ground, dir, "restoring");
  try {
    await aside.makeFolder("", "private");
    await unpack(source.stream(name), backup, aside);
    crashPoint("restore:unpacked");
    await assemble(ground, backup, aside);
    crashPoint("restore:assembled");
    await ground.folders.moveIntoPlace(join(aside.dir, "garden"), dir);
  } finally {
    await aside.removeAll("");
  }
  return { dir, manifest: backup.manifest };
}

/** Writes every entry to `parts/`, and verifies its hash again: the file may have changed since. */
async function unpack(archive: AsyncIterable<Uint8Array>, backup: VerifiedBackup, aside: Folder): Promise<void> {
  const writing = new Set<Promise<void>>();
  let position = 0;
  try {
    await readBackup(archive, async (entry) => {
      const expected = backup.entries.get(entry.name);
      if (expected?.position !== position++) return; // a later entry of this name replaces it
      if (entry.size > SMALL_BYTES) return writeChecked(entry, entry.bytes, expected.hash, aside);
      // Each file is synced to disk: sixteen in parallel take hardly longer than one.
      const bytes = await wholeOf(entry);
      if (writing.size >= AT_ONCE) await Promise.race(writing);
      const work = writeChecked(entry, bytes, expected.hash, aside);
      writing.add(work);
      work.then(
        () => writing.delete(work),
        () => undefined, // stays in the set, where the next race or the end finds it
      );
    });
  } finally {
    await Promise.allSettled(writing); // no write may be open when the folder is removed
  }
  await Promise.all(writing);
}

async function wholeOf(entry: ArchiveEntry): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.bytes) chunks.push(chunk);
  return chunks;
}

async function writeChecked(entry: ArchiveEntry, bytes: Bytes, expected: string, aside: Folder): Promise<void> {
  const hash = createHash("sha256");
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest("hex") !== expected) throw damagedBackup(entry.name);
  };
  await aside.write(`parts/${entry.name}`, hashed(), entry.executable ? "executable" : undefined);
}

/** Assembles the garden: the repository, then uncommitted files, then the store. */
async function assemble(ground: GardenPorts, { manifest, entries }: VerifiedBackup, aside: Folder): Promise<void> {
  await aside.makeFolder("garden");
  const garden = ground.folders.at(join(aside.dir, "garden"));
  await prepareMachineFolder(garden);
  await ground.repos.unbundle(garden.dir, join(aside.dir, "parts", backupNames.bundle));
  await expectRefs(ground, garden.dir, manifest);
  for (const name of entries.keys()) {
    const entry = backupEntry(name);
    if (entry?.kind !== "file") continue;
    const part = `parts/${name}`;
    const sight = await aside.stat(part);
    const executable = sight.kind === "file" && sight.executable;
    await garden.write(entry.path, aside.stream(part), executable ? "executable" : undefined);
  }
  for (const path of manifest.deleted) {
    if (repoPathProblem(path) !== undefined) throw damagedBackup(backupNames.manifest);
    await garden.removeFile(path);
  }
  await restoreAsDirectory(garden, aside);
  if ((await aside.stat("parts/store")).kind === "folder") {
    await ground.folders.moveIntoPlace(join(aside.dir, "parts", "store"), join(garden.dir, machine.store));
  }
}

/**
 * A garden whose objects were in a bucket is restored with its objects in its own folder: the bucket may still be in use. The files of
 * agents are objects of the bucket, and files of the work tree here (G-1a): those that only the work tree had were without effect, and
 * are removed.
 */
async function restoreAsDirectory(garden: Folder, aside: Folder): Promise<void> {
  const config = readGardenConfig((await garden.read(tree.config, MAX_CONFIG_BYTES)) ?? new Uint8Array());
  if (config.kind !== "value" || config.value.store.kind === "directory") return;
  const text = Buffer.from((await garden.read(tree.config, MAX_CONFIG_BYTES))!).toString();
  await garden.write(tree.config, [Buffer.from(withGardenStore(text, { kind: "directory" }))]);
  const root = config.value.agents_root;
  const parts = new Map<string, string>();
  for await (const { path, sight } of aside.walk("parts/store/agents")) {
    const file = agentFilePath(root, path.slice("parts/store/".length));
    if (sight.kind === "file" && file !== undefined) parts.set(file, path);
  }
  await removeOtherAgentFiles(garden, root, parts);
  for (const [file, part] of parts) await garden.write(file, aside.stream(part));
}

/** Removes files of agents except the known ones, and folders that are then empty. Links have no effect in a store, and stay. */
async function removeOtherAgentFiles(garden: Folder, root: string, known: ReadonlyMap<string, unknown>): Promise<void> {
  if ((await garden.stat(root)).kind !== "folder") return;
  const other: string[] = [];
  for await (const { path, sight } of garden.walk(root))
    if (sight.kind === "file" && agentFileKey(root, path) !== undefined && !known.has(path)) other.push(path);
  for (const path of other) {
    await garden.removeFile(path);
    for (let folder = dirname(path); folder !== root && (await garden.removeEmpty(folder)); ) folder = dirname(folder);
  }
}

/** The refs must match the manifest: a replaced bundle has valid hashes and the wrong history. */
async function expectRefs(ground: GardenPorts, dir: string, manifest: BackupManifest): Promise<void> {
  const repo = await ground.repos.open(dir);
  try {
    const found = new Map((await repo.refs("refs/")).map(({ name, oid }) => [name, oid]));
    const wrong = Object.entries(manifest.refs).find(([name, oid]) => found.get(name) !== oid);
    if (wrong) throw damagedBackup(`${backupNames.bundle} (${wrong[0]})`);
  } finally {
    await repo.close();
  }
}

const noBackup = (file: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no file ${file}`,
    uk: `немає файлу ${file}`,
    hint: { en: "Give the file of a backup.", uk: "Вкажіть файл резервної копії." },
  });

const targetTaken = (dir: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${dir} is not an empty folder`,
    uk: `${dir} — не порожня тека`,
    hint: {
      en: "Name a folder that does not exist yet: `bloom restore FILE DIR`.",
      uk: "Вкажіть теку, якої ще немає: `bloom restore ФАЙЛ ТЕКА`.",
    },
  });
