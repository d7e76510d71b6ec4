import { readGhAwWorkflow } from "../../../domain/import/gh-aw/read-gh-aw.ts";
import type { ImportDraft, ImportFormat, ImportWish, NoDraft } from "../../../domain/import/import-draft.ts";
import type { SourceFiles } from "../../../domain/import/included-files.ts";
import { promptReader } from "../../../domain/import/prompt-files.ts";

type SourceReader = (wish: ImportWish, files: SourceFiles) => ImportDraft | NoDraft;

const readers: Readonly<Record<ImportFormat, SourceReader>> = {
  "gh-aw": readGhAwWorkflow,
  skill: promptReader("skill"),
  subagent: promptReader("subagent"),
  "agents-md": promptReader("agents-md"),
};

/** Reads one file of a format, with the files that it names. */
export const readImportSource = (format: ImportFormat, wish: ImportWish, files: SourceFiles): ImportDraft | NoDraft =>
  readers[format](wish, files);
