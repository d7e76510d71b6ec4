import { repoPathProblem } from "../git/git-names.ts";
import type { LinkFormat } from "./link-target.ts";

/** Obsidian's settings of a vault: how links are written, where new notes go, which notes are left alone. */
export interface VaultSettings {
  readonly newLinkFormat: LinkFormat;
  readonly useMarkdownLinks: boolean;
  /** The folder of new notes, relative to the vault's; undefined: its top folder. */
  readonly newNoteFolder: string | undefined;
  /** True for a path that a person excluded ("Excluded files"): it stays a note and a target of links. */
  readonly isExcluded: (path: string) => boolean;
}

/** Relative to the vault's folder. */
export const VAULT_SETTINGS_PATH = ".obsidian/app.json";
const MOST_FILTERS = 200;

/** Reads `app.json`; settings that are missing or damaged have Obsidian's defaults. */
export function readVaultSettings(json: string | undefined): VaultSettings {
  const { newLinkFormat, useMarkdownLinks, userIgnoreFilters, newFileLocation, newFileFolderPath } = objectIn(json);
  const filters = (Array.isArray(userIgnoreFilters) ? userIgnoreFilters.slice(0, MOST_FILTERS) : [])
    .filter((filter) => typeof filter === "string" && filter !== "")
    .map((filter) => filterOf(filter as string));
  return {
    newLinkFormat: newLinkFormat === "relative" || newLinkFormat === "absolute" ? newLinkFormat : "shortest",
    useMarkdownLinks: useMarkdownLinks === true,
    // "current" is the folder of the open note: a proposal has none.
    newNoteFolder: newFileLocation === "folder" ? plainFolder(newFileFolderPath) : undefined,
    isExcluded: (path) => filters.some((matches) => matches(path)),
  };
}

/** A folder inside the vault; undefined for its top folder and for anything that is no path. */
function plainFolder(path: unknown): string | undefined {
  const folder = typeof path === "string" ? path.trim().replaceAll(/^\/+|\/+$/g, "") : "";
  return folder === "" || folder === "." || repoPathProblem(folder) !== undefined ? undefined : folder;
}

/** `/pattern/` is a regular expression; any other text is the beginning of a path, compared without case. */
function filterOf(filter: string): (path: string) => boolean {
  const pattern = /^\/(.+)\/$/.exec(filter)?.[1];
  const start = filter.toLowerCase();
  if (pattern === undefined) return (path) => path.toLowerCase().startsWith(start);
  // A pattern that repeats a group can take for ever on a long path, so it is not used.
  if (/\)[*+{]/.test(pattern)) return () => false;
  try {
    const expression = new RegExp(pattern, "i");
    return (path) => expression.test(path);
  } catch {
    return () => false;
  }
}

function objectIn(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
