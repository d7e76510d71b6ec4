import { basename, dirname } from "node:path";
import type { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { SessionMerged } from "../../garden/sessions/merge-session.ts";
import { markedConflicts, type ResolvedFiles, resolveConflicts } from "../../garden/sessions/resolve-conflicts.ts";
import { sessionHead } from "../../garden/sessions/topology.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption, textsOption } from "../options.ts";
import type { Subcommand } from "../subcommands.ts";

const MAX_FILE_BYTES = 64 * 1024 * 1024;

type Conflicts = Extract<SessionMerged, { kind: "conflicts" }> & { readonly from: string; readonly into: string };

/** The report of a merge with conflicts. With `--folder` their files are written there, with markers. */
export async function conflictReport(
  context: CommandContext,
  garden: Garden,
  { from, into, ...merged }: Conflicts,
): Promise<CommandReport> {
  const folder = textOption(context, "folder");
  const files = folder === undefined ? [] : await markedConflicts(garden, merged.ours, merged.theirs);
  if (folder !== undefined) {
    const target = context.ground.folders.at(context.path(folder));
    for (const { path, bytes } of files) if (bytes) await target.write(path, [bytes]);
  }
  const paths = merged.conflicts.map(({ path }) => path).join("\n");
  const next = `bloom session resolve ${from} ${into} --folder ${folder ?? "DIR"} --ours ${merged.ours} --theirs ${merged.theirs}`;
  return {
    text: {
      en: `both changed the same lines; nothing was written:\n${paths}\nResolve them in a folder (\`--folder DIR\` writes them there), then:\n${next}`,
      uk: `обидві змінили ті самі рядки; нічого не записано:\n${paths}\nРозв'яжіть їх у теці (\`--folder ТЕКА\` запише їх туди), тоді:\n${next}`,
    },
    json: merged,
    exit: 5,
  };
}

/** `bloom session resolve`: texts from a folder (`--folder`), single files (`--file PATH=FILE`), and removed ones (`--delete PATH`). */
export const resolveCommand: Subcommand = {
  usage: "FROM INTO",
  words: [2, 2],
  does: {
    en: "conclude a merge: the texts of all paths in conflict, from a folder or file by file",
    uk: "завершити злиття: тексти всіх шляхів із розбіжностями, з теки або окремими файлами",
  },
  async run(context, garden, [from, into]) {
    const ours = textOption(context, "ours") ?? (await sessionHead(garden.repo, into!));
    const theirs = textOption(context, "theirs") ?? (await sessionHead(garden.repo, from!));
    const files = await givenFiles(context, garden, { ours, theirs });
    const done = await resolveConflicts(garden, { from: from!, into: into!, ours, theirs, files });
    if (done.kind !== "merged") return { text: { en: "nothing to merge", uk: "зливати нема чого" }, json: done };
    return { text: { en: done.commit, uk: done.commit }, json: done };
  },
};

/** Removed paths, single files, and from the folder those that are in conflict and not named otherwise. */
async function givenFiles(
  context: CommandContext,
  garden: Garden,
  { ours, theirs }: { readonly ours: Oid; readonly theirs: Oid },
): Promise<ResolvedFiles> {
  const files = new Map<string, Uint8Array | undefined>();
  for (const path of textsOption(context, "delete")) files.set(path, undefined);
  for (const given of textsOption(context, "file")) {
    const at = given.indexOf("=");
    if (at < 1) throw notPathAndFile(given);
    files.set(given.slice(0, at), await readGiven(context, given.slice(at + 1)));
  }
  const folder = textOption(context, "folder");
  if (folder === undefined) return files;
  const source = context.ground.folders.at(context.path(folder));
  for (const { path } of await markedConflicts(garden, ours, theirs)) {
    if (files.has(path)) continue;
    const bytes = await source.read(path, MAX_FILE_BYTES);
    if (bytes) files.set(path, bytes); // a missing one is named by the check: a file is removed only by `--delete`
  }
  return files;
}

async function readGiven(context: CommandContext, file: string): Promise<Uint8Array> {
  const path = context.path(file);
  const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_FILE_BYTES);
  if (bytes) return bytes;
  throw usageError({ en: `--file: there is no file ${file}`, uk: `--file: немає файлу ${file}` }, PATH_AND_FILE);
}

const PATH_AND_FILE: Text = { en: "Write `--file PATH=FILE`.", uk: "Пишіть `--file ШЛЯХ=ФАЙЛ`." };
const notPathAndFile = (given: string): Failure =>
  usageError({ en: `--file: not a path and a file: ${given}`, uk: `--file: не шлях і файл: ${given}` }, PATH_AND_FILE);
