import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Text } from "../../../../base/text.ts";
import type { RepoFinding } from "../../../../ports/repo-health.ts";
import { type GitPlace, git } from "../process/git-process.ts";

/** Commands of a person that git stops in the middle of, and the file that shows it. In order: a rebase also has CHERRY_PICK_HEAD. */
const MARKS = [
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["rebase-merge", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["REVERT_HEAD", "revert"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["BISECT_LOG", "bisect"],
] as const;

const SHOWN = 5;

/** The finding about a merge, revert, rebase, … that a person began and did not complete; none if there is no such. */
export async function unfinishedFindings(place: GitPlace, gitDir: string): Promise<RepoFinding[]> {
  const command = await unfinishedCommand(gitDir);
  if (command === undefined) return [];
  const said = await git(place, ["ls-files", "--unmerged", "-z"], { asUser: true });
  const lines = said.stdout.toString().split("\0").filter(Boolean);
  const paths = [...new Set(lines.map((line) => line.slice(line.indexOf("\t") + 1)))];
  return [{ kind: "unfinished", subject: `git ${command}`, what: unfinished(command, paths) }];
}

async function unfinishedCommand(gitDir: string): Promise<string | undefined> {
  const isThere = (name: string): Promise<boolean> =>
    access(join(gitDir, name)).then(
      () => true,
      () => false,
    );
  for (const [name, command] of MARKS) if (await isThere(name)) return command;
  // Between two commits of one `git revert A B` only the list of the rest is there.
  const todo = await readFile(join(gitDir, "sequencer/todo"), "utf8").catch(() => undefined);
  if (todo === undefined) return undefined;
  return /^revert\b/m.test(todo) ? "revert" : "cherry-pick";
}

function unfinished(command: string, paths: readonly string[]): Text {
  if (command === "bisect")
    return {
      en: "a search for a commit is under way, so HEAD is not main. `git bisect reset` ends it.",
      uk: "триває пошук коміту, тож HEAD — не main. Завершити: `git bisect reset`.",
    };
  const names = `${paths.slice(0, SHOWN).join(", ")}${paths.length > SHOWN ? ", …" : ""}`;
  const conflicts: Text =
    paths.length === 0
      ? { en: "nothing conflicts any more", uk: "конфліктів уже немає" }
      : { en: `${paths.length} file(s) conflict: ${names}`, uk: `файлів із конфліктом: ${paths.length} (${names})` };
  const first: Text =
    paths.length === 0
      ? { en: "", uk: "" }
      : {
          en: "Correct these files and `git add` them, then ",
          uk: "Виправте ці файли й додайте їх (`git add`), потім ",
        };
  return {
    en: `a \`git ${command}\` is not complete; ${conflicts.en}. ${first.en}\`git ${command} --continue\` completes it, \`git ${command} --abort\` undoes it.`,
    uk: `\`git ${command}\` не завершено; ${conflicts.uk}. ${first.uk}\`git ${command} --continue\` завершить, \`git ${command} --abort\` скасує.`,
  };
}
