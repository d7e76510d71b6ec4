import { basename, dirname } from "node:path";
import { MAX_SOURCE_BYTES } from "../../domain/import/front-source.ts";
import type { ImportFormat } from "../../domain/import/import-draft.ts";
import type { ImportRequest } from "../../garden/agents/import/plan-import.ts";
import type { CommandContext } from "../command.ts";
import { noImportSource } from "./import-source.ts";

type PromptFormat = Exclude<ImportFormat, "gh-aw">;

const MOST_FILES = 5000;
const mainName: Readonly<Record<PromptFormat, RegExp>> = {
  skill: /(?:^|\/)SKILL\.md$/,
  subagent: /\.md$/i,
  "agents-md": /(?:^|\/)(?:AGENTS|CLAUDE)\.md$/,
};

/** Skills, subagents or AGENTS.md files at a path: one file, or all below a folder. Links are named, not followed. */
export async function promptSource(
  context: CommandContext,
  format: PromptFormat,
  written: string,
): Promise<Pick<ImportRequest, "format" | "files" | "mains" | "skipped">> {
  const path = context.path(written);
  const { folders } = context.ground;
  const sight = await folders.at(dirname(path)).stat(basename(path));
  if (sight.kind !== "file" && sight.kind !== "folder") throw noImportSource(written);
  // A skill and AGENTS.md are named by their folder: paths begin with it.
  const folder = sight.kind === "file" ? dirname(path) : path;
  const root = folders.at(dirname(folder));
  const files = new Map<string, Uint8Array>();
  const skipped: string[] = [];
  const one = `${basename(folder)}/${basename(path)}`;
  for await (const found of root.walk(basename(folder))) {
    if (/(?:^|\/)(?:\.git|node_modules)\//.test(found.path)) continue;
    if (sight.kind === "file" && format !== "skill" && found.path !== one) continue;
    const fits = found.sight.kind === "file" && found.sight.size <= MAX_SOURCE_BYTES && files.size < MOST_FILES;
    const bytes = fits ? await root.read(found.path, MAX_SOURCE_BYTES) : undefined;
    if (bytes) files.set(found.path, bytes);
    else skipped.push(found.path);
  }
  const mains =
    sight.kind === "file" ? [one] : [...files.keys()].filter((name) => mainName[format].test(name)).toSorted();
  return { format, files, mains, skipped };
}
