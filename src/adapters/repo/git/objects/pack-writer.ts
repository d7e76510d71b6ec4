import { mkdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { repoCrashPoint } from "../crash-points.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { writeFileSynced } from "../disk/write-synced.ts";
import type { NewObject } from "./object-writer.ts";
import { packOf } from "./pack-file.ts";

let counter = 0;

/**
 * Writes objects as one pack: two files to sync, however many objects there are. The rename of the index makes all of them
 * visible at once; git ignores a pack without an index, and `gc` removes it like `tmp_` files.
 */
export async function writePack(
  objectsFolder: string,
  objects: readonly NewObject[],
  syncFolder: FolderSync,
): Promise<void> {
  const folder = join(objectsFolder, "pack");
  const { name, pack, index } = await packOf(objects);
  const number = `${process.pid}_${counter++}`;
  const files = [
    { temporary: join(folder, `tmp_pack_bloom_${number}`), path: join(folder, `pack-${name}.pack`), bytes: pack },
    { temporary: join(folder, `tmp_idx_bloom_${number}`), path: join(folder, `pack-${name}.idx`), bytes: index },
  ];
  try {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error; // not recursive: a deleted repository stays deleted
    });
    await Promise.all(files.map(({ temporary, bytes }) => writeNew(temporary, bytes)));
    repoCrashPoint("repo.move.before-pack");
    for (const { temporary, path } of files) {
      await rename(temporary, path);
      repoCrashPoint("repo.move.pack-named");
    }
    await syncFolder(folder);
    repoCrashPoint("repo.move.packed");
  } catch (error) {
    await Promise.all(files.map(({ temporary }) => unlink(temporary).catch(() => undefined)));
    throw error;
  }
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  await unlink(path).catch(() => undefined); // left by a dead process with our pid
  await writeFileSynced(path, bytes, { flags: "wx", mode: 0o444 });
}
