import * as fs from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Disk, LogFile } from "../disk.ts";
import { realDisk } from "../disk.ts";

/**
 * A real disk that records its calls, so that a power cut can be simulated at any point: synced data stays; everything else stays,
 * is lost or is torn at random. Harsher than most file systems: unsynced names and bytes are lost in any combination.
 */
export type DiskCall =
  | { kind: "folder"; path: string }
  | { kind: "write"; path: string; bytes: Buffer }
  | { kind: "rename"; from: string; to: string }
  | { kind: "remove"; path: string }
  | { kind: "remove-folder"; path: string }
  | { kind: "sync"; path: string }
  | { kind: "log-write"; path: string; bytes: Buffer; at: number; id: number }
  | { kind: "log-synced"; id: number }
  | { kind: "log-cut"; path: string; length: number }
  | { kind: "mark"; mark: unknown };

export interface RecordedDisk extends Disk {
  readonly calls: readonly DiskCall[];
  /** Adds a mark of the test to the record, in order with the calls. */
  readonly mark: (mark: unknown) => void;
}

export function recordedDisk(root: string): RecordedDisk {
  const calls: DiskCall[] = [];
  const at = (path: string): string => relative(root, path);
  let ids = 0;
  return {
    ...realDisk,
    calls,
    mark: (mark) => void calls.push({ kind: "mark", mark }),
    makeFolder(path) {
      const missing: string[] = [];
      for (let folder = path; folder.length > root.length && !fs.existsSync(folder); folder = dirname(folder))
        missing.push(folder);
      for (const folder of missing.toReversed()) calls.push({ kind: "folder", path: at(folder) });
      realDisk.makeFolder(path);
    },
    write(path, bytes) {
      calls.push({ kind: "write", path: at(path), bytes: Buffer.from(bytes) });
      realDisk.write(path, bytes);
    },
    rename(from, to) {
      realDisk.rename(from, to);
      calls.push({ kind: "rename", from: at(from), to: at(to) });
    },
    remove(path) {
      realDisk.remove(path);
      calls.push({ kind: "remove", path: at(path) });
    },
    removeFolder(path) {
      const gone = realDisk.removeFolder(path);
      if (gone) calls.push({ kind: "remove-folder", path: at(path) });
      return gone;
    },
    sync(path) {
      realDisk.sync(path);
      calls.push({ kind: "sync", path: at(path) });
    },
    createLog(path) {
      const log = realDisk.createLog(path);
      calls.push({ kind: "write", path: at(path), bytes: Buffer.alloc(0) });
      calls.push({ kind: "sync", path: at(path) }, { kind: "sync", path: at(dirname(path)) });
      return recordedLog(log, calls, at(path), () => ++ids);
    },
  };
}

function recordedLog(log: LogFile, calls: DiskCall[], path: string, nextId: () => number): LogFile {
  return {
    async write(buffers, position) {
      const id = nextId();
      calls.push({ kind: "log-write", path, bytes: Buffer.concat(buffers), at: position, id });
      await log.write(buffers, position);
      calls.push({ kind: "log-synced", id });
    },
    writeNow(buffers, position) {
      const id = nextId();
      calls.push({ kind: "log-write", path, bytes: Buffer.concat(buffers), at: position, id });
      log.writeNow(buffers, position);
      calls.push({ kind: "log-synced", id });
    },
    async cut(length) {
      await log.cut(length);
      calls.push({ kind: "log-cut", path, length });
    },
    close: () => log.close(),
  };
}

interface File {
  synced: Buffer;
  now: Buffer;
}

