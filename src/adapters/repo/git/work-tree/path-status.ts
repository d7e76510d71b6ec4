import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inBatches } from "../disk/in-batches.ts";
import type { IndexView } from "./index-store.ts";
import {
  type FileComparison,
  type FileVersion,
  matchingVersion,
  readWorkFile,
  sameVersion,
  type WorkFile,
} from "./work-file.ts";

/** A path that has to follow: its versions, from the oldest that may still be there to the target (the last one). */
export interface PathPlan {
  readonly path: string;
  readonly versions: readonly FileVersion[];
  /** An earlier pass wrote the index entry and not the file, so the file may hold any of the versions. */
  readonly left: boolean;
}

/** `there`: the target. `old`: an unedited older version. `edited`: changed by a person. */
export type PathState = "there" | "old" | "edited";

export interface PathStatus {
  readonly path: string;
  readonly to: FileVersion;
  readonly file: PathState;
  readonly index: PathState;
  readonly found: WorkFile["kind"];
  /** Permissions of the present file, if the target can keep them. */
  readonly permissions: number | undefined;
  /** Versions that may be overwritten. */
  readonly expected: readonly FileVersion[];
}

/**
 * Compares each path with its plan. Reads only. Because we write files before the index, an index entry that is newer
 * than its file means that a person changed the file, even if to an older version.
 */
export async function statusesOf(
  workTree: string,
  index: IndexView,
  plans: readonly PathPlan[],
  how: FileComparison,
): Promise<PathStatus[]> {
  const cleared = new Set(plans.filter(({ versions }) => versions.at(-1) === undefined).map(({ path }) => path));
  return inBatches(plans, 32, (plan) => statusOf(workTree, index, plan, cleared, how));
}

/** Paths that a person edited, in the file or in the index. */
export const editedPaths = (statuses: readonly PathStatus[]): string[] =>
  statuses.filter(({ file, index }) => file === "edited" || index === "edited").map(({ path }) => path);

async function statusOf(
  workTree: string,
  index: IndexView,
  { path, versions, left }: PathPlan,
  cleared: ReadonlySet<string>,
  how: FileComparison,
): Promise<PathStatus> {
  const to = versions.at(-1);
  const entries = index.at(path);
  const [entry] = entries;
  const staged: FileVersion = entry && { mode: entry.mode as NonNullable<FileVersion>["mode"], oid: entry.oid };
  const plainEntry = entries.length <= 1 && !(entry && (entry.stage !== 0 || entry.announced));
  const position = plainEntry ? versions.findIndex((version) => sameVersion(version, staged)) : -1;
  const indexBlocked = to !== undefined && clashes(index, path, cleared);

  const found = await readWorkFile(workTree, path);
  const expected = versions.slice(left ? 0 : Math.max(position, 0));
  const seen = found.kind === "folder" && (await holdsOnly(workTree, path, cleared)) ? ABSENT : found;
  const match = await matchingVersion(path, seen, expected, how);
  const fileBlocked = to !== undefined && found.kind === "blocked" && !cleared.has(found.at);
  const skipped = entry?.skipped ?? false;
  return {
    path,
    to,
    found: found.kind,
    permissions: found.kind === "file" && found.executable === (to?.mode === "100755") ? found.permissions : undefined,
    expected,
    index: position < 0 || indexBlocked ? "edited" : sameVersion(staged, to) ? "there" : "old",
    file:
      skipped || (match >= 0 && sameVersion(expected[match], to) && !fileBlocked)
        ? "there"
        : match < 0 || fileBlocked
          ? "edited"
          : "old",
  };
}

const ABSENT: WorkFile = { kind: "absent" };

/** True if the index has an entry above or below this path that this move does not delete. */
function clashes(index: IndexView, path: string, cleared: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join("/");
    if (index.at(above).length > 0 && !cleared.has(above)) return true;
  }
  return index.inside(path).some((below) => !cleared.has(below));
}

/** True if this move deletes every file in the folder. */
async function holdsOnly(workTree: string, folder: string, cleared: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(join(workTree, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() ? !(await holdsOnly(workTree, path, cleared)) : !cleared.has(path)) return false;
  }
  return true;
}
