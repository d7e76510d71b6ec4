import { mkdir, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { assert } from "../../base/assert.ts";
import { crashPoint } from "../../base/crash-point.ts";
import type { World } from "../../base/world.ts";
import { machine } from "../../domain/layout.ts";
import type { Folder, Folders, Sight } from "../../ports/folder.ts";
import { takeProcessLock } from "../process-lock.ts";
import {
  emptyIfMissing,
  linked,
  makeOne,
  makeWithParents,
  openNew,
  sightOf,
  syncFolder,
  unlessMissing,
  writeSynced,
} from "./disk-steps.ts";
import { codeOf, folderFailure, linkInTheWay, told, tooLarge } from "./failures.ts";

const READ_CHUNK_BYTES = 256 * 1024;

type Access = "plain" | "executable" | "private";
/** What a file is opened with. The umask takes from it and never adds, and renaming or linking does not change it. */
const MODES: Record<Access, number> = { plain: 0o666, executable: 0o777, private: 0o600 };

export function diskFolders({ world }: { world: World }): Folders {
  return {
    at: (dir) => diskFolder(dir, world),
    moveIntoPlace: (from, to) =>
      told(to, async () => {
        // An empty folder in the way is replaced by rename itself on POSIX; elsewhere it must go first.
        await rmdir(to).catch((error: unknown) => {
          if (codeOf(error) !== "ENOENT") throw error;
        });
        await rename(from, to);
        await syncFolder(dirname(to));
      }),
  };
}

function diskFolder(dir: string, world: World): Folder {
  assert(isAbsolute(dir), "a folder is named by its absolute path");
  const full = (path: string): string => (path === "" ? dir : join(dir, checkedPath(path)));

  /** Refuses to pass through links on the way to a path, and makes the folders that are missing. */
  const wayTo = async (path: string, make = true): Promise<void> => {
    const parts = path.split("/").slice(0, -1);
    for (let depth = 0; depth <= parts.length; depth++) {
      const part = full(parts.slice(0, depth).join("/"));
      const seen = await sightOf(part);
      if (seen.kind === "link" && depth > 0) throw linkInTheWay(part);
      if (seen.kind === "missing" && make) await makeOne(part, depth === 0);
    }
  };

  /** New files are written aside first: in the machine's folder where there is one, so that git never sees a half one. */
  const aside = async (path: string): Promise<string> => {
    const name = `new-${Buffer.from(world.random(8)).toString("hex")}`;
    const own = (await sightOf(join(dir, machine.folder))).kind === "folder";
    if (!own) return join(dirname(full(path)), `.${name}`);
    await mkdir(join(dir, machine.temporary), { recursive: true });
    return join(dir, machine.temporary, name);
  };

  const place = async (
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    access: Access | undefined,
    settle: (temporary: string, target: string) => Promise<void>,
  ): Promise<void> => {
    const target = full(path);
    await wayTo(path);
    let temporary = await aside(path);
    let file = await openNew(temporary, MODES[access ?? "plain"]);
    while (!file) {
      temporary = await aside(path);
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
  };

  return {
    dir,
    look: (path) => told(full(path), () => sightOf(full(path))),
    names: (path) =>
      told(full(path), async () => {
        try {
          return (await readdir(full(path))).toSorted();
        } catch (error) {
          if (codeOf(error) === "ENOENT") return [];
          throw error;
        }
      }),
    walk: (path) => walk(full, path),
    read: (path, limit) =>
      told(full(path), async () => {
        const file = await open(full(path), "r").catch((error: unknown) => {
          if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
          throw error;
        });
        if (!file) return undefined;
        try {
          if ((await file.stat()).size > limit) throw tooLarge(full(path), limit);
          const bytes = await file.readFile();
          if (bytes.length > limit) throw tooLarge(full(path), limit);
          return bytes;
        } finally {
          await file.close();
        }
      }),
    stream: (path) => chunksOf(full(path)),
    makeFolder: (path, access) =>
      told(full(path), async () => {
        const mode = access === "private" ? 0o700 : 0o777;
        if (path === "") return await makeWithParents(dir, mode);
        await wayTo(path);
        try {
          await mkdir(full(path), { mode });
          return "made";
        } catch (error) {
          const seen = codeOf(error) === "EEXIST" ? await sightOf(full(path)) : undefined;
          if (seen?.kind === "folder") return "there";
          throw error;
        }
      }),
    create: (path, bytes, access) =>
      told(full(path), async () => {
        let taken = false;
        await place(path, [bytes], access, async (temporary, target) => {
          taken = !(await linked(temporary, target));
        });
        return taken ? "taken" : "created";
      }),
    write: (path, chunks, access) => told(full(path), () => place(path, chunks, access, rename)),
    hold: (path) =>
      told(full(path), async () => {
        await wayTo(path);
        return takeProcessLock(full(path));
      }),
    removeFile: (path) =>
      told(full(path), async () => {
        await wayTo(path, false);
        await unlink(full(path)).catch(unlessMissing);
      }),
    removeEmpty: (path) =>
      told(full(path), async () => {
        try {
          await rmdir(full(path));
          return true;
        } catch (error) {
          if (codeOf(error) === "ENOENT") return true;
          if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return false;
          throw error;
        }
      }),
    removeAll: (path) => told(full(path), () => rm(full(path), { recursive: true, force: true })),
  };
}

function checkedPath(path: string): string {
  const odd = path.split("/").some((part) => part === "" || part === "." || part === "..");
  assert(!odd && !isAbsolute(path) && !/[\0\\]/.test(path), `a path inside the folder, not ${JSON.stringify(path)}`);
  return path;
}

async function* walk(full: (path: string) => string, path: string): AsyncGenerator<{ path: string; sight: Sight }> {
  const names = await told(full(path), () => readdir(full(path)).catch(emptyIfMissing));
  for (const name of names) {
    const inside = path === "" ? name : `${path}/${name}`;
    const sight = await told(full(inside), () => sightOf(full(inside)));
    if (sight.kind === "folder") yield* walk(full, inside);
    else if (sight.kind !== "missing") yield { path: inside, sight };
  }
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: READ_CHUNK_BYTES })) {
        yield chunk as Uint8Array;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw folderFailure(path, error);
  }
}
