import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import { diskTrouble } from "../disk/disk-failure.ts";

// Reasons for a path to stay behind the branch.

export const diskReason = (error: unknown): Text => diskTrouble((error as NodeJS.ErrnoException).code ?? String(error));

export const lockHeld: Text = {
  en: "a git command is at work here (.git/index.lock is there); bloom goes on when it ends. If no git is running, delete that file",
  uk: "тут працює команда git (є файл .git/index.lock); bloom продовжить, щойно вона завершиться. Якщо жоден git не працює, видаліть цей файл",
};

export const lockHeldByBloom = (pid: string): Text => ({
  en: `the bloom process ${pid} is at work here (.git/index.lock is its lock); this change goes on when that process ends its own. Do not delete that file. If the process hangs, end it: the next one completes its change`,
  uk: `тут працює процес bloom ${pid} (файл .git/index.lock — його замок); ця зміна продовжиться, щойно він завершить свою. Не видаляйте цей файл. Якщо процес завис, зупиніть його: наступний завершить його зміну`,
});

export const editedByHand: Text = {
  en: "edited by hand and not committed; the file was left as it is",
  uk: "відредаговано вручну і не закомічено; файл залишено як є",
};

export const stagedByHand: Text = {
  en: "staged by hand and not committed; file and index were left as they are",
  uk: "додано до індексу вручну і не закомічено; файл та індекс залишено як є",
};

export const deadLockTaken: Text = {
  en: "took over index.lock from a killed bloom process; files and index were brought up to date before it was released",
  uk: "перебрано index.lock убитого процесу bloom; файли та індекс оновлено, перш ніж його звільнено",
};

// Reasons for a file to stay out of the first commit.

export const embeddedRepository: Text = {
  en: "It is a git repository of its own. Its files stay in its own history.",
  uk: "Це окремий репозиторій git. Його файли лишаються у власній історії.",
};

export const unusableName = (problem: string): Text => ({
  en: `This name cannot be used in a garden (${problem}). Rename the file to keep it.`,
  uk: `Таку назву не можна вживати в саду (${problem}). Перейменуйте, якщо це треба зберегти.`,
});

// Failures.

export const nameNotUtf8 = (path: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the work tree cannot follow: the name ${JSON.stringify(path)} is not UTF-8`,
    uk: `робоча тека не може піти слідом: назва ${JSON.stringify(path)} не в UTF-8`,
    hint: {
      en: "Rename that file with git where it came from.",
      uk: "Перейменуйте цей файл за допомогою git там, звідки він прийшов.",
    },
    details: { path },
  });

export const indexBusy = (cause: unknown): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "another git is working in this repository (.git/index.lock is there)",
    uk: "у цьому репозиторії працює інший git (є файл .git/index.lock)",
    hint: {
      en: "Wait until it ends. If no git is running, delete .git/index.lock and try again.",
      uk: "Зачекайте, доки він завершить. Якщо жоден git не працює, видаліть .git/index.lock і повторіть.",
    },
    cause,
  });

export const firstCommitRaced = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "another process made the first commit of main in the meantime",
    uk: "тим часом хтось інший зробив перший коміт гілки main",
    hint: { en: "Look at that commit, then continue from it.", uk: "Перегляньте його і продовжуйте від нього." },
  });

export const hasCommits = (): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: "this repository already has commits",
    uk: "у цьому репозиторії вже є коміти",
    hint: { en: "Commit your own files with git commit.", uk: "Закомітьте свої файли командою git commit." },
  });

export const unfinishedCopy = (paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a merge in the copy is not completed: ${paths.join(", ")}`,
    uk: `злиття в копії не завершено: ${paths.join(", ")}`,
    hint: { en: "Complete it there, or undo it.", uk: "Завершіть його там або скасуйте." },
    details: { paths },
  });
