import { joined, type Text } from "../../base/text.ts";
import { isNotesRoot } from "../../domain/config/garden-config.ts";
import { type Initialised, initGarden } from "../../garden/life/init.ts";
import { type Command, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";

export const init: Command = {
  name: "init",
  summary: {
    en: "make a garden in a folder: new, full of notes, or a git repository",
    uk: "створити сад у теці: новій, з нотатками чи в репозиторії git",
  },
  usage: "[DIR]",
  words: [0, 1],
  options: {
    name: {
      type: "string",
      value: "NAME",
      about: { en: "the garden's name (else the folder's)", uk: "назва саду (інакше — назва теки)" },
    },
    "notes-root": {
      type: "string",
      value: "DIR",
      about: {
        en: "where the notes are; `.` for the whole folder (else found out)",
        uk: "де лежать нотатки; `.` — уся тека (інакше визначається)",
      },
    },
  },
  examples: [
    { line: "bloom init my-garden", does: { en: "a new garden", uk: "новий сад" } },
    {
      line: "bloom init",
      does: { en: "the folder where you are; no file is moved", uk: "тека, де ви є; жоден файл не переміщується" },
    },
  ],
  async run(context) {
    const name = textOption(context, "name");
    const notesRoot = textOption(context, "notes-root");
    if (notesRoot !== undefined && !isNotesRoot(notesRoot)) {
      throw wrongUse(
        { en: `not a folder for notes: ${notesRoot}`, uk: `не тека для нотаток: ${notesRoot}` },
        { en: "Name a folder inside the garden, or `.`.", uk: "Вкажіть теку всередині саду або `.`." },
      );
    }
    const made = await initGarden(
      context.ground,
      context.path(context.words[0] ?? textOption(context, "garden") ?? "."),
      {
        language: context.language,
        ...(name !== undefined && { name }),
        ...(notesRoot !== undefined && { notesRoot }),
        progress: (done, total) =>
          context.progress.at({ en: `committing files: ${done} of ${total}`, uk: `коміт файлів: ${done} з ${total}` }),
      },
    );
    return { text: told(made), json: made };
  },
};

function told(made: Initialised): Text {
  const lines: Text[] = [
    made.resumed
      ? { en: `Completed the garden in ${made.dir}`, uk: `Завершено створення саду в ${made.dir}` }
      : { en: `Made a garden in ${made.dir}`, uk: `Створено сад у ${made.dir}` },
    made.existing
      ? {
          en: "One commit was added; your files and your staged work are as they were.",
          uk: "Додано один коміт; ваші файли й підготовлені зміни лишилися, як були.",
        }
      : { en: "Everything in it is committed.", uk: "Усе, що в ньому є, закомічено." },
    made.notesRoot === "."
      ? { en: "Notes: the whole folder", uk: "Нотатки: уся тека" }
      : { en: `Notes: ${made.notesRoot}/`, uk: `Нотатки: ${made.notesRoot}/` },
    ...made.left.map(({ path, why }) => ({ en: `Left out: ${path} (${why.en})`, uk: `Не взято: ${path} (${why.uk})` })),
  ];
  return joined(lines, "\n");
}
