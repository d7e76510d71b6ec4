import { existsSync, renameSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isOid, type Oid, type RefName } from "../../../../domain/git/git-names.ts";
import { machine } from "../../../../domain/layout.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { readIfThere } from "../disk/small-file.ts";

/**
 * What work tree and index are still to be brought to. Written before a ref of the checked-out branch moves, and
 * emptied after they followed, so that a crash in between is known of. Without it, a person's `git reset --soft` would
 * look just like a work tree that did not follow, and be undone.
 */
export interface Followed {
  /** The commit that work tree and index were last brought to. */
  readonly commit: Oid | undefined;
  readonly pending: Pending | undefined;
}

export interface Pending {
  readonly ref: RefName;
  readonly to: Oid;
  /** Commits whose version of a file the work tree may still hold, oldest first; the empty text stands for none. */
  readonly since: readonly Oid[];
  /** Paths whose index entry is up to date while the file could not be written. */
  readonly left: readonly string[];
}

export interface FollowedRecord {
  read(): Promise<Followed>;
  /** Before a move: durable when it answers. */
  announce(followed: Followed): Promise<void>;
  /**
   * After it: whole, but not synced. A power cut may bring the announcement back, and then all that it asks for is
   * found done, because files and index are synced before.
   */
  settle(followed: Followed): Promise<void>;
}

const MAX_SINCE = 20;

export function followedRecord(workTree: string, gitDir: string, syncFolder: FolderSync): FollowedRecord {
  const beside = join(gitDir, "bloom-followed"); // where there is no machine's folder (yet)
  const path = existsSync(join(workTree, machine.folder)) ? join(workTree, machine.followed) : beside;
  const temporary = `${path}.${process.pid}.tmp`;
  const textOf = (followed: Followed): string => `${JSON.stringify(trimmed(followed))}\n`;
  return {
    async read() {
      const text = readIfThere(path) ?? readIfThere(beside);
      return text === undefined ? { commit: undefined, pending: undefined } : parse(text);
    },
    async announce(followed) {
      const handle = await open(temporary, "w");
      try {
        await handle.writeFile(textOf(followed));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    // At once: for a line that is not synced, turns through the thread pool would cost ten times the writing.
    async settle(followed) {
      writeFileSync(temporary, textOf(followed));
      renameSync(temporary, path);
    },
  };
}

/** A long time behind, the middle is forgotten: a file that still holds such a version counts as edited by hand. */
function trimmed(followed: Followed): Followed {
  const since = followed.pending?.since ?? [];
  if (!followed.pending || since.length <= MAX_SINCE) return followed;
  return { ...followed, pending: { ...followed.pending, since: [since[0]!, ...since.slice(1 - MAX_SINCE)] } };
}

/** A record that cannot be read is no record: then the work tree is taken as it is, and nothing in it is touched. */
function parse(text: string): Followed {
  try {
    const { commit, pending } = JSON.parse(text) as Partial<Followed>;
    const known =
      pending !== undefined &&
      typeof pending.ref === "string" &&
      isOid(pending.to) &&
      Array.isArray(pending.since) &&
      pending.since.every((each) => each === "" || isOid(each)) &&
      Array.isArray(pending.left);
    return { commit: commit !== undefined && isOid(commit) ? commit : undefined, pending: known ? pending : undefined };
  } catch {
    return { commit: undefined, pending: undefined };
  }
}
