import { type FileHandle, mkdir, open, readFile, rename, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync, inflateSync } from "node:zlib";
import type { World } from "../../../../base/world.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { passing } from "../crash-points.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { inGroups } from "../disk/in-batches.ts";
import { type ObjectType, objectHeader, objectId } from "./object-format.ts";

export interface NewObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

export const newObject = (type: ObjectType, bytes: Uint8Array): NewObject => ({
  oid: objectId(type, bytes),
  type,
  bytes,
});

/**
 * Writes loose objects as git does. When `write` answers, all of them are whole on disk, also after a power cut. Each
 * gets its name after those before it in the list, so a process that dies in it leaves no object that names a missing
 * one (list blobs, then trees, then the commit).
 */
export interface ObjectWriter {
  write(objects: readonly NewObject[]): Promise<void>;
}

const FAST = { level: 1 };
const SMALL = 32 * 1024;
/** Files open at one time. */
const AT_ONCE = 64;
const deflateLarge = promisify(deflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const MAX_REWRITES = 5;
const MAX_REMEMBERED = 50_000;

export function objectWriter(objectsFolder: string, world: World, syncFolder: FolderSync): ObjectWriter {
  /** Written or found whole and synced by this process; and being so right now. */
  const durable = new Set<Oid>();
  const onTheWay = new Map<Oid, Promise<void>>();
  let temporaries = 0;

  const folderOf = (oid: Oid): string => join(objectsFolder, oid.slice(0, 2));
  const pathOf = (oid: Oid): string => join(folderOf(oid), oid.slice(2));

  /** The temporary file of an object, synced; undefined if the object is there already, whole. */
  async function prepare(object: NewObject): Promise<string | undefined> {
    if (await standing(object)) return undefined;
    const whole = Buffer.concat([objectHeader(object.type, object.bytes.length), object.bytes]);
    const stored = whole.length <= SMALL ? deflateSync(whole, FAST) : await deflateLarge(whole, FAST);
    const { handle, path } = await temporaryFile(folderOf(object.oid));
    try {
      await handle.writeFile(stored);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return path;
  }

  /**
   * An object that exists is freshened, so that a prune running now does not take it, and synced, because whoever wrote
   * it may not have done so. A file that a power cut left empty or torn does not count as existing.
   */
  async function standing(object: NewObject): Promise<boolean> {
    const path = pathOf(object.oid);
    try {
      const now = world.now() / 1000;
      if (durable.has(object.oid)) {
        await utimes(path, now, now);
        return true;
      }
      if (!holds(await readFile(path), object)) return false;
      await utimes(path, now, now);
      const handle = await open(path, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      return true;
    } catch {
      return false; // not there, packed away, or not ours to touch: a fresh copy does no harm
    }
  }

  async function temporaryFile(folder: string): Promise<{ handle: FileHandle; path: string }> {
    for (;;) {
      // `tmp_obj_` is git's own prefix: what a crash leaves behind, `git prune` removes.
      const path = join(folder, `tmp_obj_bloom_${process.pid}_${temporaries++}`);
      try {
        return { handle: await open(path, "wx", 0o444), path };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EEXIST") continue;
        if (code !== "ENOENT") throw error;
        await mkdir(folder).catch((reason: NodeJS.ErrnoException) => {
          if (reason.code !== "EEXIST") throw reason; // no parents: a repository that was deleted is not made again
        });
        await syncFolder(objectsFolder);
      }
    }
  }

  async function writeNew(objects: readonly NewObject[]): Promise<void> {
    passing("repo.build.before-objects");
    const paths: (string | undefined)[] = [];
    try {
      await inGroups([...objects.keys()], AT_ONCE, async (index) => {
        paths[index] = await prepare(objects[index]!);
      });
    } catch (error) {
      await Promise.all(paths.filter((path) => path !== undefined).map((path) => unlink(path).catch(() => undefined)));
      throw error;
    }
    passing("repo.build.before-rename");
    for (const [index, { oid }] of objects.entries()) {
      if (index === objects.length - 1) passing("repo.build.between-renames");
      if (paths[index]) await rename(paths[index], pathOf(oid));
    }
    passing("repo.build.before-folder-sync");
    await inGroups([...new Set(objects.map(({ oid }) => folderOf(oid)))], AT_ONCE, syncFolder);
    for (const { oid } of objects) {
      if (durable.size >= MAX_REMEMBERED) durable.clear();
      durable.add(oid);
    }
  }

  /**
   * A person's `git gc` packs loose objects away and removes their folder when it is empty, perhaps between our rename and
   * our sync of that folder. Then they are written again: what gc packed may not be synced.
   */
  async function writeUntilThere(objects: readonly NewObject[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await writeNew(objects);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === MAX_REWRITES) throw error;
      }
    }
  }

  return {
    async write(objects) {
      const others: Promise<void>[] = [];
      const mine = new Map<Oid, NewObject>();
      for (const object of objects) {
        const other = onTheWay.get(object.oid);
        if (other) others.push(other);
        else mine.set(object.oid, object);
      }
      const writing = writeUntilThere([...mine.values()]).catch((error: unknown) => {
        throw diskFailure(error);
      });
      for (const oid of mine.keys()) onTheWay.set(oid, writing);
      try {
        await Promise.all([writing, ...others]);
      } finally {
        for (const oid of mine.keys()) onTheWay.delete(oid);
      }
    },
  };
}

function holds(stored: Buffer, object: NewObject): boolean {
  try {
    const whole = inflateSync(stored);
    const header = objectHeader(object.type, object.bytes.length);
    return whole.subarray(0, header.length).equals(header) && whole.subarray(header.length).equals(object.bytes);
  } catch {
    return false;
  }
}
