import { dirname, join } from "node:path";
import { compareUtf8 } from "../../../../base/order.ts";
import type { Text } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { inBatches } from "../disk/in-batches.ts";
import { diskReason, editedByHand, stagedByHand } from "./failures.ts";
import type { FollowRecord, PendingFollow } from "./follow-record.ts";
import type { IndexChange, IndexStore, IndexView, NextIndex } from "./index-store.ts";
import type { PathStatus } from "./path-status.ts";
import { type FileSource, type PreparedFiles, prepareFile } from "./prepared-files.ts";
import { EditedMeanwhile, matchingVersion, type PreparedFile, readWorkFile, removeWorkFile } from "./work-file.ts";

export interface CheckOutDeps extends FileSource {
  readonly index: IndexStore;
  readonly syncFolder: FolderSync;
}

/** Files that are written, and an index that is ready to follow. */
export interface CheckedOut {
  readonly written: readonly string[];
  /** A person's edits, left alone. They are not retried. */
  readonly edited: readonly PathBehind[];
  /** Paths to retry. */
  readonly failed: readonly PathBehind[];
  /** Failed paths whose index entry is up to date. */
  readonly left: readonly string[];
  /** The index that knows of these files; undefined if it does already, or if it could not be written. */
  readonly index: NextIndex | undefined;
  /** The reason why the index could not be written. */
  readonly indexError: unknown;
}

export interface PathBehind {
  readonly path: string;
  readonly why: Text;
}

/**
 * Writes files, and the next index beside the present one; the caller holds `index.lock` and installs the index. A file edited by a
 * person stays, but the index entry under it moves on, so that a commit by hand of something else reverts nothing. Files in `prepared`
 * are only renamed.
 */
export async function checkOut(
  deps: CheckOutDeps,
  index: IndexView,
  statuses: readonly PathStatus[],
  commit: Oid,
  prepared: PreparedFiles,
): Promise<CheckedOut> {
  const written: string[] = [];
  const edited: PathBehind[] = [];
  const failed: PathBehind[] = [];
  const changes: IndexChange[] = [];
  repoCrashPoint("repo.follow.before-file");
  const bring = async (status: PathStatus): Promise<void> => {
    const { path, to } = status;
    if (status.index === "edited") {
      edited.push({ path, why: stagedByHand });
      return;
    }
    let statData: Buffer | undefined;
    let isEdited = status.file === "edited";
    if (status.file === "old") {
      try {
        statData = await bringFile(deps, status, commit, prepared.get(path));
        written.push(path);
      } catch (error) {
        if (error instanceof EditedMeanwhile) isEdited = true;
        else failed.push({ path, why: diskReason(error) });
      }
    }
    if (status.index !== "old") return;
    if (isEdited) edited.push({ path, why: editedByHand });
    changes.push({ path, to, statData });
  };
  await inOrder(statuses, bring);
  const folders = new Set(written.map((path) => dirname(join(deps.workTree, path))));
  // An index newer than its files would look, after a power cut, as if a person had changed them.
  const synced = inBatches([...folders], 16, (folder) => deps.syncFolder(folder).catch(() => undefined));
  const left = failed.map(({ path }) => path);
  const done = {
    written: written.toSorted(compareUtf8),
    edited,
    failed,
    left,
    index: undefined,
    indexError: undefined,
  };
  repoCrashPoint("repo.follow.before-index");
  try {
    return changes.length === 0 ? done : { ...done, index: await deps.index.prepare(index, changes) };
  } catch (error) {
    const why = diskReason(error);
    const behind = changes.filter(({ path }) => !left.includes(path)).map(({ path }) => ({ path, why }));
    // An old file under an old index entry needs no note.
    return { ...done, failed: [...failed, ...behind], left: [], indexError: error };
  } finally {
    await synced;
  }
}

/**
 * Puts the next index in place. Before that it records, durably, which files could not be written: after a crash, an old file under
 * a new entry would otherwise count as edited by hand, and the next `git commit -a` would take the move back.
 */
export async function installIndex(
  { index, left }: CheckedOut,
  record: FollowRecord,
  pending: PendingFollow,
): Promise<void> {
  if (index && left.length > 0) await record.writeDurably({ commit: undefined, pending: { ...pending, left } });
  index?.install();
}

/**
 * Deletions come first: a folder may replace a file, and a file a folder. Attribute files come before the files they
 * apply to, because git converts by the attributes that it finds in the work tree.
 */
async function inOrder(statuses: readonly PathStatus[], bring: (status: PathStatus) => Promise<void>): Promise<void> {
  for (const status of statuses) if (!status.to) await bring(status);
  const present = statuses.filter(({ to }) => to !== undefined);
  const isAttributes = ({ path }: PathStatus): boolean => /(^|\/)\.gitattributes$/.test(path);
  await inBatches(present.filter(isAttributes), 16, bring);
  await inBatches(
    present.filter((status) => !isAttributes(status)),
    16,
    bring,
  );
}

/** Returns the stat data for the index entry. Throws `EditedMeanwhile` if a person was faster. */
async function bringFile(
  deps: CheckOutDeps,
  status: PathStatus,
  commit: Oid,
  prepared: PreparedFile | undefined,
): Promise<Buffer | undefined> {
  const { workTree, conversion } = deps;
  const { path, to, expected, found } = status;
  const unedited = async (): Promise<boolean> => {
    const now = await readWorkFile(workTree, path);
    // A folder with files in it was refused before; here it can only be empty, and `rmdir` fails on any other.
    return now.kind === "folder" || (await matchingVersion(path, now, expected, conversion)) >= 0;
  };
  if (to?.mode === "160000") return undefined; // a submodule's checkout is not ours
  if (!to) {
    if (found !== "folder") await removeWorkFile(workTree, path, unedited);
    return undefined;
  }
  const file = prepared ?? (await prepareFile(deps, { ...status, to }, commit));
  return file.place(unedited);
}
