import { closeSync, existsSync, fdatasync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { blobId } from "../../../../base/canonical.ts";
import { isOid, type Oid, type RefName } from "../../../../domain/git/git-names.ts";
import { machine } from "../../../../domain/layout.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { bytesIfThere } from "../disk/small-file.ts";
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
  /** Paths whose temporary files were written before the commit was durable: a crash may have left them, without the commit. */
  readonly prepared?: readonly string[];
}

export interface FollowRecord {
  read(): Promise<FollowState>;
  /** For the time before a move. Durable when it resolves. */
  writeDurably(state: FollowState): Promise<void>;
  /**
   * For the time after a move. Atomic, and synced only if something is still pending: a power cut may bring the pending record back,
   * and the next pass then finds everything done, because files and index are synced before.
   */
  write(state: FollowState): Promise<void>;
}

const MAX_SINCE = 20;
/** Two of these make the file. A state that needs more room is written to a new file, which replaces this one. */
const SLOT_BYTES = 4096;

/**
 * One line of JSON, filled up with spaces, with a hash of the state: a slot that a power cut has torn does not count. The slot with the
 * highest number is the present state.
 */
interface Slot {
  readonly number: number;
  readonly state: FollowState;
}

/**
 * The record is overwritten in place, the older of its two slots each time: a move then waits for one sync of data, and the file
 * system has no new file to allocate and no old one to free. The caller holds git's `index.lock`, so there is one writer at a time.
 */
export function followRecord(workTree: string, gitDir: string, syncFolder: FolderSync): FollowRecord {
  const beside = join(gitDir, "bloom-followed"); // for a repository without the machine's folder
  const path = existsSync(join(workTree, machine.folder)) ? join(workTree, machine.followed) : beside;

  /** Writes the state into the older slot and returns true; false if the file has no room for it or has to be replaced. */
  async function overwritten(state: FollowState, isDurable: boolean): Promise<boolean> {
    const slots = slotsOf(bytesIfThere(path));
    if (!slots) return false;
    const number = Math.max(...slots.map((slot) => slot?.number ?? 0)) + 1;
    const bytes = slotBytes({ number, state });
    if (bytes.length > SLOT_BYTES) return false;
    const file = openedToWrite(path);
    if (file === undefined) return false;
    try {
      if (fstatSync(file).nlink > 1) return false; // a copy of the garden made of hard links shares this file
      const older = (slots[0]?.number ?? 0) <= (slots[1]?.number ?? 0) ? 0 : 1;
      // Synchronous: for one line, the trips through the thread pool would cost ten times the write.
      if (writeSync(file, bytes, 0, bytes.length, older * SLOT_BYTES) < bytes.length) return false;
      if (isDurable) await syncData(file);
    } finally {
      closeSync(file);
    }
    return true;
  }

  async function replaced(state: FollowState): Promise<void> {
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFileSynced(temporary, fileOf(state), { flags: "w" });
    renameSync(temporary, path);
    await syncFolder(dirname(path));
  }

  async function write(state: FollowState, isDurable: boolean): Promise<void> {
    const next = trimmed(state);
    if (!(await overwritten(next, isDurable))) await replaced(next);
  }

  return {
    async read() {
      const bytes = bytesIfThere(path) ?? bytesIfThere(beside);
      if (bytes === undefined) return NONE;
      const slots = slotsOf(bytes);
      return slots ? (latestOf(slots)?.state ?? NONE) : parse(bytes.toString());
    },
    writeDurably: (state) => write(state, true),
    // A state that is still pending may be in this slot alone: the next write overwrites the other one.
    write: (state) => write(state, state.pending !== undefined),
  };
}

const NONE: FollowState = { commit: undefined, pending: undefined };

const syncData: (file: number) => Promise<void> = promisify(fdatasync);

const latestOf = (slots: readonly (Slot | undefined)[]): Slot | undefined =>
  slots.reduce((latest, slot) => ((slot?.number ?? 0) > (latest?.number ?? 0) ? slot : latest), undefined);

/** Undefined if this process may not write the file, which may belong to another user: its folder may still be writable. */
function openedToWrite(path: string): number | undefined {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if (["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code!)) return undefined;
    throw error;
  }
}

/** The two slots of a file; undefined where one is torn. Undefined for a file of one state, as older versions wrote it. */
function slotsOf(bytes: Buffer | undefined): readonly [Slot | undefined, Slot | undefined] | undefined {
  if (bytes?.length !== 2 * SLOT_BYTES) return undefined;
  return [slotIn(bytes.subarray(0, SLOT_BYTES)), slotIn(bytes.subarray(SLOT_BYTES))];
}

function slotIn(bytes: Buffer): Slot | undefined {
  try {
    const { number, hash, state } = JSON.parse(bytes.toString()) as { number: number; hash: string; state: unknown };
    const text = JSON.stringify(state);
    return hash === blobId(Buffer.from(text)) ? { number, state: parse(text) } : undefined;
  } catch {
    return undefined;
  }
}

function slotBytes({ number, state }: Slot): Buffer {
  const line = JSON.stringify({ number, hash: blobId(Buffer.from(JSON.stringify(state))), state });
  const room = SLOT_BYTES - 1 - Buffer.byteLength(line);
  return Buffer.from(`${line}${" ".repeat(Math.max(0, room))}\n`);
}

/** A new file: two slots, the second one empty, or one line if a slot has not enough room. */
function fileOf(state: FollowState): Buffer {
  const first = slotBytes({ number: 1, state });
  if (first.length > SLOT_BYTES) {
    const line = Buffer.from(`${JSON.stringify(state)}\n`);
    return line.length === 2 * SLOT_BYTES ? Buffer.concat([line, Buffer.from("\n")]) : line; // its length tells it from two slots
  }
  return Buffer.concat([first, Buffer.from(`${" ".repeat(SLOT_BYTES - 1)}\n`)]);
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
      [pending.kept, pending.prepared].every((paths) => paths === undefined || Array.isArray(paths));
    return { commit: commit !== undefined && isOid(commit) ? commit : undefined, pending: known ? pending : undefined };
  } catch {
    return NONE;
  }
}
