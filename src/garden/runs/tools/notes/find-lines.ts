import { z } from "zod";
import type { Json } from "../../../../base/canonical.ts";
import { isInFolder } from "../../../../domain/note/note-name.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readNoteText } from "../../../agents/search/note-text.ts";
import { folderField, limitField, nameField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { expectNote, folderPath, notesForAgent, slugOfNote } from "./note-names.ts";

const MOST_LINES = 100;
const MAX_LINE = 1000;

const part = z.string("query").min(1, "query").max(200, "query");
const parts = z.union([part, z.array(part).max(50, "list")], "query");

/** Lines of notes, found literally: a procedure collects tasks, decisions or definitions with it. */
export const findLinesTool = gardenTool({
  name: "find-lines",
  description: {
    en: "Find lines of notes, word for word, in any letter case: slug, path, line, text, and rest, the text behind the found words. starts_with, contains: one text or a list of them, of which one must fit. note: one note; folder: one folder.",
    uk: "Знайди рядки нотаток дослівно, без огляду на великі літери: slug, path, line, text і rest — текст за знайденими словами. starts_with, contains: текст або список, з якого має підійти один. note: одна нотатка; folder: одна тека.",
  },
  input: group({
    contains: parts.nullish(),
    starts_with: parts.nullish(),
    note: nameField.nullish(),
    folder: folderField.nullish(),
    limit: limitField.nullish(),
  }),
  idempotent: true,
  async call(asked, context) {
    const { garden, commit } = context;
    const { notes_root: root } = garden.config;
    const contains = listOf(asked.contains);
    const starts = listOf(asked.starts_with);
    const found: Json[] = [];
    for (const path of await pathsOf(context, asked)) {
      const lines = (await readNoteText(garden.repo, commit, path)).split(/\r?\n/);
      for (const [index, line] of lines.entries()) {
        const text = line.trim();
        const rest = restOf(text, starts, contains);
        if (rest === undefined) continue;
        found.push({
          slug: slugOfNote(path, root),
          path,
          line: index + 1,
          text: text.slice(0, MAX_LINE).toWellFormed(),
          rest: rest.slice(0, MAX_LINE).toWellFormed(),
        });
        if (found.length === (asked.limit ?? MOST_LINES)) return found;
      }
    }
    return found;
  },
});

const listOf = (given: string | readonly string[] | null | undefined): readonly string[] =>
  (typeof given === "string" ? [given] : (given ?? [])).map((text) => text.normalize("NFC").toLowerCase());

async function pathsOf(
  context: ToolContext,
  { note, folder }: { readonly note?: string | null | undefined; readonly folder?: string | null | undefined },
): Promise<readonly string[]> {
  if (note) return [(await expectNote(context, note)).path];
  const within = folder ? folderPath(folder, context.garden.config.notes_root) : undefined;
  return (await notesForAgent(context))
    .map(({ path }) => path)
    .filter((path) => within === undefined || isInFolder(path, within));
}

/** The text behind the words that fit; undefined if they do not, or if none are asked for. */
function restOf(text: string, starts: readonly string[], contains: readonly string[]): string | undefined {
  const plain = text.normalize("NFC").toLowerCase();
  const start = starts.find((each) => plain.startsWith(each));
  const inside = contains.find((each) => plain.includes(each));
  if (starts.length > 0 && start === undefined) return undefined;
  if (contains.length > 0 && inside === undefined) return undefined;
  const mark = start ?? inside;
  if (mark === undefined) return undefined;
  return text
    .normalize("NFC")
    .slice(plain.indexOf(mark) + mark.length)
    .trim();
}
