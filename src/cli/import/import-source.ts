import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { gatherFiles, markdownIn } from "../../garden/agents/import/gather-files.ts";
import type { ImportRequest } from "../../garden/agents/import/plan-import.ts";
import { readImportSource } from "../../garden/agents/import/read-import-source.ts";
import type { Folder } from "../../ports/folder.ts";
import type { CommandContext } from "../command.ts";

const WORKFLOWS = ".github/workflows";

/** The workflows at a path, with every file that they include. Includes may lead as far as the root of the repository. */
export async function workflowSource(
  context: CommandContext,
  written: string,
): Promise<Pick<ImportRequest, "format" | "files" | "mains">> {
  const path = context.path(written).replaceAll("\\", "/");
  const folders = context.ground.folders;
  const sight = await folders.at(dirname(path)).stat(basename(path));
  if (sight.kind !== "file" && sight.kind !== "folder") throw noImportSource(written);
  const at = path.lastIndexOf(`/${WORKFLOWS}`);
  const isInside = at >= 0 && /^(?:\/|$)/.test(path.slice(at + WORKFLOWS.length + 1));
  const root = folders.at(isInside ? path.slice(0, at) || "/" : sight.kind === "file" ? dirname(path) : path);
  const below = isInside ? path.slice(at + 1) : sight.kind === "file" ? basename(path) : "";
  const mains = sight.kind === "file" ? [below] : await markdownIn(root, await startOf(root, below));
  const files = await gatherFiles(root, mains, (source, file) =>
    readImportSource("gh-aw", { file, language: context.language }, source),
  );
  return { format: "gh-aw", files, mains };
}

/** A repository keeps its workflows in one folder. */
const startOf = async (root: Folder, below: string): Promise<string> =>
  below === "" && (await root.stat(WORKFLOWS)).kind === "folder" ? WORKFLOWS : below;

export const noImportSource = (path: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no file or folder ${path}`,
    uk: `немає файлу чи теки ${path}`,
    hint: {
      en: "A link is not followed: name what it leads to.",
      uk: "За посиланнями не йдемо: назвіть те, на що воно вказує.",
    },
  });
