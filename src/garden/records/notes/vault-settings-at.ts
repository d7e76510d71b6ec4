import type { Oid } from "../../../domain/git/git-names.ts";
import { isNotePath, type NoteRoots } from "../../../domain/note/note-path.ts";
import { readVaultSettings, VAULT_SETTINGS_PATH, type VaultSettings } from "../../../domain/note/vault-settings.ts";
import type { Garden } from "../../core/garden.ts";

const MAX_SETTINGS_BYTES = 1024 * 1024;

interface VaultGround {
  readonly repo: Garden["repo"];
  readonly config: NoteRoots;
}

/** Obsidian's settings at a commit, of the folder of notes or of the whole garden; undefined if it is no vault of Obsidian. */
export async function vaultSettingsAt({ repo, config }: VaultGround, at: Oid): Promise<VaultSettings | undefined> {
  const folders = config.notes_root === "." ? [""] : [`${config.notes_root}/`, ""];
  for (const folder of folders) {
    const file = await repo.read(at, `${folder}${VAULT_SETTINGS_PATH}`);
    if (!file || file.bytes.length > MAX_SETTINGS_BYTES) continue;
    const settings = readVaultSettings(Buffer.from(file.bytes).toString());
    return {
      ...settings,
      newNoteFolder: settings.newNoteFolder === undefined ? undefined : `${folder}${settings.newNoteFolder}`,
      isExcluded: (path) => path.startsWith(folder) && settings.isExcluded(path.slice(folder.length)),
    };
  }
  return undefined;
}

/** The folder for a new note without one: where Obsidian puts new notes if that is a place for notes, else the notes root. */
export async function newNoteFolderAt(garden: VaultGround, at: Oid): Promise<string> {
  const folder = (await vaultSettingsAt(garden, at))?.newNoteFolder;
  return folder !== undefined && isNotePath(`${folder}/x.md`, garden.config) ? folder : garden.config.notes_root;
}

/** The notes that a person excluded in Obsidian: search and agents leave them alone. */
export async function excludedAt(garden: VaultGround, at: Oid): Promise<(path: string) => boolean> {
  return (await vaultSettingsAt(garden, at))?.isExcluded ?? (() => false);
}
