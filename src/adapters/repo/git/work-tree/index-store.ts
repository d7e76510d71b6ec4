import { renameSync, statSync } from "node:fs";
import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { repoCrashPoint } from "../crash-points.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { signatureOf } from "../disk/small-file.ts";
import { syncPresent, writeFileSynced } from "../disk/write-synced.ts";
import { fromByteName, toByteName } from "../objects/object-format.ts";
import { type GitPlace, git } from "../process/git-process.ts";
import {
  editedIndex,
  emptyIndex,
  formatIndex,
  type IndexEntries,
  type IndexEntry,
  type IndexFile,
  IndexMemory,
  NO_STAT_DATA,
  parseIndex,
} from "./index-file.ts";
import { copyIndex } from "./replace-index.ts";
import type { FileVersion } from "./work-file.ts";

/** A snapshot of the person's index. */
export interface IndexView {
  /** Undefined if only git can write it (a split or sparse index). */
  readonly file: IndexFile | undefined;
  /** All entries of a path: one, or the sides of an unmerged path. */
  at(path: string): readonly IndexEntry[];
  /** The number of entries. */
  readonly size: number;
  /** Paths of the entries below this path. */
  inside(path: string): readonly string[];
}

export interface IndexChange {
  readonly path: string;
  readonly to: FileVersion;
  /** Stat data of the file, if it is known to hold `to`. */
  readonly statData: Buffer | undefined;
}

/** Reads and replaces the index. Caches the last parsed index until the file changes. */
export interface IndexStore {
  read(): Promise<IndexView>;
  /** Writes and syncs the changed index beside the present one. The caller holds `index.lock` and has read the view under it. */
  prepare(view: IndexView, changes: readonly IndexChange[]): Promise<NextIndex>;
}

/** A new index that is written and not in place yet. */
export interface NextIndex {
  /** Replaces the index by one rename; `sync` makes that durable. A second call changes nothing. */
  install(): void;
  sync(): Promise<void>;
  /** Removes the new index, unless it is in place. */
  discard(): Promise<void>;
}

export function indexStore(place: GitPlace, gitDir: string, syncFolder: FolderSync): IndexStore {
  const path = join(gitDir, "index");
  let last: { signature: string; file: IndexFile } | undefined;
  let counter = 0;
  // Two, in turn: the present index stays whole while the next one is written.
  const memories: { readonly bytes: IndexMemory; file?: IndexFile | undefined }[] = [
    { bytes: new IndexMemory() },
    { bytes: new IndexMemory() },
  ];
  const overwritten = new WeakSet<IndexFile>();

  async function read(): Promise<IndexView> {
    const signature = signatureOf(path);
    if (signature === undefined) return viewOf(emptyIndex(), emptyIndex);
    if (last?.signature === signature) {
      const { file } = last;
      // A view that is kept without the lock, over several moves, goes on with the index of the last one. Where there is none, its
      // paths count as edited, and are looked at again.
      return viewOf(file, () => (overwritten.has(file) ? (last?.file ?? emptyIndex()) : file));
    }
    const file = parseIndex(await readFile(path));
    last = file && { signature, file };
    const entries = file ?? (await entriesByGit(place));
    return viewOf(file, () => entries);
  }

  function next(file: IndexFile, changes: readonly IndexChange[], since: number): IndexFile {
    const memory = memories.find((each) => each.file !== file)!;
    if (memory.file) overwritten.add(memory.file);
    memory.file = changed(file, changes, since, memory.bytes);
    return memory.file;
  }

  return {
    read,
    async prepare(view, changes) {
      const copy = join(gitDir, `index.bloom-copy-${process.pid}-${counter++}`);
      const old = statSync(path, { throwIfNoEntry: false });
      const file = view.file && next(view.file, changes, Math.floor((old?.mtimeMs ?? 0) / 1000));
      try {
        if (file) await writeFileSynced(copy, formatIndex(file), { flags: "w", permissions: old && old.mode & 0o777 });
        else await writeByGit(place, path, copy, view, changes);
      } catch (error) {
        await unlink(copy).catch(() => undefined);
        throw error;
      }
      repoCrashPoint("repo.follow.index-copied");
      let isInstalled = false;
      return {
        install() {
          if (!isInstalled) renameSync(copy, path);
          isInstalled = true;
          const signature = signatureOf(path);
          last = file && signature !== undefined ? { signature, file } : undefined;
        },
        sync: () => syncFolder(gitDir),
        async discard() {
          if (!isInstalled) await unlink(copy).catch(() => undefined);
        },
      };
    },
  };
}

