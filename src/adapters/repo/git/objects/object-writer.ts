import { existsSync, readFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { mkdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync, inflateSync } from "node:zlib";
import type { World } from "../../../../base/world.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { inBatches } from "../disk/in-batches.ts";
import { syncPresent, writeFileSynced } from "../disk/write-synced.ts";
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
 * Writes loose objects as git does. When `write` resolves, all of them survive a power cut. Objects are renamed into place
 * in the order of the list (blobs, trees, commit), so that a crash leaves no object that names a missing one.
 */
export interface ObjectWriter {
  write(objects: readonly NewObject[]): Promise<void>;
}

const FAST = { level: 1 };
/** For objects below a kilobyte or two: the window of 32 KB costs more to prepare than they to compress. */
const SHORT = { level: 1, windowBits: 11, memLevel: 4 };
const MAX_SHORT = 2048;
const SMALL = 32 * 1024;
const MAX_OPEN_FILES = 64;
const deflateLarge = promisify(deflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const MAX_REWRITES = 5;
const MAX_REMEMBERED = 50_000;

export const objectWriter = (objectsFolder: string, world: World, syncFolder: FolderSync): ObjectWriter =>
  new LooseObjects(objectsFolder, world, syncFolder);

class LooseObjects implements ObjectWriter {
  readonly #root: string;
  readonly #world: World;
  readonly #syncFolder: FolderSync;
  /** Objects known to be durable, and writes in flight. */
  readonly #durable = new Set<Oid>();
  readonly #inFlight = new Map<Oid, Promise<void>>();
  #temporaries = 0;

  constructor(root: string, world: World, syncFolder: FolderSync) {
    this.#root = root;
    this.#world = world;
    this.#syncFolder = syncFolder;
  }

  async write(objects: readonly NewObject[]): Promise<void> {
    const others: Promise<void>[] = [];
    const mine = new Map<Oid, NewObject>();
    for (const object of objects) {
      const other = this.#inFlight.get(object.oid);
      if (other) others.push(other);
      else mine.set(object.oid, object);
    }
    const writing = this.#writeUntilThere([...mine.values()]).catch((error: unknown) => {
      throw diskFailure(error);
    });
    for (const oid of mine.keys()) this.#inFlight.set(oid, writing);
    try {
      await Promise.all([writing, ...others]);
    } finally {
      for (const oid of mine.keys()) this.#inFlight.delete(oid);
    }
  }

  /**
   * A person's `git gc` packs loose objects and removes an emptied folder, perhaps between our rename and our sync of it.
   * The objects are then written again, because gc's pack may not be synced.
   */
  async #writeUntilThere(objects: readonly NewObject[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#writeAll(objects);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === MAX_REWRITES) throw error;
      }
    }
  }

  async #writeAll(objects: readonly NewObject[]): Promise<void> {
    repoCrashPoint("repo.build.before-objects");
    const paths: (string | undefined)[] = [];
    try {
      await inBatches([...objects.keys()], MAX_OPEN_FILES, async (index) => {
        paths[index] = await this.#prepare(objects[index]!);
      });
    } catch (error) {
      await Promise.all(paths.filter((path) => path !== undefined).map((path) => unlink(path).catch(() => undefined)));
      throw error;
    }
    repoCrashPoint("repo.build.before-rename");
    for (const [index, { oid }] of objects.entries()) {
      if (index === objects.length - 1) repoCrashPoint("repo.build.between-renames");
      if (paths[index]) renameSync(paths[index], this.#pathOf(oid));
    }
    repoCrashPoint("repo.build.before-folder-sync");
    const folders = new Set(objects.map(({ oid }) => this.#folderOf(oid)));
    await inBatches([...folders], MAX_OPEN_FILES, this.#syncFolder);
    for (const { oid } of objects) {
      if (this.#durable.size >= MAX_REMEMBERED) this.#durable.clear();
      this.#durable.add(oid);
    }
  }

  /** Returns the path of a synced temporary file; undefined if the object already exists, intact. */
  async #prepare(object: NewObject): Promise<string | undefined> {
    if (await this.#exists(object)) return undefined;
    const whole = Buffer.concat([objectHeader(object.type, object.bytes.length), object.bytes]);
    const stored =
      whole.length <= SMALL
        ? deflateSync(whole, whole.length <= MAX_SHORT ? SHORT : FAST)
        : await deflateLarge(whole, FAST);
    return this.#temporaryFile(this.#folderOf(object.oid), stored);
  }

  /**
   * Gives an existing object a new time, so that a prune running now spares it, and syncs it, because its writer may not
   * have. False for a file that a power cut left empty or torn.
   */
  async #exists(object: NewObject): Promise<boolean> {
    const path = this.#pathOf(object.oid);
    if (!existsSync(path)) return false;
    try {
      const now = this.#world.now() / 1000;
      if (this.#durable.has(object.oid)) {
        utimesSync(path, now, now);
        return true;
      }
      const stored = statSync(path).size > SMALL ? await readFile(path) : readFileSync(path);
      if (!holds(stored, object)) return false;
      utimesSync(path, now, now);
      await syncPresent(path);
      return true;
    } catch {
      return false; // absent, packed, or not ours to touch: a second copy does no harm
    }
  }

  /** Writes and syncs a temporary file with these bytes. */
  async #temporaryFile(folder: string, stored: Buffer): Promise<string> {
    for (;;) {
      // `tmp_obj_` is git's own prefix: `git prune` removes what a crash leaves.
      const path = join(folder, `tmp_obj_bloom_${process.pid}_${this.#temporaries++}`);
      try {
        await writeFileSynced(path, stored, { flags: "wx", mode: 0o444 });
        return path;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EEXIST") continue;
        if (code !== "ENOENT") throw error;
        await mkdir(folder).catch((reason: NodeJS.ErrnoException) => {
          if (reason.code !== "EEXIST") throw reason; // not recursive: a deleted repository stays deleted
        });
        await this.#syncFolder(this.#root);
      }
    }
  }

  #folderOf(oid: Oid): string {
    return join(this.#root, oid.slice(0, 2));
  }

  #pathOf(oid: Oid): string {
    return join(this.#folderOf(oid), oid.slice(2));
  }
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
