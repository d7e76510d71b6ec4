import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import type { FileMode } from "../../../../ports/repo.ts";
import { gitFailed } from "../process/git-process.ts";

export const objectNotFound = (type: "blob" | "tree" | "commit" | "tag", oid: Oid): Failure =>
  new Failure("NOT_FOUND", {
    en: `the repository has no ${type} ${oid}`,
    uk: `у репозиторії немає об'єкта ${type} ${oid}`,
    details: { [type]: oid },
  });

export const objectDamaged = (what: string, oid?: Oid): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${what} is missing or damaged in the repository`,
    uk: `у репозиторії бракує або пошкоджено: ${what}`,
    hint: {
      en: "Run “git fsck”, and fetch the object from a remote or a backup.",
      uk: "Виконайте «git fsck» і отримайте об'єкт з віддаленого репозиторію чи резервної копії.",
    },
    details: { part: "git", ...(oid && { object: oid }) },
  });

export const objectUnreadable = (oid: Oid, said: string): Failure => {
  const failure = gitFailed(["cat-file"], `object ${oid}`, said.trim());
  return new Failure(failure.code, {
    ...failure.text,
    hint: {
      en: "The object is damaged. Run “git fsck”, and fetch it from a remote or a backup.",
      uk: "Об'єкт пошкоджено. Виконайте «git fsck» і отримайте його з віддаленого репозиторію чи резервної копії.",
    },
    details: { part: "git", object: oid },
  });
};

export const repoClosed = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the repository is closed", uk: "репозиторій закрито" });

export const signatureRefused = (what: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `git cannot sign a commit with ${what}: a name, an address or a date is missing, or holds < > or a line break`,
    uk: `git не може підписати коміт так: ${what}. Бракує імені, адреси чи дати, або в них є < > чи розрив рядка`,
  });

export const notACommitId = (text: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `not a commit id: ${JSON.stringify(text)}`,
    uk: `не ідентифікатор коміту: ${JSON.stringify(text)}`,
  });

export const unrelatedHistories = (ours: Oid, theirs: Oid): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the two have no common history and cannot be merged",
    uk: "у цих двох немає спільної історії, тож зливати нема від чого",
    hint: {
      en: "Check that it is the right remote. If it is, merge once by hand with “git merge --allow-unrelated-histories”.",
      uk: "Перевірте, чи це той віддалений репозиторій. Якщо так, злийте один раз вручну: «git merge --allow-unrelated-histories».",
    },
    details: { ours, theirs },
  });

export const annotationContended = (ref: RefName): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${ref} kept changing; the annotation was not written`,
    uk: `${ref} весь час змінювали інші; нотатку не записано`,
  });

const obstacles: Record<FileMode | "40000", Text> = {
  "100644": { en: "a file stands where a folder is needed", uk: "на місці теки стоїть файл" },
  "100755": { en: "a file stands where a folder is needed", uk: "на місці теки стоїть файл" },
  "120000": { en: "a symbolic link stands there", uk: "там стоїть символічне посилання" },
  "160000": { en: "a submodule stands there", uk: "там стоїть підмодуль" },
  "40000": { en: "a folder stands where a file is needed", uk: "на місці файлу стоїть тека" },
};

export const pathObstructed = (path: string, mode: FileMode | "40000"): Failure => pathRefused(path, obstacles[mode]);

export const pathTwice = (path: string): Failure =>
  pathRefused(path, { en: "the path occurs twice in one commit", uk: "шлях вказано двічі в одному коміті" });

const pathRefused = (path: string, why: Text): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} cannot be written: ${why.en}`,
    uk: `${path} не можна записати: ${why.uk}`,
    details: { path },
  });
