import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { assert } from "../../base/assert.ts";
import { crashPoint } from "../../base/crash-point.ts";
import type { World } from "../../base/world.ts";
import { machine } from "../../domain/layout.ts";
import type { Folder, Folders, PathStat } from "../../ports/folder.ts";
import { type ProcessLock, takeProcessLock } from "../process-lock.ts";
import {
  emptyIfMissing,
  linkIfFree,
  lookAt,
  makeOneFolder,
  makeWithParents,
  openNew,
  syncFolder,
  unlessMissing,
  writeSynced,
} from "./disk-steps.ts";
import { asFolderFailure, errnoOf, fileTooLarge, folderFailure, linkInTheWay } from "./failures.ts";

const READ_CHUNK_BYTES = 256 * 1024;
const LINE_END = 0x0a;
const NEW_LINE = Buffer.from("\n");

type Access = "plain" | "executable" | "private";
/** Mode of a new file. The umask only clears bits; rename and link keep the mode. */
const MODES: Record<Access, number> = { plain: 0o666, executable: 0o777, private: 0o600 };

export function diskFolders({ world }: { world: World }): Folders {
  return {
    at: (dir) => new DiskFolder(dir, world),
    moveIntoPlace: (from, to) =>
      asFolderFailure(to, async () => {
        // On POSIX, rename replaces an empty folder; elsewhere it must be removed first.
        await rmdir(to).catch((error: unknown) => {
          if (errnoOf(error) !== "ENOENT") throw error;
        });
        await rename(from, to);
        await syncFolder(dirname(to));
      }),
  };
}

class DiskFolder implements Folder {
  readonly dir: string;
  readonly #world: World;

  constructor(dir: string, world: World) {
    assert(isAbsolute(dir), "a folder is named by its absolute path");
    this.dir = dir;
    this.#world = world;
  }

  stat(path: string): Promise<PathStat> {
    return this.#at(path, (full) => lookAt(full));
  }

  names(path: string): Promise<string[]> {
    return this.#at(path, async (full) => (await readdir(full).catch(emptyIfMissing)).toSorted());
  }

  async *walk(path: string): AsyncGenerator<{ path: string; sight: PathStat }> {
    const names = await this.#at(path, (full) => readdir(full).catch(emptyIfMissing));
    for (const name of names) {
      const inside = path === "" ? name : `${path}/${name}`;
      const sight = await this.stat(inside);
      if (sight.kind === "folder") yield* this.walk(inside);
      else if (sight.kind !== "missing") yield { path: inside, sight };
    }
  }

