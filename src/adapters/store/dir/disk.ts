import * as fs from "node:fs";
import { dirname } from "node:path";

/**
 * The calls that this store makes of a file system, and no others. Small enough to be recorded: the power-loss suite
 * writes down every call, drops those that were not synced, and opens a store on what is left.
 */
export interface Disk {
  /** The bytes of a file, or undefined if there is none (a folder is none). */
  read(path: string): Buffer | undefined;
  /** A part of a file that exists. */
  readRange(path: string, from: number, to: number): Buffer;
  kind(path: string): "file" | "folder" | "other" | undefined;
  /** Of a file; undefined if there is none. */
  size(path: string): number | undefined;
  /** Another one whenever the content of a file is another; undefined if there is no file. */
  fileMark(path: string): string | undefined;
  /** Names in a folder; undefined if there is no such folder. */
  names(path: string): { name: string; folder: boolean }[] | undefined;
  /** Changes when names in a folder do; 0 if there is no such folder. */
  stamp(path: string): number;
  makeFolder(path: string): void;
  /** Writes a new file, or truncates and writes an old one. Not atomic: for temporary names only. */
  write(path: string, bytes: Uint8Array): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Removes a folder if it is empty; whether it did. */
  removeFolder(path: string): boolean;
  /** Forces the bytes of a file, or the names of a folder, to the medium. */
  sync(path: string): void;
  /** Opens a new log file for appending. Fails if the name is taken. */
  createLog(path: string): LogFile;
}

/** A file that is written from front to back. */
export interface LogFile {
  /** Writes at a position and forces it to the medium before it answers. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** The same, and the whole process waits for it. */
  writeNow(buffers: readonly Uint8Array[], position: number): void;
  /** Cuts the file off and forces that to the medium. */
  cut(length: number): Promise<void>;
  close(): void;
}

const absent = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR";
};

function orUndefined<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (absent(error)) return undefined;
    throw error;
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;

export const realDisk: Disk = {
  // Asking first is cheaper than being thrown at, and reading what is no file, a pipe for instance, might never end.
  read: (path) => (realDisk.kind(path) === "file" ? orUndefined(() => fs.readFileSync(path)) : undefined),
  readRange(path, from, to) {
    const bytes = Buffer.allocUnsafe(to - from);
    const handle = fs.openSync(path, "r");
    try {
      const read = fs.readSync(handle, bytes, 0, bytes.length, from);
      return bytes.subarray(0, read);
    } finally {
      fs.closeSync(handle);
    }
  },
  kind(path) {
    const found = orUndefined(() => fs.statSync(path, IF_THERE));
    if (!found) return undefined;
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  },
  size(path) {
    const found = orUndefined(() => fs.statSync(path, IF_THERE));
    return found?.isFile() ? found.size : undefined;
  },
  fileMark(path) {
    const found = orUndefined(() => fs.statSync(path, IF_THERE));
    // The time of the last change of any kind: people and their programs can set the other times, not this one.
    return found?.isFile() ? `${found.ino} ${found.size} ${found.ctimeMs}` : undefined;
  },
  names: (path) =>
    orUndefined(() =>
      fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, folder: entry.isDirectory() })),
    ),
  stamp: (path) => orUndefined(() => fs.statSync(path, IF_THERE)?.mtimeMs) ?? 0,
  makeFolder: (path) => void fs.mkdirSync(path, { recursive: true }),
  write: (path, bytes) => fs.writeFileSync(path, bytes),
  rename: (from, to) => fs.renameSync(from, to),
  remove(path) {
    orUndefined(() => fs.unlinkSync(path));
  },
  removeFolder(path) {
    try {
      fs.rmdirSync(path);
      return true;
    } catch (error) {
      if (absent(error) || ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  },
  sync(path) {
    const handle = orUndefined(() => fs.openSync(path, "r"));
    if (handle === undefined) return; // removed since: the folder's own sync is what counts then
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  },
  createLog(path) {
    const { O_RDWR, O_CREAT, O_EXCL } = fs.constants;
    // With O_DSYNC one call writes and syncs: half the trips to the thread pool. Where it is missing, two calls do it.
    const dsync = (fs.constants as { O_DSYNC?: number }).O_DSYNC ?? 0;
    const handle = fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | dsync, 0o600);
    fs.fsyncSync(handle);
    realDisk.sync(dirname(path));
    return realLog(handle, dsync === 0);
  },
};

const call = <T extends unknown[]>(run: (done: (error: Error | null, ...results: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => run((error, ...results) => (error ? reject(error) : resolve(results))));

function realLog(handle: number, syncApart: boolean): LogFile {
  return {
    async write(buffers, position) {
      let left = buffers;
      let at = position;
      while (left.length > 0) {
        const [written] = await call<[number]>((done) => fs.writev(handle, left as Uint8Array[], at, done));
        at += written;
        left = rest(left, written); // a short write is legal, and is what a nearly full disk does first
      }
      if (syncApart) await call((done) => fs.fdatasync(handle, done));
    },
    writeNow(buffers, position) {
      let left = buffers;
      let at = position;
      while (left.length > 0) {
        const written = fs.writevSync(handle, left, at);
        at += written;
        left = rest(left, written);
      }
      if (syncApart) fs.fdatasyncSync(handle);
    },
    async cut(length) {
      await call((done) => fs.ftruncate(handle, length, done));
      await call((done) => fs.fsync(handle, done));
    },
    close: () => fs.closeSync(handle),
  };
}

function rest(buffers: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let gone = written;
  for (let i = 0; i < buffers.length; i++) {
    const length = buffers[i]!.length;
    if (gone < length) return [buffers[i]!.subarray(gone), ...buffers.slice(i + 1)];
    gone -= length;
  }
  return [];
}
