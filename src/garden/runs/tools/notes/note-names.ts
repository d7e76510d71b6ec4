import { didYouMean } from "../../../../base/did-you-mean.ts";
import { Failure } from "../../../../base/failure.ts";
import { commonFolders } from "../../../../domain/contract/capabilities.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { TreeFile } from "../../../../ports/repo.ts";
import { type ReadScope, readScope } from "../../../core/access/read-scope.ts";
import { noNote } from "../../../records/notes/read-notes.ts";
import { excludedAt } from "../../../records/notes/vault-settings-at.ts";
import type { ToolContext } from "../tool.ts";

type NoteContext = Pick<ToolContext, "garden" | "contract" | "commit">;

/** Notes at the run's commit that the agent may see by its contract (C-11), without those that Obsidian excludes, in order of path. */
export async function notesForAgent({ garden, contract, commit }: NoteContext): Promise<readonly TreeFile[]> {
  const { notes_root: root } = garden.config;
  const sees = agentSight({ garden, contract });
  const isExcluded = await excludedAt(garden, commit);
  return (await garden.repo.list(commit, root === "." ? "" : root)).filter(
    ({ path, mode }) => mode !== "120000" && mode !== "160000" && sees(path) && !isExcluded(path),
  );
}

/** The part of the garden that the agent may see, at any commit. */
export function agentSight({ garden, contract }: Pick<NoteContext, "garden" | "contract">): ReadScope {
  const { notes_root: root } = garden.config;
  const { folder } = contract.context;
  const within = folder === undefined ? "." : folderPath(folder, root);
  return readScope(
    garden.config,
    commonFolders(within === "." ? undefined : [within], contract.ceiling?.reads) ?? "all",
  );
}

/**
 * A note's slug: its path below the notes root, without the extension. Agents remember slugs: unlike a file name, a slug stays
 * unique when notes are added.
 */
export const slugOfNote = (path: string, root: string): string =>
  (root === "." ? path : path.slice(root.length + 1)).replace(/\.(?:md|markdown)$/i, "");

/** Resolves a folder that is written relative to the notes root or to the garden's root. */
export const folderPath = (folder: string, root: string): string => {
  const plain = folder.replace(/\/+$/, "");
  return root === "." || plain === root || plain.startsWith(`${root}/`) ? plain : `${root}/${plain}`;
};

export type NamedNote =
  | { readonly kind: "note"; readonly path: string; readonly oid: Oid }
  | { readonly kind: "several"; readonly paths: readonly string[] }
  | { readonly kind: "none"; readonly near: string | undefined };

/** Finds a note by slug, path or file name, among those that the agent may see. */
export async function findNote(context: NoteContext, written: string): Promise<NamedNote> {
  const { notes_root: root } = context.garden.config;
  const notes = await notesForAgent(context);
  const wanted = plainName(written);
  const names = (path: string): readonly string[] => [
    path,
    path.replace(/\.[^./]+$/, ""),
    slugOfNote(path, root),
    below(path, root),
  ];
  const exact = notes.filter(({ path }) => names(path).some((name) => name.normalize("NFC") === wanted));
  if (exact[0]) return { kind: "note", ...exact[0] };
  const byFile = notes.filter(({ path }) => fileNames(path).includes(wanted));
  if (byFile.length > 1) return { kind: "several", paths: byFile.slice(0, 10).map(({ path }) => path) };
  if (byFile[0]) return { kind: "note", ...byFile[0] };
  return {
    kind: "none",
    near: didYouMean(
      wanted,
      notes.slice(0, 2000).map(({ path }) => slugOfNote(path, root)),
    ),
  };
}

/** The same, or throws NOT_FOUND or VALIDATION_FAILED with a suggestion. */
export async function expectNote(context: NoteContext, written: string): Promise<{ path: string; oid: Oid }> {
  const found = await findNote(context, written);
  if (found.kind === "note") return found;
  if (found.kind === "several") throw severalNotes(written, found.paths);
  throw found.near === undefined ? noNote(shown(written)) : noSuchNote(written, found.near);
}

const below = (path: string, root: string): string => (root === "." ? path : path.slice(root.length + 1));
const fileNames = (path: string): string[] => {
  const name = path.split("/").at(-1)!.normalize("NFC");
  return [name, name.replace(/\.(?:md|markdown)$/i, "")];
};
/** Strips the brackets of a link: `[[скрипка]]`. */
const plainName = (written: string): string =>
  written
    .normalize("NFC")
    .trim()
    .replace(/^\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/, "$1")
    .replace(/^\.?\/+/, "");
const shown = (written: string): string => JSON.stringify(written.slice(0, 100));

const severalNotes = (written: string, paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${shown(written)} is the name of several notes: ${paths.join(", ")}`,
    uk: `${shown(written)} — назва кількох нотаток: ${paths.join(", ")}`,
    hint: { en: "Write the path.", uk: "Вкажіть шлях." },
    details: { candidates: paths },
  });

const noSuchNote = (written: string, near: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no note ${shown(written)}; did you mean "${near}"?`,
    uk: `немає нотатки ${shown(written)}; можливо, «${near}»?`,
    details: { note: written.slice(0, 500), near },
  });
