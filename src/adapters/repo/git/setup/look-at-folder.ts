import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Text } from "../../../../base/text.ts";
import { isOid } from "../../../../domain/git/git-names.ts";
import type { RepoSituation } from "../../../../ports/repos.ts";
import { exists } from "../disk/small-file.ts";
import { type Environment, type GitPlace, git, gitText } from "../process/git-process.ts";

/** Files of the git folder that tell what a person began and did not finish; the first one found names it. */
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick"],
  ["BISECT_LOG", "bisect"],
];

/**
 * What lies in a folder. Reads only. A folder that does not exist is a folder without a repository; everything that git
 * cannot read is an answer (`broken`), and only a git that cannot be started is a failure.
 */
export async function lookAtFolder(dir: string, environment: Environment): Promise<RepoSituation> {
  if (!(await exists(dir))) return { kind: "none" };
  const place: GitPlace = { dir, environment };
  const own = await exists(join(dir, ".git"));
  // Never `git rev-parse` alone: it passes over a damaged `.git` in silence and answers for a repository further up.
  const asked = await git(place, ["rev-parse", "--show-object-format", "--show-toplevel"], { accept: [0, 128] });
  const [format, top] = asked.stdout.toString().trimEnd().split("\n");
  if (!own) return asked.code === 0 ? { kind: "inside", top: top! } : outside(place, asked.stderr);
  if (asked.code !== 0) return { kind: "broken", why: await whyUnreadable(dir, asked.stderr) };
  if (top !== (await realpath(dir))) return { kind: "broken", why: await whyUnreadable(dir, "") };
  if (format !== "sha1") return { kind: "broken", why: otherFormat(format!) };
  return headOf(place);
}

/** No `.git` here, and git found no work tree around: nothing, a bare repository, or an outer one that it refuses. */
async function outside(place: GitPlace, said: string): Promise<RepoSituation> {
  if (/not a git repository/.test(said)) return { kind: "none" };
  const asked = await git(place, ["rev-parse", "--is-bare-repository", "--absolute-git-dir"], { accept: [0, 128] });
  const [bare, folder] = asked.stdout.toString().trimEnd().split("\n");
  if (asked.code === 0 && bare === "true" && folder === (await realpath(place.dir))) {
    return {
      kind: "broken",
      why: {
        en: "This is a bare repository: it has history, but no work tree. Clone it into another folder and use that.",
        uk: "Це «голий» репозиторій: історія є, а робочої теки немає. Клонуйте його в іншу теку і працюйте там.",
      },
    };
  }
  if (asked.code === 0) return { kind: "inside", top: folder! };
  for (let up = dirname(resolve(place.dir)); ; up = dirname(up)) {
    if (await exists(join(up, ".git"))) return { kind: "inside", top: up };
    if (up === dirname(up)) return { kind: "broken", why: gitSaid(said) };
  }
}

async function headOf(place: GitPlace): Promise<RepoSituation> {
  // Not `git symbolic-ref`: it cannot tell a damaged HEAD from a damaged branch.
  const written = (await readFile(await gitPath(place, "HEAD"), "utf8")).trimEnd();
  const ref = /^ref: (refs\/heads\/\S+)$/.exec(written)?.[1];
  if (!ref && !isOid(written)) return { kind: "broken", why: brokenHead };
  const verified = await git(place, ["rev-parse", "-q", "--verify", "HEAD"], { accept: [0, 1, 128] });
  const head = verified.code === 0 ? verified.stdout.toString().trimEnd() : undefined;
  // An unborn branch has no file; a file that git does not understand looks unborn to `rev-parse`.
  if (!head && ref && (await exists(await gitPath(place, ref)))) return { kind: "broken", why: brokenRef(ref) };
  if (head && (await git(place, ["cat-file", "-e", `${head}^{tree}`], { accept: [0, 1, 128] })).code !== 0)
    return { kind: "broken", why: missingObject(ref ?? "HEAD", head) };
  const refs = await git(place, ["for-each-ref", "--format=%(objecttype)"], { accept: [0, 128] });
  const dangling = /missing object ([0-9a-f]+) for (\S+)/.exec(refs.stderr);
  if (dangling) return { kind: "broken", why: missingObject(dangling[2]!, dangling[1]!) };
  const ignored = /ignoring broken ref (\S+)/.exec(refs.stderr);
  if (ignored) return { kind: "broken", why: brokenRef(ignored[1]!) };
  if (refs.code !== 0) return { kind: "broken", why: gitSaid(refs.stderr) };
  return {
    kind: "repository",
    branch: ref?.slice("refs/heads/".length),
    head,
    underWay: await underWay(place),
  };
}

