import { Failure } from "../../../../base/failure.ts";
import { isOid, type Oid } from "../../../../domain/git/git-names.ts";
import type { Commit, LineOrigin } from "../../../../ports/repo.ts";
import { type GitPlace, git, gitFailed, gitText } from "../process/git-process.ts";
import { commitAt } from "./build-commit.ts";
import { EMPTY_TREE } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";

/** Questions about history that git walks for us; commits come from the reader. */
export interface History {
  history(at: Oid, path: string, page?: { limit?: number; skip?: number }): Promise<readonly Commit[]>;
  patch(from: Oid | undefined, to: Oid, paths?: readonly string[]): Promise<string>;
  mergeBase(a: Oid, b: Oid): Promise<Oid | undefined>;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  originOfLine(at: Oid, path: string, line: number): Promise<LineOrigin | undefined>;
  originsOfLines(at: Oid, path: string, first: number, last: number): Promise<readonly LineOrigin[]>;
  commitsLike(prefix: string): Promise<readonly Oid[]>;
}

/** Paths are names here, never patterns. */
const LITERAL = { GIT_LITERAL_PATHSPECS: "1", GIT_NO_REPLACE_OBJECTS: "1" };

/** `settle`: puts commits on disk that git is going to be asked about. */
export function historyOf(
  place: GitPlace,
  reader: ObjectReader,
  settle: (commits: readonly Oid[]) => Promise<void>,
): History {
  const known = async (...oids: Oid[]): Promise<void> => {
    for (const oid of oids) {
      if (!isOid(oid)) throw notAnId(oid);
      await commitAt(reader, oid);
    }
    await settle(oids);
  };
  const origins: History["originsOfLines"] = async (at, path, first, last) => {
    await known(at);
    if (first < 1 || last < first) return [];
    // The file is as its last change left it. To find that one, git can use what the commit graph knows of paths, which
    // blame makes little of: in a long history it is five times as quick to ask first.
    const change = await gitText(place, ["rev-list", "--max-count=1", at, "--", path], { variables: LITERAL });
    // Settings of the repository that would pass over commits do not count.
    const { code, stdout, stderr } = await git(
      place,
      ["-c", "blame.ignoreRevsFile=", "blame", "--porcelain", `-L${first},${last}`, change || at, "--", path],
      { accept: [0, 128], variables: LITERAL },
    );
    if (code !== 0 && !/no such path|has only \d+ line/.test(stderr)) throw gitFailed(["blame"], String(code), stderr);
    return originsIn(stdout.toString(), path);
  };
  return {
    async history(at, path, { limit, skip } = {}) {
      await known(at);
      const listed = await gitText(
        place,
        [
          "rev-list",
          "--date-order", // newest first, and never a parent before its child, whatever their clocks said
          ...(limit === undefined ? [] : [`--max-count=${limit}`]),
          ...(skip ? [`--skip=${skip}`] : []),
          at,
          "--",
          ...(path === "" ? [] : [path]),
        ],
        { variables: LITERAL },
      );
      return Promise.all(
        listed
          .split("\n")
          .filter(Boolean)
          .map((oid) => commitAt(reader, oid)),
      );
    },
    async patch(from, to, paths = []) {
      await known(...(from === undefined ? [] : [from]), to);
      const { stdout } = await git(
        place,
        [
          "diff-tree",
          "-p",
          "-M",
          "--no-ext-diff",
          "--no-textconv",
          "--no-color",
          "--src-prefix=a/",
          "--dst-prefix=b/",
          from ?? EMPTY_TREE,
          to,
          "--",
          ...paths,
        ],
        { variables: LITERAL },
      );
      return stdout.toString();
    },
    async mergeBase(a, b) {
      await known(a, b);
      if (a === b) return a;
      const { code, stdout } = await git(place, ["merge-base", a, b], { accept: [0, 1], variables: LITERAL });
      return code === 0 ? stdout.toString().trimEnd() : undefined;
    },
    async isAncestor(ancestor, of) {
      await known(ancestor, of);
      if (ancestor === of) return true;
      const { code } = await git(place, ["merge-base", "--is-ancestor", ancestor, of], {
        accept: [0, 1],
        variables: LITERAL,
      });
      return code === 0;
    },
    originOfLine: async (at, path, line) => (await origins(at, path, line, line))[0],
    originsOfLines: origins,
    async commitsLike(prefix) {
      if (!/^[0-9a-f]{4,40}$/.test(prefix)) return [];
      const listed = await gitText(place, ["rev-parse", `--disambiguate=${prefix}`], { variables: LITERAL });
      const oids = listed.split("\n").filter(Boolean);
      const types = await Promise.all(oids.map((oid) => reader.typeOf(oid)));
      return oids.filter((_, index) => types[index] === "commit");
    },
  };
}

/** `git blame --porcelain`: a line of facts, more facts where a commit is met first, then the line itself behind a tab. */
function originsIn(told: string, path: string): LineOrigin[] {
  const names = new Map<Oid, string>();
  const found: { commit: Oid; line: number }[] = [];
  for (const row of told.split("\n")) {
    if (row.startsWith("\t")) continue;
    const head = /^([0-9a-f]{40}) (\d+) \d+/.exec(row);
    if (head) found.push({ commit: head[1]!, line: Number(head[2]) });
    else if (row.startsWith("filename ")) names.set(found.at(-1)!.commit, row.slice("filename ".length));
  }
  return found.map(({ commit, line }) => ({ commit, path: names.get(commit) ?? path, line }));
}

const notAnId = (text: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `not a commit id: ${JSON.stringify(text)}`,
    uk: `не ідентифікатор коміту: ${JSON.stringify(text)}`,
  });
