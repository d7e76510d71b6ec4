import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inGroups } from "../disk/in-batches.ts";
import type { IndexView } from "./index-store.ts";
import { type Found, findAt, type Matching, sameVersion, type Version, versionAt } from "./work-file.ts";

/** A path that is to follow: its versions from the oldest that may still stand there to the one that it shall have. */
export interface Plan {
  readonly path: string;
  readonly versions: readonly Version[];
  /** The file could not be written before, though the index was: it may hold an old version all the same. */
  readonly left: boolean;
}

/** `there`: as it shall be. `old`: an unedited older version. `edited`: a person's. */
export type Standing = "there" | "old" | "edited";

export interface Verdict {
  readonly path: string;
  readonly to: Version;
  readonly file: Standing;
  readonly index: Standing;
  /** Not in the work tree by the person's wish. */
  readonly skipped: boolean;
  readonly found: Found["kind"];
  /** Permissions of the file that stands there, where they can stay as they are. */
  readonly permissions: number | undefined;
  /** Versions that may be overwritten. */
  readonly expected: readonly Version[];
}

/**
 * Looks at each path without changing anything. Files are written before the index, so an index that is further on
 * than the file is not ours to explain: the file was changed by a person, even if to an older version.
 */
export async function verdicts(
  workTree: string,
  index: IndexView,
  plans: readonly Plan[],
  how: Matching,
): Promise<Verdict[]> {
  const cleared = new Set(plans.filter(({ versions }) => versions.at(-1) === undefined).map(({ path }) => path));
  return inGroups(plans, 32, (plan) => verdict(workTree, index, plan, cleared, how));
}

async function verdict(
  workTree: string,
  index: IndexView,
  { path, versions, left }: Plan,
  cleared: ReadonlySet<string>,
  how: Matching,
): Promise<Verdict> {
  const to = versions.at(-1);
  const entries = index.at(path);
  const [entry] = entries;
  const staged: Version = entry && { mode: entry.mode as NonNullable<Version>["mode"], oid: entry.oid };
  const plainEntry = entries.length <= 1 && !(entry && (entry.stage !== 0 || entry.announced));
  const position = plainEntry ? versions.findIndex((version) => sameVersion(version, staged)) : -1;
  const indexBlocked = to !== undefined && clashes(index, path, cleared);

  const found = await findAt(workTree, path);
  const expected = versions.slice(left ? 0 : Math.max(position, 0));
  const seen = found.kind === "folder" && (await holdsOnly(workTree, path, cleared)) ? ABSENT : found;
  const match = await versionAt(path, seen, expected, how);
  const fileBlocked = to !== undefined && found.kind === "blocked" && !cleared.has(found.at);
  const skipped = entry?.skipped ?? false;
  return {
    path,
    to,
    found: found.kind,
    permissions: found.kind === "file" && found.executable === (to?.mode === "100755") ? found.permissions : undefined,
    expected,
    skipped,
    index: position < 0 || indexBlocked ? "edited" : sameVersion(staged, to) ? "there" : "old",
    file:
      skipped || (match >= 0 && sameVersion(expected[match], to) && !fileBlocked)
        ? "there"
        : match < 0 || fileBlocked
          ? "edited"
          : "old",
  };
}

const ABSENT: Found = { kind: "absent" };

/** Whether the index holds something above or below this path that does not go away with this move. */
function clashes(index: IndexView, path: string, cleared: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join("/");
    if (index.at(above).length > 0 && !cleared.has(above)) return true;
  }
  return index.inside(path).some((below) => !cleared.has(below));
}

/** Whether a folder holds nothing but files that go away. */
async function holdsOnly(workTree: string, folder: string, cleared: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(join(workTree, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() ? !(await holdsOnly(workTree, path, cleared)) : !cleared.has(path)) return false;
  }
  return true;
}
