import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { carriedOut } from "../notes/carried-out.ts";
import { askTheNotes, findInNotes } from "../notes/find-verbs.ts";
import { listNotes, noteHistory, showNote } from "../notes/read-verbs.ts";
import { wrongUse } from "../parse.ts";
import { gardenPath, neededText } from "../proposals/written-text.ts";
import { runVerb, type Verbs, verbExamples } from "../verbs.ts";

/** What can be done with notes; without a verb they are listed. */
const verbs: Verbs = {
  list: {
    usage: "[FOLDER]",
    words: [0, 1],
    does: { en: "all of them, by path", uk: "усі, за шляхом" },
    run: listNotes,
  },
  show: { usage: "PATH", words: [1, 1], does: { en: "its text", uk: "її текст" }, run: showNote },
  history: {
    usage: "PATH",
    words: [1, 1],
    does: { en: "who changed it, and by which proposal", uk: "хто її змінював і якою пропозицією" },
    run: noteHistory,
  },
  find: {
    usage: "WORDS",
    words: [1, 20],
    does: { en: "those that have these words, in any form", uk: "ті, що мають ці слова в будь-якій формі" },
    run: findInNotes,
  },
  ask: {
    usage: "QUESTION",
    words: [1, 100],
    does: {
      en: "what they say about it: their sentences, each with its place",
      uk: "що в них про це сказано: їхні речення, кожне зі своїм місцем",
    },
    run: askTheNotes,
  },
  new: {
    usage: "PATH|--title T --file FILE|-",
    words: [0, 1],
    does: {
      en: "a new one, at once: your own proposal, approved by you",
      uk: "нова, одразу: ваша пропозиція, вами й схвалена",
    },
    async run(context, garden, [path]) {
      const title = textOption(context, "title");
      if ((path === undefined) === (title === undefined)) throw pathOrTitle();
      const text = await textGiven(context);
      const place = path === undefined ? { title } : { path: await gardenPath(context, garden, path) };
      return changed(
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
      en: "another text, at once: your own proposal, approved by you",
      uk: "інший текст, одразу: ваша пропозиція, вами й схвалена",
    },
    async run(context, garden, [written]) {
      const path = await gardenPath(context, garden, written!);
      return changed(
        context,
        garden,
        "propose-edit",
        { path, text: await textGiven(context) },
        { en: `Edit ${path}`, uk: `Змінено ${path}` },
      );
    },
  },
};

export const note: Command = {
  name: "note",
  summary: { en: "read and change notes", uk: "читати і змінювати нотатки" },
  usage: `[${Object.keys(verbs).join("|")}] [PATH]`,
  words: [0, 101],
  options: {
    file: {
      type: "string",
      short: "f",
      value: "FILE",
      about: { en: "the text; - is the standard input", uk: "текст; - це стандартний ввід" },
    },
    text: { type: "string", value: "TEXT", about: { en: "the text itself", uk: "сам текст" } },
    title: {
      type: "string",
      value: "T",
      about: { en: "new: the file name follows from it", uk: "new: від неї утворюється назва файлу" },
    },
    summary: { type: "string", value: "TEXT", about: { en: "the commit's first line", uk: "перший рядок коміту" } },
    reason: { type: "string", value: "TEXT", about: { en: "why", uk: "чому" } },
  },
  examples: [
    ...verbExamples("note", verbs),
    {
      line: "sed s/440/442/ notes/violin.md | bloom note edit notes/violin.md --file -",
      does: { en: "what another program made of it", uk: "те, що з неї зробила інша програма" },
    },
  ],
  run: (context) => runVerb("note", verbs, "list", context),
};

async function changed(
  context: Context,
  garden: Garden,
  action: string,
  payload: unknown,
  what: Text,
): Promise<Report> {
  const reason = textOption(context, "reason");
  const received = await receive(garden, {
    identity: commandLineOwner,
    action,
    payload,
    summary: textOption(context, "summary") ?? what[context.language],
    reasoning: reason,
  });
  return carriedOut(context, garden, received, reason);
}

const textGiven = (context: Context): Promise<string> => neededText(context, textOption(context, "file"));

const pathOrTitle = (): Error =>
  wrongUse(
    { en: "note new: one of PATH and --title", uk: "note new: шлях або --title, щось одне" },
    { en: "bloom note new notes/violin.md --file violin.md", uk: "bloom note new notes/violin.md --file violin.md" },
  );
