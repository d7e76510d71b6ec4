import { z } from "zod";
import { Failure } from "../../../../base/failure.ts";
import { compareUtf8 } from "../../../../base/order.ts";
import { isInFolder } from "../../../../domain/note/note-name.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readNoteFacts } from "../../../agents/search/note-facts.ts";
import { noteTimes, timeOfNote } from "../../../agents/search/note-times.ts";
import { folderField, limitField, nameField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { expectNote, folderPath, notesForAgent, slugOfNote } from "./note-names.ts";

/** Upper limit, also if the contract allows more. */
const MOST_NOTES = 500;

/**
 * A list, because procedures iterate over it. At most `context.max_sources` notes, last changed first; each has its number and the
 * total, so that a page is not taken for the whole list. `after` continues behind a note; `without_tag`, `min_words` and `skip` leave
 * out what a procedure has done, so that a repeated run goes on to the next notes.
 */
export const readNotesTool = gardenTool({
  name: "read-notes",
  description: {
    en: "List notes, the last changed first: slug, path, title, tags, updated_at, words; number and total say how many there are. after: go on behind this note; without_tag, min_words: only such notes; skip: slugs to leave out, unless the note changed after skip_until.",
    uk: "Список нотаток, спершу щойно змінені: slug, path, title, tags, updated_at, words; number і total кажуть, скільки їх усього. after: далі за цією нотаткою; without_tag, min_words: лише такі нотатки; skip: які slug пропустити, якщо нотатка не змінилася після skip_until.",
  },
  input: group({
    folder: folderField.nullish(),
    limit: limitField.nullish(),
    after: nameField.nullish(),
    without_tag: nameField.nullish(),
    min_words: z.int("limit").min(0, "limit").max(1_000_000, "limit").nullish(),
    skip: z.array(nameField).max(100_000, "list").nullish(),
    skip_until: z.union([z.string("date").max(100, "date"), z.number("date")], "date").nullish(),
  }),
  idempotent: true,
  async call(asked, context) {
    const { garden, commit, contract, slug } = context;
    const { notes_root: root } = garden.config;
    const within = asked.folder ? withinContract(context, asked.folder) : undefined;
    const notes = (await notesForAgent(context)).filter(({ path }) => within === undefined || isInFolder(path, within));
    const paths = notes.map(({ path }) => path);
    const times = await noteTimes(garden.repo, commit, root === "." ? "" : root, paths, slug);
    const ordered = paths.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || compareUtf8(a, b));
    const most = Math.min(asked.limit ?? MOST_NOTES, contract.context.max_sources, MOST_NOTES);
    const chosen = await chosenNotes(context, asked, ordered, times);
    const from = asked.after ? chosen.indexOf((await expectNote(context, asked.after)).path) + 1 : 0;
    return Promise.all(
      chosen.slice(from, from + most).map(async (path, index) => {
        const at = times.get(path) ?? (await timeOfNote(garden.repo, commit, path));
        return {
          slug: slugOfNote(path, root),
          path,
          ...(await readNoteFacts(garden.repo, commit, path)),
          updated_at: at === undefined ? null : new Date(at).toISOString(),
          number: from + index + 1,
          total: chosen.length,
        };
      }),
    );
  },
});

interface NoteFilter {
  readonly without_tag?: string | null | undefined;
  readonly min_words?: number | null | undefined;
  readonly skip?: readonly string[] | null | undefined;
  /** A date, or milliseconds since 1970. */
  readonly skip_until?: string | number | null | undefined;
}

/** The notes that pass the filter, in order. Reads every note only for the filters by tag and length. */
async function chosenNotes(
  { garden, commit }: ToolContext,
  { without_tag, min_words, skip, skip_until }: NoteFilter,
  paths: readonly string[],
  times: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const { notes_root: root } = garden.config;
  const done = new Set(skip ?? []);
  const until = typeof skip_until === "number" ? skip_until : Date.parse(skip_until ?? "");
  const isDone = (path: string): boolean =>
    done.has(slugOfNote(path, root)) &&
    !((times.get(path) ?? 0) > (Number.isNaN(until) ? Number.POSITIVE_INFINITY : until));
  const left = paths.filter((path) => !isDone(path));
  if (!without_tag && !min_words) return left;
  const chosen: string[] = [];
  for (const path of left) {
    const { tags, words } = await readNoteFacts(garden.repo, commit, path);
    if (words >= (min_words ?? 0) && !(without_tag && tags.includes(without_tag))) chosen.push(path);
  }
  return chosen;
}

function withinContract({ garden, contract }: ToolContext, asked: string): string {
  const { notes_root: root } = garden.config;
  const wanted = folderPath(asked, root);
  const own = contract.context.folder === undefined ? undefined : folderPath(contract.context.folder, root);
  if (own === undefined || isInFolder(wanted, own) || isInFolder(own, wanted)) return wanted;
  throw new Failure("FORBIDDEN", {
    en: `${asked} lies outside context.folder of this agent (${own})`,
    uk: `${asked} — поза context.folder цього агента (${own})`,
    details: { folder: asked, allowed: own },
  });
}
