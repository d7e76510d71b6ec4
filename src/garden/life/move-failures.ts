import { Failure } from "../../base/failure.ts";

const MAX_SHOWN = 5;
const shown = (names: readonly string[]): string =>
  `${names.slice(0, MAX_SHOWN).join(", ")}${names.length > MAX_SHOWN ? ", …" : ""}`;

export const alreadyThere = (to: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the objects of this garden are in ${to} already`,
    uk: `об'єкти цього саду вже в ${to}`,
    hint: { en: "`bloom status` shows the store.", uk: "`bloom status` показує сховище." },
    details: { to },
  });

export const inUseElsewhere = (who: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `another process works in this garden (${who})`,
    uk: `у цьому саду працює інший процес (${who})`,
    hint: {
      en: "Stop bloom on all machines of this garden, then move it.",
      uk: "Зупиніть bloom на всіх машинах цього саду, тоді переносьте.",
    },
    details: { part: "store" },
  });

export const targetNotEmpty = (to: string, key: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${to} has objects already, such as ${key}`,
    uk: `у ${to} вже є об'єкти, як-от ${key}`,
    hint: {
      en: "Name an empty bucket or another prefix; nothing there is overwritten.",
      uk: "Вкажіть порожній кошик або інший префікс; там нічого не перезаписується.",
    },
    details: { to, key },
  });

export const changedWhileCopied = (key: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `another process changed the garden while it was copied, such as ${key}`,
    uk: `інший процес змінив сад, поки його копіювали, як-от ${key}`,
    hint: {
      en: "Stop every process of this garden on every machine, then run the same command again: it copies what is missing.",
      uk: "Зупиніть усі процеси цього саду на всіх машинах і виконайте ту саму команду ще раз: вона скопіює, чого бракує.",
    },
    details: { key },
  });

export const namesNotPortable = (keys: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `names of ${keys.length} files cannot be keys of another store: ${shown(keys)}`,
    uk: `назви файлів (${keys.length}) не можуть бути ключами іншого сховища: ${shown(keys)}`,
    hint: {
      en: "Rename them in lower case, without characters that file systems confuse, and commit.",
      uk: "Перейменуйте їх малими літерами, без знаків, які плутають файлові системи, і закомітьте.",
    },
    details: { keys: keys.slice(0, 100) },
  });

export const editedAgents = (paths: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `files of agents have uncommitted edits: ${shown(paths)}`,
    uk: `файли агентів мають незакомічені зміни: ${shown(paths)}`,
    hint: { en: "Commit or undo them, then move.", uk: "Закомітьте або скасуйте їх, тоді переносьте." },
    details: { paths: paths.slice(0, 100) },
  });

export const onlyInMirror = (paths: readonly string[], from: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `files of agents are in the work tree but not in ${from}; after the move they would take effect: ${shown(paths)}`,
    uk: `файли агентів є в робочій теці, але не в ${from}; після перенесення вони стали б чинними: ${shown(paths)}`,
    hint: {
      en: "Delete them and commit that, or create these agents while the garden is in the bucket. Then move.",
      uk: "Видаліть їх і закомітьте це або створіть цих агентів, поки сад у кошику. Тоді переносьте.",
    },
    details: { paths: paths.slice(0, 100) },
  });

export const objectDiffers = (key: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the target has another object at ${key}`,
    uk: `у цілі інший об'єкт ${key}`,
    hint: {
      en: "Another process writes there. Stop it, remove that object, and run `bloom move` again.",
      uk: "Туди пише інший процес. Зупиніть його, приберіть той об'єкт і виконайте `bloom move` ще раз.",
    },
    details: { key },
  });

export const verificationFailed = (key: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the copy differs from the garden at ${key}; garden.yaml still names the old store`,
    uk: `копія відрізняється від саду в ${key}; garden.yaml називає старе сховище`,
    hint: {
      en: "Stop everything that writes to either store, and run `bloom move` again.",
      uk: "Зупиніть усе, що пише в котресь зі сховищ, і виконайте `bloom move` ще раз.",
    },
    details: { key },
  });
