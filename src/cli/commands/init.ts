import { joined, type Text } from "../../base/text.ts";
import { isNotesRoot } from "../../domain/config/garden-config.ts";
import { repoSettings } from "../../domain/config/repo-settings.ts";
import { type Initialised, initGarden } from "../../garden/life/init.ts";
import { recordKnownGarden } from "../../garden/life/known-gardens.ts";
import type { RepoRemote } from "../../ports/repo-health.ts";
import type { Command } from "../command.ts";
import { usageError } from "../failures.ts";
import { example, option, textOption } from "../options.ts";
import { storeOption } from "../store-option.ts";

export const initCommand: Command = {
  name: "init",
  summary: {
    en: "create a garden in a folder: empty, with notes, or a git repository",
    uk: "створити сад у теці: новій, з нотатками чи в репозиторії git",
  },
  usage: "[DIR]",
  words: [0, 1],
  options: {
    name: option("NAME", "name of the garden (default: name of the folder)", "назва саду (інакше — назва теки)"),
    "notes-root": option(
      "DIR",
      "folder with the notes; `.` is the whole folder (default: detected)",
      "де лежать нотатки; `.` — уся тека (інакше визначається)",
    ),
    remote: option(
      "URL",
      "empty git repository that every machine of the garden pushes to",
      "порожній репозиторій git, куди надсилатиме кожна машина саду",
    ),
    store: option(
      "STORE",
      "s3://BUCKET/PREFIX?endpoint=URL: an empty place in a bucket for the objects (default: the folder)",
      "s3://BUCKET/PREFIX?endpoint=URL: порожнє місце в кошику для об'єктів (інакше — тека)",
    ),
  },
  examples: [
    example(
      "bloom init --store 's3://garden/home?endpoint=https://s3.example.com'",
      "objects in a bucket; its server is tested first, and nothing is created if it fails",
      "об'єкти в кошику; спершу перевіряється його сервер, а без цього нічого не створюється",
    ),
    example(
      "bloom init --remote git@example.org:me/garden.git",
      "its history counts there; the repository is empty. Several machines need `--store s3://…` too",
      "його історія — там, у порожньому репозиторії. Кільком машинам потрібне ще й `--store s3://…`",
    ),
    example("bloom init my-garden", "a new garden", "новий сад"),
    example("bloom init", "in the current folder; no file is moved", "тека, де ви є; жоден файл не переміщується"),
  ],
  async run(context) {
    const name = textOption(context, "name");
    const notesRoot = textOption(context, "notes-root");
    if (notesRoot !== undefined && !isNotesRoot(notesRoot)) {
      throw usageError(
        { en: `--notes-root: invalid folder: ${notesRoot}`, uk: `не тека для нотаток: ${notesRoot}` },
        { en: "Name a folder inside the garden, or `.`.", uk: "Вкажіть теку всередині саду або `.`." },
      );
    }
    const named = textOption(context, "remote");
    // A folder, as git takes it: without a colon. In garden.yaml it would be relative to the garden.
    const remote = named?.includes(":") === false ? context.path(named) : named;
    if (remote !== undefined && !repoSettings.safeParse({ remote }).success) {
      throw usageError(
        { en: "--remote: not an address without a password", uk: "--remote: не адреса без пароля" },
        {
          en: "Give an address such as https://host/garden.git, git@host:garden.git or a folder. git's credential helper holds the password.",
          uk: "Вкажіть адресу на зразок https://host/garden.git, git@host:garden.git або теку. Пароль тримає credential helper git.",
        },
      );
    }
    const store = storeOption(context, "store");
    const made = await initGarden(
      context.ground,
      context.path(context.words[0] ?? textOption(context, "garden") ?? "."),
      {
        language: context.language,
        ...(name !== undefined && { name }),
        ...(notesRoot !== undefined && { notesRoot }),
        ...(remote !== undefined && { remote }),
        ...(store && { store }),
        progress: (done, total) =>
          context.progress.at(
            done < total
              ? { en: `committing files: ${done} of ${total}`, uk: `коміт файлів: ${done} з ${total}` }
              : { en: `packing files: ${total}`, uk: `пакування файлів: ${total}` },
          ),
      },
    );
    await recordKnownGarden(context.ground, made.dir);
    return { text: initText(made), json: made };
  },
};