function viewOf(file: IndexFile | undefined, present: () => IndexEntries): IndexView {
  return {
    file,
    size: present().size,
    at: (path) => {
      const entries = present();
      const [first, end] = rangeOf(entries, toByteName(path));
      return Array.from({ length: end - first }, (_, number) => entries.entryAt(first + number));
    },
    inside: (path) => {
      const entries = present();
      const prefix = toByteName(path);
      const first = firstFrom(entries, `${prefix}/`);
      // `0` is the character after `/`.
      const length = firstFrom(entries, `${prefix}0`) - first;
      return Array.from({ length }, (_, number) => fromByteName(entries.nameAt(first + number)));
    },
  };
}

/** The entries of a name: from the first position to before the second. */
function rangeOf(entries: IndexEntries, name: string): [number, number] {
  const first = firstFrom(entries, name);
  let end = first;
  while (end < entries.size && entries.nameAt(end) === name) end++;
  return [first, end];
}

/** Index of the first entry whose name is not before this one. */
function firstFrom(entries: IndexEntries, name: string): number {
  let low = 0;
  let high = entries.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries.nameAt(middle) < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Entries as git lists them: `<tag> <mode> <oid> <stage>\t<path>`. */
async function entriesByGit(place: GitPlace): Promise<IndexEntries> {
  const { stdout } = await git(place, ["ls-files", "-s", "-t", "-z"]);
  const records = stdout.toString("latin1").split("\0").slice(0, -1);
  const entries = records.map((record): IndexEntry => {
    const tab = record.indexOf("\t");
    const [tag, mode, oid, stage] = record.slice(0, tab).split(" ") as [string, string, string, string];
    return {
      name: record.slice(tab + 1),
      mode,
      oid,
      stage: Number(stage),
      skipped: tag === "S",
      announced: false,
      assumed: false,
      statData: NO_STAT_DATA,
    };
  });
  return {
    size: entries.length,
    nameAt: (position) => entries[position]!.name,
    entryAt: (position) => entries[position]!,
  };
}

/**
 * Applies changes. Clears the stat data of files written in the same second as the old index or later ("racy git"): git compares
 * times by the second, so a person's edit in that second would stay invisible under a newer index.
 */
function changed(file: IndexFile, changes: readonly IndexChange[], since: number, memory: IndexMemory): IndexFile {
  const byName = new Map(changes.map((change) => [toByteName(change.path), change]));
  const edits = [...byName].map(([name, { to, statData }]) => {
    const [first, end] = rangeOf(file, name);
    const before = end > first ? file.entryAt(first) : undefined;
    const entry: IndexEntry | undefined = to && {
      name,
      stage: 0,
      mode: to.mode,
      oid: to.oid,
      skipped: before?.skipped ?? false,
      announced: false,
      assumed: before?.assumed ?? false,
      statData: statData ?? NO_STAT_DATA,
    };
    return { name, first, end, entry };
  });
  return editedIndex(
    file,
    edits.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    since,
    memory,
  );
}

async function writeByGit(
  place: GitPlace,
  path: string,
  copy: string,
  view: IndexView,
  changes: readonly IndexChange[],
): Promise<void> {
  await copyIndex(path, copy);
  const input = changes.map(
    ({ path: name, to }) => `${to ? `${to.mode} ${to.oid}` : `0 ${"0".repeat(40)}`}\t${name}\0`,
  );
  await git(place, ["update-index", "--add", "--remove", "--replace", "-z", "--index-info"], {
    input: input.join(""),
    variables: { GIT_INDEX_FILE: copy },
  });
  const skipped = changes.filter(({ path: name, to }) => to && view.at(name)[0]?.skipped);
  if (skipped.length > 0)
    await git(place, ["update-index", "--skip-worktree", "-z", "--stdin"], {
      input: skipped.map(({ path: name }) => `${name}\0`).join(""),
      variables: { GIT_INDEX_FILE: copy },
    });
  await syncPresent(copy);
}
