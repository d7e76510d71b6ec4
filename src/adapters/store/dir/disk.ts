import * as fs from "node:fs";
import { dirname } from "node:path";

/**
 * All file system calls of this store. The interface is small enough to be recorded: the power-loss suite records every call,
 * drops unsynced ones and reopens the store on the rest.
 */
export interface Disk {
  /** The bytes of a file; undefined if there is no file. */
  read(path: string): Buffer | undefined;
  /** A part of an existing file. */
  readRange(path: string, from: number, to: number): Buffer;
  kind(path: string): "file" | "folder" | "other" | undefined;
  /** Size of a file; undefined if there is none. */
  size(path: string): number | undefined;
  /** Changes whenever the content of the file changes; undefined if there is no file. */
  fileMark(path: string): string | undefined;
  /** Entries of a folder; undefined if there is no such folder. */
  names(path: string): { name: string; folder: boolean }[] | undefined;
  /** Modification time of a folder, which changes with its entries; 0 if there is no such folder. */
  stamp(path: string): number;
  makeFolder(path: string): void;
  /** Creates or overwrites a file. Not atomic: for temporary names only. */
  write(path: string, bytes: Uint8Array): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Removes an empty folder. Returns false if it is not empty or does not exist. */
  removeFolder(path: string): boolean;
  /** Makes the bytes of a file, or the names in a folder, durable. */
  sync(path: string): void;
  /** Creates a log file. Throws if the name is taken. */
  createLog(path: string): LogFile;
}

/** An append-only file. */
export interface LogFile {
  /** Writes at a position. Durable when it resolves. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** Synchronous `write`: blocks the event loop. */
  writeNow(buffers: readonly Uint8Array[], position: number): void;
  /** Truncates the file, durably. */
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

/** Undefined for anything but a file. Without O_NONBLOCK, opening a pipe might never end. */
function readWhole(path: string): Buffer | undefined {
  const handle = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    return fs.fstatSync(handle).isFile() ? fs.readFileSync(handle) : undefined;
  } finally {
    fs.closeSync(handle);
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;

/** The mark of a file; undefined for anything else. By ctime, because programs can set the other times but not this one. */
const markIn = (found: fs.Stats | undefined): string | undefined =>
  found?.isFile() ? `${found.ino} ${found.size} ${found.ctimeMs}` : undefined;

/** `fileMark` that does not follow a symbolic link. */
export const ownFileMark = (path: string): string | undefined =>
  markIn(orUndefined(() => fs.lstatSync(path, IF_THERE)));

export const realDisk: Disk = {
  read: (path) => orUndefined(() => readWhole(path)),
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
    return markIn(orUndefined(() => fs.statSync(path, IF_THERE)));
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
    if (handle === undefined) return; // removed meanwhile: the sync of its folder counts then
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  },
  createLog(path) {
    const { O_RDWR, O_CREAT, O_EXCL } = fs.constants;
    // With O_DSYNC one call writes and syncs: half the trips to the thread pool. Without it, two calls are needed.
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
        left = rest(left, written); // short writes are legal, and the first sign of a full disk
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