/** Writes to `target` a possible state of the folder after a power cut behind the first `count` calls. */
export function afterPowerLoss(
  calls: readonly DiskCall[],
  count: number,
  start: string,
  target: string,
  chance: () => number,
): void {
  const names = new Map<string, File>(); // as programs see it
  const lasting = new Map<string, File>(); // as on the medium
  const folders = new Set<string>([""]);
  let unsynced: { parents: string[]; apply: () => void }[] = [];
  for (const path of filesUnder(start)) {
    const bytes = fs.readFileSync(join(start, path));
    const file = { synced: bytes, now: bytes };
    names.set(path, file);
    lasting.set(path, file);
  }
  for (const path of foldersUnder(start)) folders.add(path);

  const change = (parents: string[], apply: () => void): void => void unsynced.push({ parents, apply });
  const open = new Map<number, { path: string; bytes: Buffer; at: number }>();
  for (const call of calls.slice(0, count)) {
    switch (call.kind) {
      case "folder":
        change([dirname(call.path)], () => folders.add(call.path));
        break;
      case "write": {
        const file = names.get(call.path) ?? { synced: Buffer.alloc(0), now: Buffer.alloc(0) };
        file.now = call.bytes;
        if (!names.has(call.path)) change([dirname(call.path)], () => lasting.set(call.path, file));
        names.set(call.path, file);
        break;
      }
      case "rename": {
        const file = names.get(call.from)!;
        names.delete(call.from);
        names.set(call.to, file);
        // Atomic in the journal; durable when the folder of the new name is synced.
        change([dirname(call.to)], () => {
          lasting.delete(call.from);
          lasting.set(call.to, file);
        });
        break;
      }
      case "remove":
        names.delete(call.path);
        change([dirname(call.path)], () => lasting.delete(call.path));
        break;
      case "remove-folder":
        change([dirname(call.path)], () => folders.delete(call.path));
        break;
      case "sync": {
        const file = names.get(call.path);
        if (file) file.synced = file.now;
        const path = call.path === "" ? "." : call.path;
        for (const step of unsynced.filter(({ parents }) => parents.includes(path))) step.apply();
        unsynced = unsynced.filter(({ parents }) => !parents.includes(path));
        break;
      }
      case "log-write": {
        const file = names.get(call.path)!;
        file.now = overwritten(file.now, call.bytes, call.at);
        open.set(call.id, call);
        break;
      }
      case "log-synced": {
        const { path, bytes, at } = open.get(call.id)!;
        const file = names.get(path)!;
        file.synced = overwritten(file.synced, bytes, at);
        open.delete(call.id);
        break;
      }
      case "log-cut": {
        const file = names.get(call.path)!;
        file.now = file.now.subarray(0, call.length);
        file.synced = file.synced.subarray(0, call.length);
        break;
      }
      case "mark":
        break;
    }
  }
  for (const step of unsynced) if (chance() < 0.5) step.apply();
  fs.mkdirSync(target, { recursive: true });
  for (const folder of [...folders].toSorted((a, b) => a.length - b.length)) {
    if (inside(folder, folders)) fs.mkdirSync(join(target, folder), { recursive: true });
  }
  for (const [path, file] of lasting) {
    if (inside(path, folders)) fs.writeFileSync(join(target, path), perhaps(file, chance));
  }
}

/** A path exists only if all its parent folders do. */
function inside(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) if (!folders.has(folder)) return false;
  return true;
}

/** Unsynced bytes survive completely, not at all, as a prefix, or block by block. */
function perhaps(file: File, chance: () => number): Buffer {
  if (file.now.equals(file.synced)) return file.now;
  const roll = chance();
  if (roll < 0.25) return file.synced;
  if (roll < 0.5) return file.now;
  const mixed = Buffer.alloc(file.now.length);
  for (let block = 0; block < mixed.length; block += 512) {
    const source = chance() < 0.5 ? file.now : file.synced;
    mixed.set(source.subarray(block, block + 512), block);
  }
  return roll < 0.75 ? mixed : mixed.subarray(0, Math.max(file.synced.length, Math.floor(chance() * mixed.length)));
}

function overwritten(old: Buffer, bytes: Buffer, at: number): Buffer {
  const next = Buffer.alloc(Math.max(old.length, at + bytes.length));
  old.copy(next);
  bytes.copy(next, at);
  return next;
}

const entries = (root: string): fs.Dirent[] =>
  fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, withFileTypes: true }) : [];
const pathOf = (root: string, entry: fs.Dirent): string => relative(root, join(entry.parentPath, entry.name));
const filesUnder = (root: string): string[] =>
  entries(root)
    .filter((entry) => entry.isFile())
    .map((entry) => pathOf(root, entry));
const foldersUnder = (root: string): string[] =>
  entries(root)
    .filter((entry) => entry.isDirectory())
    .map((entry) => pathOf(root, entry));
