import { dirname, join, relative, sep } from "node:path";
import { blobId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { isAgentFileKey } from "../../../domain/layout.ts";
import { agentsDisk } from "./agents-disk.ts";
import { type Disk, realDisk } from "./disk.ts";
import type { LogRecord } from "./log-record.ts";

/**
 * Where the files that people see are made from log records: while the store runs, in its thread, and at opening after a crash.
 * Making files is idempotent, so a crash may interrupt it anywhere.
 *
 * People edit the files of agents by hand, without a lock. A file whose content no record knows is such an edit: on `swap` and
 * `remove` it stays, because the person was last, and on `create` of a file that people write too; any other created object never
 * changes, so the file is moved aside. Nothing is thrown away, and all cases are reported.
 */
export interface FilesPlace {
  readonly disk: Disk;
  /** Folder of the objects. */
  readonly root: string;
  /** Folder for unfinished files, on the same file system. */
  readonly temporary: string;
  /** Folder for files that were moved aside. */
  readonly setAside: string;
}

/** The same for a thread, which makes its own disk. `agents`: where the files that people write are, if not in the root (G-1a). */
export interface FilesPlaceNames extends Omit<FilesPlace, "disk"> {
  readonly agents?: string | undefined;
}

export const filesPlace = (names: FilesPlaceNames): FilesPlace => ({
  ...names,
  disk: names.agents === undefined ? realDisk : agentsDisk(realDisk, names.root, names.agents),
});

export interface FilesMade {
  /** Paths written or removed, which a checkpoint has to sync. */
  readonly touched: readonly string[];
  readonly handEdits: readonly { readonly key: string; readonly kept: "edit" | "aside" }[];
}

/** `after` is "a crash" at opening: only then may a file be torn by power loss. */
export function makeFiles(place: FilesPlace, records: readonly LogRecord[], after?: "a crash"): FilesMade {
  const touched: string[] = [];
  const handEdits: { key: string; kept: "edit" | "aside" }[] = [];
  const folders: KnownFolders = { there: new Set([place.root]), empty: new Set() };
  for (const [key, states] of byKey(records)) {
    const last = states.at(-1)!;
    const path = join(place.root, key);
    const folder = dirname(path);
    // Most files are new, and looking first is cheaper than the exception of a missing file.
    const isNew = folders.empty.has(folder) || place.disk.kind(path) === undefined;
    const bytes = isNew ? undefined : place.disk.read(path);
    const verdict = compareWithRecords(bytes, states, after === "a crash");
    if (verdict === "done") {
      touched.push(path); // made before a crash, perhaps not synced
      if (after === "a crash" && last.after === null) removeEmptied(place, path, folders); // the crash may have come in between
      continue;
    }
    if (verdict === "hand edit") {
      if (last.op === "swap" || last.op === "remove" || (last.op === "create" && isAgentFileKey(key))) {
        handEdits.push({ key, kept: "edit" });
        continue;
      }
      if (last.op === "create") {
        moveAside(place, key, path);
        handEdits.push({ key, kept: "aside" });
      }
    }
    if (last.after === null) {
      place.disk.remove(path);
      removeEmptied(place, path, folders);
    } else {
      const inTheWay = makeFolder(place, folder, folders);
      if (inTheWay !== undefined) handEdits.push({ key: inTheWay, kept: "aside" });
      const temporary = join(place.temporary, `${last.seq}`);
      place.disk.write(temporary, last.bytes);
      if (last.op === "swap" || isAgentFileKey(key)) place.disk.sync(temporary); // must not be torn: a torn file would count as a person's edit
      crashPoint("store.files.before-rename");
      if (rename(place, temporary, key, path) === "over a folder") handEdits.push({ key, kept: "aside" });
    }
    crashPoint("store.files.after-rename");
    touched.push(path);
  }
  return { touched, handEdits };
}

/** Folders seen during one call. */
interface KnownFolders {
  readonly there: Set<string>;
  /** Folders that we made: they hold only our files, and each key is made once. */
  readonly empty: Set<string>;
}

/** Removes emptied parent folders, so that their names are free again and a deleted agent leaves no trace. */
function removeEmptied(place: FilesPlace, path: string, { there, empty }: KnownFolders): void {
  for (let folder = dirname(path); folder.length > place.root.length; folder = dirname(folder)) {
    if (!place.disk.removeFolder(folder)) return;
    there.delete(folder);
    empty.delete(folder);
  }
}

/**
 * Makes a folder. A file in its way is a person's, because a key cannot be a folder of another: it is moved aside, and its name
 * is returned.
 */
function makeFolder(place: FilesPlace, folder: string, known: KnownFolders): string | undefined {
  if (known.there.has(folder)) return undefined;
  const above = dirname(folder);
  let inTheWay = makeFolder(place, above, known);
  const kind = known.empty.has(above) ? undefined : place.disk.kind(folder);
  if (kind !== undefined && kind !== "folder") {
    inTheWay = relative(place.root, folder).split(sep).join("/");
    moveAside(place, inTheWay, folder);
  }
  if (kind !== "folder") {
    place.disk.makeFolder(folder);
    known.empty.add(folder);
  }
  known.there.add(folder);
  return inTheWay;
}

/** Renames a file into place. A folder there holds no key, or this key could not have been written. */
function rename(place: FilesPlace, temporary: string, key: string, path: string): "over a folder" | undefined {
  try {
    place.disk.rename(temporary, path);
    return undefined;
  } catch (error) {
    if (place.disk.kind(path) !== "folder") throw error;
    const isGone = place.disk.removeFolder(path);
    if (!isGone) moveAside(place, key, path);
    place.disk.rename(temporary, path);
    return isGone ? undefined : "over a folder";
  }
}

/** The folders to sync so that these paths are durable: their parents up to the root. */
export function foldersOf(root: string, paths: Iterable<string>): Set<string> {
  const folders = new Set<string>([root]);
  for (const path of paths) {
    for (let folder = dirname(path); folder.length > root.length && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}

function byKey(records: readonly LogRecord[]): Map<string, LogRecord[]> {
  const groups = new Map<string, LogRecord[]>();
  for (const record of records) {
    const group = groups.get(record.key);
    if (group) group.push(record);
    else groups.set(record.key, [record]);
  }
  return groups;
}

function compareWithRecords(
  bytes: Buffer | undefined,
  states: readonly LogRecord[],
  mayBeTorn: boolean,
): "done" | "ours" | "hand edit" {
  const last = states.at(-1)!;
  if (bytes === undefined) return last.after === null ? "done" : "ours";
  if (mayBeTorn && isTorn(bytes, states)) return "ours";
  const hash = blobId(bytes);
  if (hash === last.after) return "done";
  if (states.some(({ op }) => op === "put" || op === "delete")) return "ours"; // a view is always overwritten
  return states.some((state) => state.before === hash || state.after === hash) ? "ours" : "hand edit";
}

/**
 * True for what power loss leaves of an unsynced file: nothing, a prefix, or zeros in place of blocks. (A person who truncated
 * a file in the seconds before a crash gets it back: the harmless side to err on.)
 */
function isTorn(bytes: Buffer, states: readonly LogRecord[]): boolean {
  return states.some(
    (state) =>
      bytes.length <= state.bytes.length &&
      !bytes.equals(state.bytes) &&
      bytes.every((byte, i) => byte === 0 || byte === state.bytes[i]),
  );
}

function moveAside(place: FilesPlace, key: string, path: string): void {
  const target = join(place.setAside, key);
  place.disk.makeFolder(dirname(target));
  let free = target;
  for (let i = 1; place.disk.kind(free) !== undefined; i++) free = `${target}.${i}`;
  place.disk.rename(path, free);
  place.disk.sync(dirname(free));
}