  read(path: string, limit: number): Promise<Uint8Array | undefined> {
    return this.#at(path, async (full) => {
      const file = await open(full, "r").catch((error: unknown) => {
        if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
        throw error;
      });
      if (!file) return undefined;
      try {
        if ((await file.stat()).size > limit) throw fileTooLarge(full, limit);
        const bytes = await file.readFile();
        if (bytes.length > limit) throw fileTooLarge(full, limit);
        return bytes;
      } finally {
        await file.close();
      }
    });
  }

  stream(path: string, from = 0): AsyncGenerator<Uint8Array> {
    return chunksOf(this.#full(path), from);
  }

  makeFolder(path: string, access?: "private"): Promise<"made" | "there"> {
    return this.#at(path, async (full) => {
      const mode = access === "private" ? 0o700 : 0o777;
      if (path === "") return await makeWithParents(this.dir, mode);
      await this.#prepareParents(path);
      try {
        await mkdir(full, { mode });
        return "made";
      } catch (error) {
        const seen = errnoOf(error) === "EEXIST" ? await lookAt(full) : undefined;
        if (seen?.kind === "folder") return "there";
        throw error;
      }
    });
  }

  create(path: string, bytes: Uint8Array, access?: Access): Promise<"created" | "taken"> {
    return this.#at(path, async () => {
      let isFree = true;
      await this.#writeFile(path, [bytes], access, async (temporary, target) => {
        isFree = await linkIfFree(temporary, target);
      });
      return isFree ? "created" : "taken";
    });
  }

  write(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, access?: Access): Promise<void> {
    return this.#at(path, () => this.#writeFile(path, chunks, access, rename));
  }

  append(path: string, line: Uint8Array): Promise<number> {
    return this.#at(path, async (full) => {
      await this.#prepareParents(path, false);
      if ((await lookAt(full)).kind === "link") throw linkInTheWay(full);
      const file = await open(full, constants.O_RDWR | constants.O_APPEND);
      try {
        const { size } = await file.stat();
        const last = Buffer.alloc(1);
        const isTorn = size > 0 && (await file.read(last, 0, 1, size - 1)).bytesRead === 1 && last[0] !== LINE_END;
        // One call: the kernel appends it as a whole.
        const whole = Buffer.concat([...(isTorn ? [NEW_LINE] : []), line, NEW_LINE]);
        const { bytesWritten } = await file.write(whole);
        if (bytesWritten < whole.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
        return (await file.stat()).size;
      } finally {
        await file.close();
      }
    });
  }

  hold(path: string): Promise<ProcessLock | undefined> {
    return this.#at(path, async (full) => {
      await this.#prepareParents(path);
      return takeProcessLock(full);
    });
  }

  removeFile(path: string): Promise<void> {
    return this.#at(path, async (full) => {
      await this.#prepareParents(path, false);
      await unlink(full).catch(unlessMissing);
    });
  }

  removeEmpty(path: string): Promise<boolean> {
    return this.#at(path, async (full) => {
      try {
        await rmdir(full);
        return true;
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return true;
        if (errnoOf(error) === "ENOTEMPTY" || errnoOf(error) === "EEXIST") return false;
        throw error;
      }
    });
  }

  removeAll(path: string): Promise<void> {
    return this.#at(path, (full) => rm(full, { recursive: true, force: true }));
  }

  #full(path: string): string {
    return path === "" ? this.dir : join(this.dir, checkedPath(path));
  }

  /** Errors of `work` become failures about this path. */
  #at<T>(path: string, work: (full: string) => Promise<T>): Promise<T> {
    const full = this.#full(path);
    return asFolderFailure(full, () => work(full));
  }

  /** Throws if a parent of the path is a symbolic link, and makes missing parents. */
  async #prepareParents(path: string, make = true): Promise<void> {
    const parts = path.split("/").slice(0, -1);
    for (let depth = 0; depth <= parts.length; depth++) {
      const part = this.#full(parts.slice(0, depth).join("/"));
      const seen = await lookAt(part);
      if (seen.kind === "link" && depth > 0) throw linkInTheWay(part);
      if (seen.kind === "missing" && make) await makeOneFolder(part, depth === 0);
    }
  }

  /** Writes and syncs a temporary file, then gives it its name with `settle`. */
  async #writeFile(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    access: Access | undefined,
    settle: (temporary: string, target: string) => Promise<void>,
  ): Promise<void> {
    const target = this.#full(path);
    await this.#prepareParents(path);
    let temporary = await this.#temporaryPath(path);
    let file = await openNew(temporary, MODES[access ?? "plain"]);
    while (!file) {
      temporary = await this.#temporaryPath(path);
      file = await openNew(temporary, MODES[access ?? "plain"]);
    }
    try {
      await writeSynced(file, chunks);
      crashPoint("folder:written");
      await settle(temporary, target);
      await syncFolder(dirname(target));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** In the machine's folder, if there is one, so that git never sees an unfinished file. */
  async #temporaryPath(path: string): Promise<string> {
    const name = `new-${Buffer.from(this.#world.random(8)).toString("hex")}`;
    const hasOwn = (await lookAt(join(this.dir, machine.folder))).kind === "folder";
    if (!hasOwn) return join(dirname(this.#full(path)), `.${name}`);
    await mkdir(join(this.dir, machine.temporary), { recursive: true });
    return join(this.dir, machine.temporary, name);
  }
}

function checkedPath(path: string): string {
  const odd = path.split("/").some((part) => part === "" || part === "." || part === "..");
  assert(!odd && !isAbsolute(path) && !/[\0\\]/.test(path), `a path inside the folder, not ${JSON.stringify(path)}`);
  return path;
}

async function* chunksOf(path: string, start: number): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      for await (const chunk of file.createReadStream({ start, autoClose: false, highWaterMark: READ_CHUNK_BYTES })) {
        yield chunk as Uint8Array;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw folderFailure(path, error);
  }
}
