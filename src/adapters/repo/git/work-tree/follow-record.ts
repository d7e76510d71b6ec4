import { existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isOid, type Oid, type RefName } from "../../../../domain/git/git-names.ts";
import { machine } from "../../../../domain/layout.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { readIfThere } from "../disk/small-file.ts";
import { writeFileSynced } from "../disk/write-synced.ts";

/**
 * The commit that work tree and index still have to reach. Written before the checked-out branch moves and cleared after
 * they followed, so that a crash in between is detected. Without it, a person's `git reset --soft` would look like a work
 * tree that did not follow, and would be undone.
 */
export interface FollowState {
  /** The commit that work tree and index were last brought to. */
  readonly commit: Oid | undefined;
  readonly pending: PendingFollow | undefined;
}

export interface PendingFollow {
  readonly ref: RefName;
  readonly to: Oid;
  /** Commits whose version of a file the work tree may still hold, oldest first; "" stands for no commit. */
  readonly since: readonly Oid[];
  /** Paths whose index entry is up to date while the file could not be written. */
  readonly left: readonly string[];
  /** Paths that held the target before the move, by a person's hand: if the move does not happen, these files stay. */
  readonly kept?: readonly string[];
}

export interface FollowRecord {
  read(): Promise<FollowState>;
  /** For the time before a move. Durable when it resolves. */
  writeDurably(state: FollowState): Promise<void>;
  /**
   * For the time after a move. Atomic, not synced: a power cut may bring the pending record back, and the next pass then
   * finds everything done, because files and index are synced before.
   */
  write(state: FollowState): Promise<void>;
}

const MAX_SINCE = 20;

export function followRecord(workTree: string, gitDir: string, syncFolder: FolderSync): FollowRecord {
  const beside = join(gitDir, "bloom-followed"); // for a repository without the machine's folder
  const path = existsSync(join(workTree, machine.folder)) ? join(workTree, machine.followed) : beside;
  const temporary = `${path}.${process.pid}.tmp`;
  const textOf = (state: FollowState): string => `${JSON.stringify(trimmed(state))}\n`;
  return {
    async read() {
      const text = readIfThere(path) ?? readIfThere(beside);
      return text === undefined ? { commit: undefined, pending: undefined } : parse(text);
    },
    async writeDurably(state) {
      await writeFileSynced(temporary, textOf(state), { flags: "w" });
      renameSync(temporary, path);
      await syncFolder(dirname(path));
    },
    // Synchronous: for one unsynced line, the trips through the thread pool would cost ten times the write.
    async write(state) {
      writeFileSync(temporary, textOf(state));
      renameSync(temporary, path);
    },
  };
}

/** Drops the middle of a long `since`. A file that still holds such a version then counts as edited by hand. */
function trimmed(state: FollowState): FollowState {
  const since = state.pending?.since ?? [];
  if (!state.pending || since.length <= MAX_SINCE) return state;
  return { ...state, pending: { ...state.pending, since: [since[0]!, ...since.slice(1 - MAX_SINCE)] } };
}

/** An unreadable record counts as none: then nothing in the work tree is touched. */
function parse(text: string): FollowState {
  try {
    const { commit, pending } = JSON.parse(text) as Partial<FollowState>;
    const known =
      pending !== undefined &&
      typeof pending.ref === "string" &&
      isOid(pending.to) &&
      Array.isArray(pending.since) &&
      pending.since.every((each) => each === "" || isOid(each)) &&
      Array.isArray(pending.left) &&
      (pending.kept === undefined || Array.isArray(pending.kept));
    return { commit: commit !== undefined && isOid(commit) ? commit : undefined, pending: known ? pending : undefined };
  } catch {
    return { commit: undefined, pending: undefined };
  }
}