async function underWay(place: GitPlace): Promise<string | undefined> {
  const paths = await gitText(place, ["rev-parse", ...UNDER_WAY.flatMap(([file]) => ["--git-path", file])]);
  for (const [index, path] of paths.split("\n").entries()) {
    if (await exists(resolve(place.dir, path))) return UNDER_WAY[index]![1];
  }
  return undefined;
}

const gitPath = async (place: GitPlace, name: string): Promise<string> =>
  resolve(place.dir, await gitText(place, ["rev-parse", "--git-path", name]));

/** Looks for the cause itself, because git tells most of them as "not a git repository". */
async function whyUnreadable(dir: string, said: string): Promise<Text> {
  if (/dubious ownership/.test(said)) return foreignOwner;
  if (/bad config|bad numeric config|bad boolean config/.test(said)) return brokenConfig(said);
  const folder = join(dir, ".git");
  if (!(await lstat(folder)).isDirectory()) return gitSaid(said);
  for (const part of ["objects", "refs"]) if (!(await exists(join(folder, part)))) return missingPart(`.git/${part}`);
  const head = await readFile(join(folder, "HEAD"), "utf8").catch(() => "");
  if (!/^ref: refs\/\S/.test(head) && !isOid(head.trim())) return brokenHead;
  return gitSaid(said || "the work tree of this repository is another folder (core.worktree)");
}

const brokenHead: Text = {
  en: "git cannot read .git/HEAD, which says what is checked out. If your branch is main, write the line “ref: refs/heads/main” into that file.",
  uk: "git не може прочитати .git/HEAD, де вказано поточну гілку. Якщо ваша гілка main, запишіть у цей файл рядок «ref: refs/heads/main».",
};

const missingPart = (part: string): Text => ({
  en: `${part} is missing, so git does not take this folder for a repository. Restore .git from a backup, or clone again and move your files there.`,
  uk: `Немає ${part}, тому git не вважає цю теку репозиторієм. Відновіть .git з резервної копії або клонуйте знову і перенесіть туди свої файли.`,
});

const brokenRef = (ref: string): Text => ({
  en: `${ref} holds no object id. Its last good values are in .git/logs/${ref}; put one back with “git update-ref ${ref} <id>”.`,
  uk: `${ref} не містить ідентифікатора об'єкта. Попередні значення є в .git/logs/${ref}; поверніть одне командою «git update-ref ${ref} <id>».`,
});

const missingObject = (ref: string, oid: string): Text => ({
  en: `${ref} points to ${oid}, which is missing or damaged. Fetch it from a remote or a backup (“git fetch <backup>”), then look again.`,
  uk: `${ref} вказує на ${oid}, а цього об'єкта немає або його пошкоджено. Отримайте його з віддаленого репозиторію чи резервної копії («git fetch <копія>») і перевірте ще раз.`,
});

const foreignOwner: Text = {
  en: "The folder belongs to another user of this machine, and git refuses to work in it. Run as that user, or make the folder your own (chown -R).",
  uk: "Тека належить іншому користувачеві цієї машини, і git відмовляється в ній працювати. Запустіть від імені того користувача або зробіть теку своєю (chown -R).",
};

const brokenConfig = (said: string): Text => {
  const where = /bad \w* ?config.*? (line \d+)/.exec(said)?.[1];
  return {
    en: `git cannot read the repository's settings (.git/config${where ? `, ${where}` : ""}). Correct that line, or restore the file from a backup.`,
    uk: `git не може прочитати налаштування репозиторію (.git/config${where ? `, ${where}` : ""}). Виправте цей рядок або відновіть файл із резервної копії.`,
  };
};

const otherFormat = (format: string): Text => ({
  en: `The repository names its objects by ${format}; a garden needs sha1. Use another folder, or convert the history with “git fast-export | git fast-import”.`,
  uk: `Репозиторій іменує об'єкти через ${format}, а саду потрібен sha1. Візьміть іншу теку або перетворіть історію: «git fast-export | git fast-import».`,
});

const gitSaid = (said: string): Text => {
  const line = said.replace(/^(fatal|error): /gm, "").slice(0, 500);
  return {
    en: `git cannot read this repository: ${line}. Run “git status” there and follow its advice.`,
    uk: `git не може прочитати цей репозиторій: ${line}. Виконайте там «git status» і скористайтеся його порадою.`,
  };
};
