import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { printGraph, printLinks, printTags } from "../notes/map-notes.ts";
import { askQuestion, searchNotes } from "../notes/search-notes.ts";
import { printNoteHistory, printNotes, showNote } from "../notes/show-notes.ts";
import { example, option, textOption } from "../options.ts";
import { approveOwnChange } from "../proposals/approve-own-change.ts";
import { gardenPath, requireInputText } from "../proposals/read-text.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";

const subcommands: Subcommands = {
  list: {
    usage: "[FOLDER]",
    words: [0, 1],
    does: { en: "list all notes by path", uk: "усі, за шляхом" },
    run: printNotes,
  },
  show: { usage: "PATH", words: [1, 1], does: { en: "print a note", uk: "її текст" }, run: showNote },
  history: {
    usage: "PATH",
    words: [1, 1],
    does: { en: "list its changes, with author and proposal", uk: "хто її змінював і якою пропозицією" },
    run: printNoteHistory,
  },
  find: {
    usage: "WORDS",
    words: [1, 20],
    does: { en: "search by words, in any inflected form", uk: "ті, що мають ці слова в будь-якій формі" },
    run: searchNotes,
  },
  ask: {
    usage: "QUESTION",
    words: [1, 100],
    does: {
      en: "answer a question with sentences from the notes, each with its source",
      uk: "що в них про це сказано: їхні речення, кожне зі своїм місцем",
    },
    run: askQuestion,
  },
  tags: {
    usage: "[TAG]",
    words: [0, 1],
    does: {
      en: "list all tags with their numbers of notes, or the notes with TAG",
      uk: "усі теги з кількістю нотаток або нотатки з TAG",
    },
    run: printTags,
  },
  links: {
    usage: "PATH",
    words: [1, 1],
    does: {
      en: "list its links, the notes that link to it, and mentions without a link",
      uk: "її посилання, хто посилається на неї і згадки без посилання",
    },
    run: printLinks,
  },
  graph: {
    usage: "[PATH]",
    words: [0, 1],
    does: {
      en: "list the links between all notes, or around one",
      uk: "посилання між усіма нотатками або навколо однієї",
    },
    run: printGraph,
  },
  new: {
    usage: "PATH|--title T --file FILE|-",
    words: [0, 1],
    does: {
      en: "create a note: proposed and approved by you in one step",
      uk: "нова, одразу: ваша пропозиція, вами й схвалена",
    },
    async run(context, garden, [path]) {
      const title = textOption(context, "title");
      if ((path === undefined) === (title === undefined)) throw pathOrTitle();
      const text = await inputText(context);
      const place = path === undefined ? { title } : { path: await gardenPath(context, garden, path) };
      return submitChange(
        context,
        garden,
        "propose-note",
        { ...place, text },
        { en: `Add ${path ?? title}`, uk: `Додано ${path ?? title}` },
      );
    },
  },
  edit: {
    usage: "PATH --file FILE|-",
    words: [1, 1],
    does: {
      en: "replace the text: proposed and approved by you in one step",
      uk: "інший текст, одразу: ваша пропозиція, вами й схвалена",
    },
    async run(context, garden, [written]) {
      const path = await gardenPath(context, garden, written!);
      return submitChange(
        context,
        garden,
        "propose-edit",
        { path, text: await inputText(context) },
        { en: `Edit ${path}`, uk: `Змінено ${path}` },
      );
    },
  },
};

export const noteCommand = gardenCommand({
  name: "note",
  summary: { en: "read and change notes", uk: "читати і змінювати нотатки" },
  usual: "list",
  subcommands,
  options: {
    file: { ...option("FILE", "file with the text; - is standard input", "текст; - це стандартний ввід"), short: "f" },
    text: option("TEXT", "the text", "сам текст"),
    title: option("T", "new: title; the file name is derived from it", "new: від неї утворюється назва файлу"),
    summary: option("TEXT", "first line of the commit message", "перший рядок коміту"),
    reason: option("TEXT", "reason", "чому"),
  },
  examples: [
    example(
      "sed s/440/442/ notes/violin.md | bloom note edit notes/violin.md --file -",
      "edit with another program",
      "те, що з неї зробила інша програма",
    ),
  ],
});

async function submitChange(
  context: CommandContext,
  garden: Garden,
  action: string,
  payload: unknown,
  what: Text,
): Promise<CommandReport> {
  const reason = textOption(context, "reason");
  const received = await receive(garden, {
    identity: commandLineOwner,
    action,
    payload,
    summary: textOption(context, "summary") ?? what[context.language],
    reasoning: reason,
  });
  return approveOwnChange(context, garden, received, reason);
}

const inputText = (context: CommandContext): Promise<string> => requireInputText(context, textOption(context, "file"));

const pathOrTitle = (): Error =>
  usageError(
    { en: "note new: give either PATH or --title", uk: "note new: шлях або --title, щось одне" },
    { en: "bloom note new notes/violin.md --file violin.md", uk: "bloom note new notes/violin.md --file violin.md" },
  );
