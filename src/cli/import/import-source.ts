import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { filesAt, filesIn, gatherFiles, markdownIn, type SourceFile } from "../../garden/agents/import/gather-files.ts";
import type { ImportRequest } from "../../garden/agents/import/plan-import.ts";
import { readImportSource } from "../../garden/agents/import/read-import-source.ts";
import type { Folder } from "../../ports/folder.ts";
import type { CommandContext } from "../command.ts";

const WORKFLOWS = ".github/workflows";

/** The workflows at a path, with every file that they include. Includes may lead as far as the root of the repository. */
export async function workflowSource(context: CommandContext, written: string): Promise<WorkflowSource> {
  if (isAddress(written)) return repositorySource(context, written);
  const path = context.path(written).replaceAll("\\", "/");
  const folders = context.ground.folders;
  const sight = await folders.at(dirname(path)).stat(basename(path));
  if (sight.kind !== "file" && sight.kind !== "folder") throw noImportSource(written);
  if (sight.kind === "folder" && (await isBare(folders.at(path)))) return repositorySource(context, path);
  const at = path.lastIndexOf(`/${WORKFLOWS}`);
  const isInside = at >= 0 && /^(?:\/|$)/.test(path.slice(at + WORKFLOWS.length + 1));
  const root = folders.at(isInside ? path.slice(0, at) || "/" : sight.kind === "file" ? dirname(path) : path);
  const below = isInside ? path.slice(at + 1) : sight.kind === "file" ? basename(path) : "";
  const mains = sight.kind === "file" ? [below] : await markdownIn(root, await startOf(root, below));
  return { format: "gh-aw", files: await withIncludes(context, filesIn(root), mains), mains };
}

type WorkflowSource = Pick<ImportRequest, "format" | "files" | "mains">;

const withIncludes = (context: CommandContext, fileOf: SourceFile, mains: readonly string[]) =>
  gatherFiles(fileOf, mains, (source, file) => readImportSource("gh-aw", { file, language: context.language }, source));

/** The newest commit of a repository may have this many bytes. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_WORKFLOWS = 5000;

/** The workflows of a repository, read from its newest commit. Nothing is checked out. */
async function repositorySource(context: CommandContext, url: string): Promise<WorkflowSource> {
  context.progress.at({ en: "fetching the repository", uk: "отримання репозиторію" });
  const snapshot = await context.ground.repos.openSnapshot(url, { bytes: MOST_BYTES });
  try {
    const found = (await snapshot.list(snapshot.head, WORKFLOWS)).map(({ path }) => path);
    const mains = found.filter((path) => /\.md$/i.test(path)).slice(0, MOST_WORKFLOWS);
    if (mains.length === 0) throw noWorkflows(url);
    return { format: "gh-aw", files: await withIncludes(context, filesAt(snapshot), mains), mains };
  } finally {
    await snapshot.close();
  }
}

/** `https://host/name.git`, `git@host:name.git`: an address, not a path. */
const isAddress = (written: string): boolean => /^(?:[a-z][a-z0-9+.-]*:\/\/|[^\s/\\@]+@[^\s/\\:]+:)/i.test(written);

/** A bare repository has no work tree that could be read. */
const isBare = async (folder: Folder): Promise<boolean> =>
  (await folder.stat("HEAD")).kind === "file" &&
  (await folder.stat("objects")).kind === "folder" &&
  (await folder.stat("refs")).kind === "folder";

const noWorkflows = (url: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no Markdown in ${WORKFLOWS} of ${url.replace(/\/\/[^/@]*@/, "//")}`,
    uk: `у ${WORKFLOWS} репозиторію ${url.replace(/\/\/[^/@]*@/, "//")} немає Markdown`,
    hint: {
      en: "Workflows of gh-aw are .md files in that folder of the default branch.",
      uk: "Процеси gh-aw — файли .md у цій теці головної гілки.",
    },
  });

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
