import type { Text } from "../../../base/text.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { commitClaims } from "../why/commit-facts.ts";
import { type Check, mainOf } from "./check.ts";

/**
 * A commit by hand whose index lacked an applied change takes it back, while the file stays in the work tree. A person who wants the
 * change gone removes it there too (`git revert`), so this is probably an accident, and the person has to know.
 */
export const takenBackCheck: Check = {
  id: "taken-back",
  rule: "G-5",
  title: {
    en: "no commit by hand takes back an applied change whose file is still there",
    uk: "жоден ручний коміт не скасовує застосованої зміни, файл якої лишився",
  },
  async *run(garden) {
    const main = await mainOf(garden);
    if (!main) return;
    const { repo, head } = main;
    for (const { path, kind } of await repo.uncommitted().catch(() => [])) {
      if (kind !== "untracked" && kind !== "changed") continue;
      const [last, ...earlier] = await repo.history(head, path, { limit: MAX_CHANGES + 1 });
      if (!last || isOurs(last)) continue;
      const proposals = await proposalsTakenBack(repo, path, last, earlier);
      if (proposals.length > 0) yield { where: path, what: takenBack(last, proposals, path) };
    }
  },
};

const MAX_CHANGES = 20;

/** The applied proposals after which the path was as `last` made it again. */
async function proposalsTakenBack(
  repo: Repo,
  path: string,
  last: Commit,
  earlier: readonly Commit[],
): Promise<string[]> {
  const now = await blobAt(repo, last.oid, path);
  const proposals: string[] = [];
  for (const commit of earlier) {
    const [proposal] = commitClaims(commit).proposals;
    if (!isOurs(commit) || proposal === undefined) return [];
    proposals.push(proposal);
    if ((await blobAt(repo, commit.parents[0], path)) === now) return proposals;
  }
  return [];
}

const isOurs = ({ committer }: Commit): boolean => committer.email === GATEWAY.email;

async function blobAt(repo: Repo, commit: Oid | undefined, path: string): Promise<Oid | undefined> {
  return commit === undefined ? undefined : (await repo.read(commit, path))?.oid;
}

const takenBack = ({ oid, author }: Commit, proposals: readonly string[], path: string): Text => ({
  en: `the commit ${oid.slice(0, 10)} by ${author.name} took the change of ${proposals.join(", ")} back, but the file in the work tree was left: probably an accident. To restore the change: git add ${path} && git commit. To keep main as it is: remove the edit from the file`,
  uk: `коміт ${oid.slice(0, 10)} (${author.name}) скасував зміну ${proposals.join(", ")}, а файл у робочій теці лишився: мабуть, випадково. Щоб повернути зміну: git add ${path} && git commit. Щоб лишити main як є: приберіть правку з файлу`,
});
