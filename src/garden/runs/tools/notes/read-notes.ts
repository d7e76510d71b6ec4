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
 * total, so that a page is not taken for the whole list. `after` continues behind a note.
 */
export const readNotesTool = gardenTool({
  name: "read-notes",
  description: {
    en: "List notes, the last changed first: slug, path, title, tags, updated_at, words; number and total say how many there are. after: go on behind this note.",
    uk: "Список нотаток, спершу щойно змінені: slug, path, title, tags, updated_at, words; number і total кажуть, скільки їх усього. after: далі за цією нотаткою.",
  },
  input: group({ folder: folderField.nullish(), limit: limitField.nullish(), after: nameField.nullish() }),
  idempotent: true,
  async call(asked, context) {
    const { garden, commit, contract, slug } = context;
    const { notes_root: root } = garden.config;
    const within = asked.folder ? withinContract(context, asked.folder) : undefined;
    const notes = (await notesForAgent(context)).filter(({ path }) => within === undefined || isInFolder(path, within));
    const paths = notes.map(({ path }) => path);
    const times = await noteTimes(garden.repo, commit, root === "." ? "" : root, paths, slug);
    const ordered = paths.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || compareUtf8(a, b));
    const from = asked.after ? ordered.indexOf((await expectNote(context, asked.after)).path) + 1 : 0;
    const most = Math.min(asked.limit ?? MOST_NOTES, contract.context.max_sources, MOST_NOTES);
    return Promise.all(
      ordered.slice(from, from + most).map(async (path, index) => {
        const at = times.get(path) ?? (await timeOfNote(garden.repo, commit, path));
        return {
          slug: slugOfNote(path, root),
          path,
          ...(await readNoteFacts(garden.repo, commit, path)),
          updated_at: at === undefined ? null : new Date(at).toISOString(),
          number: from + index + 1,
          total: ordered.length,
        };
      }),
    );
  },
});

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
