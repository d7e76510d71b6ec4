import { isOid, type Oid } from "../../../../domain/git/git-names.ts";
import type { LineOrigin, Repo } from "../../../../ports/repo.ts";
import { type GitPlace, git, gitFailed, gitText } from "../process/git-process.ts";
import { commitAt } from "./build-commit.ts";
import { notACommitId } from "./failures.ts";
import { EMPTY_TREE } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";

/** The history part of `Repo`. Git walks it; commits come from the reader. */
export type CommitHistory = Pick<
  Repo,
  | "history"
  | "firstCommit"
  | "patch"
  | "mergeBase"
  | "isAncestor"
  | "reachable"
  | "originOfLine"
  | "originsOfLines"
  | "commitsLike"
>;

/** Paths are names, never patterns. */
const LITERAL = { GIT_LITERAL_PATHSPECS: "1", GIT_NO_REPLACE_OBJECTS: "1" };

/** `makeDurable` writes deferred commits, so that git can see them. */
export function commitHistory(
  place: GitPlace,
  reader: ObjectReader,
  makeDurable: (commits: readonly Oid[]) => Promise<void>,
): CommitHistory {
  /** Throws NOT_FOUND for a commit that the repository does not have. */
  const expectCommits = async (...oids: Oid[]): Promise<void> => {
    for (const oid of oids) {
      if (!isOid(oid)) throw notACommitId(oid);
      await commitAt(reader, oid);
    }
    await makeDurable(oids);
  };
  const originsOfLines: CommitHistory["originsOfLines"] = async (at, path, first, last) => {
    await expectCommits(at);
    return first < 1 || last < first ? [] : blame(place, at, path, first, last);
  };
  return {
    async history(at, path, page) {
      await expectCommits(at);
      const oids = await listCommits(place, at, path, page);
      return Promise.all(oids.map((oid) => commitAt(reader, oid)));
    },
    async firstCommit(at) {
      await expectCommits(at);
      const roots = await gitText(place, ["rev-list", "--date-order", "--max-parents=0", at], { variables: LITERAL });
      return roots.trimEnd().split("\n").at(-1)!;
    },
    async patch(from, to, paths = []) {
      await expectCommits(...(from === undefined ? [] : [from]), to);
      return diff(place, from ?? EMPTY_TREE, to, paths);
    },
    async mergeBase(a, b) {
      await expectCommits(a, b);
      if (a === b) return a;
      const { code, stdout } = await git(place, ["merge-base", a, b], { accept: [0, 1], variables: LITERAL });
      return code === 0 ? stdout.toString().trimEnd() : undefined;
    },
    async isAncestor(ancestor, of) {
      await expectCommits(ancestor, of);
      if (ancestor === of) return true;
      const { code } = await git(place, ["merge-base", "--is-ancestor", ancestor, of], {
        accept: [0, 1],
        variables: LITERAL,
      });
      return code === 0;
    },
    async reachable(from, { text, reflogs = false, without = [] } = {}) {
      if (from.length === 0 && !reflogs) return [];
      await expectCommits(...from, ...without);
      const search = text === undefined ? [] : ["--fixed-strings", `--grep=${text}`];
      const found = await gitText(
        place,
        ["rev-list", "--date-order", ...search, ...(reflogs ? ["--reflog"] : []), "--stdin"],
        {
          variables: LITERAL,
          input: [...new Set([...from, ...without.map((oid) => `^${oid}`)])].map((line) => `${line}\n`).join(""),
        },
      );
      return found.split("\n").filter(Boolean);
    },
    originOfLine: async (at, path, line) => (await originsOfLines(at, path, line, line))[0],
    originsOfLines,
    async commitsLike(prefix) {
      if (!/^[0-9a-f]{4,40}$/.test(prefix)) return [];
      const listed = await gitText(place, ["rev-parse", `--disambiguate=${prefix}`], { variables: LITERAL });
      const oids = listed.split("\n").filter(Boolean);
      const types = await Promise.all(oids.map((oid) => reader.typeOf(oid)));
      return oids.filter((_, index) => types[index] === "commit");
    },
  };
}

async function listCommits(
  place: GitPlace,
  at: Oid,
  path: string,
  { limit, skip }: { limit?: number; skip?: number } = {},
): Promise<Oid[]> {
  const args = [
    "rev-list",
    "--date-order", // newest first, and never a parent before its child, whatever their clocks said
    ...(limit === undefined ? [] : [`--max-count=${limit}`]),
    ...(skip ? [`--skip=${skip}`] : []),
    at,
    "--",
    ...(path === "" ? [] : [path]),
  ];
  return (await gitText(place, args, { variables: LITERAL })).split("\n").filter(Boolean);
}

async function diff(place: GitPlace, from: Oid, to: Oid, paths: readonly string[]): Promise<string> {
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];
  const { stdout } = await git(place, ["diff-tree", "-p", "-M", ...plain, from, to, "--", ...paths], {
    variables: LITERAL,
  });
  return stdout.toString();
}

async function blame(place: GitPlace, at: Oid, path: string, first: number, last: number): Promise<LineOrigin[]> {
  // First find the last change of the file: for that git uses the path filters of the commit graph, which blame hardly
  // does. In a long history this is five times as fast.
  const change = await gitText(place, ["rev-list", "--max-count=1", at, "--", path], { variables: LITERAL });
  // The repository's setting `blame.ignoreRevsFile` must not hide commits.
  const { code, stdout, stderr } = await git(
    place,
    ["-c", "blame.ignoreRevsFile=", "blame", "--porcelain", `-L${first},${last}`, change || at, "--", path],
    { accept: [0, 128], variables: LITERAL },
  );
  if (code !== 0 && !/no such path|has only \d+ line/.test(stderr)) throw gitFailed(["blame"], String(code), stderr);
  return originsIn(stdout.toString(), path);
}

/** `git blame --porcelain`: a header line, more headers where a commit occurs first, then the line itself after a tab. */
function originsIn(output: string, path: string): LineOrigin[] {
  const names = new Map<Oid, string>();
  const found: { commit: Oid; line: number }[] = [];
  for (const row of output.split("\n")) {
    if (row.startsWith("\t")) continue;
    const head = /^([0-9a-f]{40}) (\d+) \d+/.exec(row);
    if (head) found.push({ commit: head[1]!, line: Number(head[2]) });
    else if (row.startsWith("filename ")) names.set(found.at(-1)!.commit, row.slice("filename ".length));
  }
  return found.map(({ commit, line }) => ({ commit, path: names.get(commit) ?? path, line }));
}