function initText(made: Initialised): Text {
  const lines: Text[] = [
    made.resumed
      ? { en: `Completed the garden in ${made.dir}`, uk: `Завершено створення саду в ${made.dir}` }
      : { en: `Created a garden in ${made.dir}`, uk: `Створено сад у ${made.dir}` },
    made.existing
      ? {
          en: "One commit was added; your files and staged changes are unchanged.",
          uk: "Додано один коміт; ваші файли й підготовлені зміни лишилися, як були.",
        }
      : { en: "All files in it are committed.", uk: "Усе, що в ньому є, закомічено." },
    notesText(made),
    ...(made.vault ? [vaultText(made.vault)] : []),
    ...(made.remote ? [remoteText(made.remote, made.store !== "dir")] : []),
    ...made.left.map(({ path, why }) => ({ en: `Skipped: ${path} (${why.en})`, uk: `Не взято: ${path} (${why.uk})` })),
  ];
  return joined(lines, "\n");
}

/** I-3: the settings of Obsidian that new notes and links follow. */
function vaultText({ links, linkFormat, newNotes }: NonNullable<Initialised["vault"]>): Text {
  const place =
    newNotes === "." ? { en: "the top folder", uk: "верхню теку" } : { en: `${newNotes}/`, uk: `${newNotes}/` };
  const form = links === "wiki" ? "[[…]]" : "[…](…)";
  return {
    en: `Obsidian vault: links as ${form}, ${linkFormat}; new notes go to ${place.en}. Its settings and .trash are left alone.`,
    uk: `Сховище Obsidian: посилання ${form}, ${linkFormat}; нові нотатки — у ${place.uk}. Його налаштувань і .trash ніхто не чіпає.`,
  };
}

function remoteText({ address, trouble, reachable, blocked }: RepoRemote, isStoreShared: boolean): Text {
  if (reachable && !blocked && !isStoreShared)
    return {
      en: `Pushed to ${address}. Proposals and runs stay on this machine: for several machines, \`bloom move --to s3://…\` puts them into a bucket.`,
      uk: `Надіслано до ${address}. Пропозиції й запуски лишаються на цій машині: для кількох машин \`bloom move --to s3://…\` перенесе їх у кошик.`,
    };
  if (reachable && !blocked)
    return {
      en: `Pushed to ${address}. On another machine: \`git clone\` it and run \`bloom up\` there.`,
      uk: `Надіслано до ${address}. На іншій машині: \`git clone\` і там \`bloom up\`.`,
    };
  const why = trouble ?? { en: "no answer", uk: "немає відповіді" };
  return {
    en: `NOT pushed to ${address}: ${why.en}. \`bloom up\` tries again.`,
    uk: `НЕ надіслано до ${address}: ${why.uk}. \`bloom up\` спробує знову.`,
  };
}

function notesText({ notes, notesRoot }: Initialised): Text {
  const place: Text =
    notesRoot === "." ? { en: "the whole folder", uk: "уся тека" } : { en: `${notesRoot}/`, uk: `${notesRoot}/` };
  if (notes > 0) return { en: `Notes: ${notes} (${place.en})`, uk: `Нотатки: ${notes} (${place.uk})` };
  return {
    en: `Notes: NONE. No .md file is committed in ${place.en}. Put notes there, or set \`notes_root\` in garden.yaml.`,
    uk: `Нотатки: ЖОДНОЇ. Немає закоміченого файлу .md: ${place.uk}. Покладіть туди нотатки або змініть \`notes_root\` у garden.yaml.`,
  };
}
