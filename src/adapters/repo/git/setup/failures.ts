import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { GitPlace } from "../process/git-process.ts";

// Reasons for `look` to call a repository broken.

export const bareRepository: Text = {
  en: "This is a bare repository: it has history, but no work tree. Clone it into another folder and use that.",
  uk: "Це «голий» репозиторій: історія є, а робочої теки немає. Клонуйте його в іншу теку і працюйте там.",
};

export const brokenHead: Text = {
  en: "git cannot read .git/HEAD, which says what is checked out. If your branch is main, write the line “ref: refs/heads/main” into that file.",
  uk: "git не може прочитати .git/HEAD, де вказано поточну гілку. Якщо ваша гілка main, запишіть у цей файл рядок «ref: refs/heads/main».",
};

export const missingPart = (part: string): Text => ({
  en: `${part} is missing, so git does not take this folder for a repository. Restore .git from a backup, or clone again and move your files there.`,
  uk: `Немає ${part}, тому git не вважає цю теку репозиторієм. Відновіть .git з резервної копії або клонуйте знову і перенесіть туди свої файли.`,
});

export const brokenRef = (ref: string): Text => ({
  en: `${ref} holds no object id. Its last good values are in .git/logs/${ref}; put one back with “git update-ref ${ref} <id>”.`,
  uk: `${ref} не містить ідентифікатора об'єкта. Попередні значення є в .git/logs/${ref}; поверніть одне командою «git update-ref ${ref} <id>».`,
});

export const missingObject = (ref: string, oid: string): Text => ({
  en: `${ref} points to ${oid}, which is missing or damaged. Fetch it from a remote or a backup (“git fetch <backup>”), then look again.`,
  uk: `${ref} вказує на ${oid}, а цього об'єкта немає або його пошкоджено. Отримайте його з віддаленого репозиторію чи резервної копії («git fetch <копія>») і перевірте ще раз.`,
});

export const foreignOwner: Text = {
  en: "The folder belongs to another user of this machine, and git refuses to work in it. Run as that user, or make the folder your own (chown -R).",
  uk: "Тека належить іншому користувачеві цієї машини, і git відмовляється в ній працювати. Запустіть від імені того користувача або зробіть теку своєю (chown -R).",
};

export const brokenConfig = (said: string): Text => {
  const where = /bad \w* ?config.*? (line \d+)/.exec(said)?.[1];
  return {
    en: `git cannot read the repository's settings (.git/config${where ? `, ${where}` : ""}). Correct that line, or restore the file from a backup.`,
    uk: `git не може прочитати налаштування репозиторію (.git/config${where ? `, ${where}` : ""}). Виправте цей рядок або відновіть файл із резервної копії.`,
  };
};

export const otherFormat = (format: string): Text => ({
  en: `The repository names its objects by ${format}; a garden needs sha1. Use another folder, or convert the history with “git fast-export | git fast-import”.`,
  uk: `Репозиторій іменує об'єкти через ${format}, а саду потрібен sha1. Візьміть іншу теку або перетворіть історію: «git fast-export | git fast-import».`,
});

export const gitSaid = (said: string): Text => {
  const line = firstLine(said);
  return {
    en: `git cannot read this repository: ${line}. Run “git status” there and follow its advice.`,
    uk: `git не може прочитати цей репозиторій: ${line}. Виконайте там «git status» і скористайтеся його порадою.`,
  };
};

/** Git's message. The lines after it advise about git's own settings, for example at a file system boundary. */
const firstLine = (said: string): string =>
  said
    .split("\n", 1)[0]!
    .replace(/^(fatal|error): /, "")
    .slice(0, 500);

// Failures.

export const repositoryUnreadable = (place: GitPlace, said: string): Failure => {
  const line = firstLine(said) || "?";
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `git cannot read the repository: ${line}`,
    uk: `git не може прочитати репозиторій: ${line}`,
    hint: {
      en: "Run “git status” in the folder and follow its advice, or restore .git from a backup.",
      uk: "Виконайте в теці «git status» і скористайтеся порадою або відновіть .git з резервної копії.",
    },
    details: { part: "git", folder: place.dir },
  });
};

export const formatUnsupported = (format: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the repository names its objects by ${format}; a garden needs sha1`,
    uk: `репозиторій іменує об'єкти через ${format}, а саду потрібен sha1`,
    details: { part: "git", format },
  });

export const notTheTop = (place: GitPlace): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the folder lies inside a repository whose top is another folder",
    uk: "тека лежить усередині репозиторію, корінь якого — інша тека",
    details: { part: "git", folder: place.dir },
  });

export const repositoryExists = (): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: "this folder already has a git repository",
    uk: "у цій теці вже є репозиторій git",
    hint: { en: "Use it as it is, or choose another folder.", uk: "Користуйтеся ним як є або оберіть іншу теку." },
  });
