import { dirname, join } from "node:path";
import { compareUtf8 } from "../../../../base/order.ts";
import type { Text } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { passing } from "../crash-points.ts";
import { diskTrouble } from "../disk/disk-failure.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { inGroups } from "../disk/in-batches.ts";
import type { Conversion } from "./conversion.ts";
import type { IndexChange, IndexStore, IndexView } from "./index-store.ts";
import type { Verdict } from "./path-status.ts";
import { findAt, MeanwhileEdited, removeWorkFile, versionAt, writeWorkFile } from "./work-file.ts";

export interface BringUp {
  readonly index: IndexStore;
  readonly workTree: string;
  readonly conversion: Conversion;
  readonly syncFolder: FolderSync;
  blob(oid: Oid): Promise<Uint8Array>;
  /** Whether a `.gitattributes` of that commit lies above the path. */
  attributesAbove(commit: Oid, path: string): Promise<boolean>;
}

export interface BroughtUp {
  readonly written: readonly string[];
  /** A person's edits: nothing more to do here. */
  readonly edited: readonly Behind[];
  /** What could not be done now and is to be tried again. */
  readonly trouble: readonly Behind[];
  /** Paths among the troubled ones whose index entry is up to date. */
  readonly left: readonly string[];
}

export interface Behind {
  readonly path: string;
  readonly why: Text;
}

/**
 * Brings files, and then index entries, to what they shall be; the caller holds `index.lock`. A person's edit stays,
 * but the index under an edited file moves on, so that a commit by hand of something else reverts nothing.
 */
export async function bringUp(
  parts: BringUp,
  index: IndexView,
  judged: readonly Verdict[],
  commit: Oid,
): Promise<BroughtUp> {
  const written: string[] = [];
  const edited: Behind[] = [];
  const trouble: Behind[] = [];
  const left: string[] = [];
  const changes: IndexChange[] = [];
  const folders = new Set<string>();
  passing("repo.follow.before-file");
  const bring = async (verdict: Verdict): Promise<void> => {
    if (verdict.index === "edited") {
      edited.push({ path: verdict.path, why: stagedByHand });
      return;
    }
    let remembered: Buffer | undefined;
    let standing: typeof verdict.file | "troubled" = verdict.file;
    if (verdict.file === "old") {
      try {
        remembered = await placeFile(parts, verdict, commit);
        written.push(verdict.path);
        folders.add(dirname(join(parts.workTree, verdict.path)));
      } catch (error) {
        if (error instanceof MeanwhileEdited) standing = "edited";
        else {
          standing = "troubled";
          trouble.push({ path: verdict.path, why: diskWhy(error) });
          left.push(verdict.path);
        }
      }
    }
    if (standing === "edited" && verdict.index === "old") edited.push({ path: verdict.path, why: editedByHand });
    if (verdict.index === "old") changes.push({ path: verdict.path, to: verdict.to, remembered });
  };
  // What goes makes room for what comes: a folder in the place of a file, or a file in that of a folder.
  for (const verdict of judged) if (!verdict.to) await bring(verdict);
  // Git converts by the attributes that it finds in the work tree, so those come before the files they speak of.
  const coming = Object.groupBy(
    judged.filter(({ to }) => to !== undefined),
    ({ path }) => (/(^|\/)\.gitattributes$/.test(path) ? "attributes" : "files"),
  );
  await inGroups(coming.attributes ?? [], 16, bring);
  await inGroups(coming.files ?? [], 16, bring);
  const lasting = inGroups([...folders], 16, (folder) => parts.syncFolder(folder).catch(() => undefined));
  passing("repo.follow.before-index");
  if (changes.length > 0) {
    try {
      await parts.index.write(index, changes, lasting);
    } catch (error) {
      const why = diskWhy(error);
      const known = new Set(trouble.map(({ path }) => path));
      trouble.push(...changes.filter(({ path }) => !known.has(path)).map(({ path }) => ({ path, why })));
      left.length = 0; // with an old index entry, an old file is no riddle
    }
  }
  await lasting;
  passing("repo.follow.after-index");
  return { written: written.toSorted(compareUtf8), edited, trouble, left };
}

async function placeFile(parts: BringUp, verdict: Verdict, commit: Oid): Promise<Buffer | undefined> {
  const { workTree, conversion } = parts;
  const { path, to, expected, found, permissions } = verdict;
  const unedited = async (): Promise<boolean> => {
    const now = await findAt(workTree, path);
    // A folder is judged before; here only an empty one can be left, and `rmdir` refuses any other.
    return now.kind === "folder" || (await versionAt(path, now, expected, conversion)) >= 0;
  };
  if (to?.mode === "160000") return undefined; // what a submodule has checked out is its own affair
  if (!to) {
    if (found !== "folder") await removeWorkFile(workTree, path, unedited);
    return undefined;
  }
  const converts = to.mode !== "120000" && conversion.mayConvert(await parts.attributesAbove(commit, path));
  const bytes = converts ? await conversion.converted(commit, path) : await parts.blob(to.oid);
  return writeWorkFile(workTree, path, { bytes, mode: to.mode, permissions }, unedited);
}

export const diskWhy = (error: unknown): Text => diskTrouble((error as NodeJS.ErrnoException).code ?? String(error));

const editedByHand: Text = {
  en: "edited by hand and not committed; the file was left as it is",
  uk: "відредаговано вручну і не закомічено; файл залишено як є",
};

const stagedByHand: Text = {
  en: "staged by hand and not committed; file and index were left as they are",
  uk: "додано до індексу вручну і не закомічено; файл та індекс залишено як є",
};
