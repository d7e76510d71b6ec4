import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Text } from "../../../../base/text.ts";
import { isOid } from "../../../../domain/git/git-names.ts";
import type { RepoSituation } from "../../../../ports/repos.ts";
import { exists } from "../disk/small-file.ts";
import { type Environment, type GitPlace, git, gitText } from "../process/git-process.ts";
import {
  bareRepository,
  brokenConfig,
  brokenHead,
  brokenRef,
  foreignOwner,
  gitSaid,
  missingObject,
  missingPart,
  otherFormat,
} from "./failures.ts";

/** Files in the git folder that show an unfinished operation; the first that exists names it. */
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
 * The repository in a folder. Reads only. A missing folder counts as one without a repository. Throws only if git cannot be
 * started; anything that git cannot read is `broken`.
 */
export async function lookAtFolder(dir: string, environment: Environment): Promise<RepoSituation> {
  if (!(await exists(dir))) return { kind: "none" };
  const place: GitPlace = { dir, environment };
  const own = await exists(join(dir, ".git"));
  // Not `git rev-parse` alone: it skips a damaged `.git` silently and answers for a repository further up.
  const answer = await git(place, ["rev-parse", "--show-object-format", "--show-toplevel"], { accept: [0, 128] });
  const [format, top] = answer.stdout.toString().trimEnd().split("\n");
  if (!own) return answer.code === 0 ? { kind: "inside", top: top! } : outside(place, answer.stderr);
  if (answer.code !== 0) return { kind: "broken", why: await whyUnreadable(dir, answer.stderr) };
  if (top !== (await realpath(dir))) return { kind: "broken", why: await whyUnreadable(dir, "") };
  if (format !== "sha1") return { kind: "broken", why: otherFormat(format!) };
  return headOf(place);
}

/** There is no `.git` here, and git found no work tree: no repository, a bare one, or an outer one that git refuses. */
async function outside(place: GitPlace, said: string): Promise<RepoSituation> {
  if (/not a git repository/.test(said)) return { kind: "none" };
  const answer = await git(place, ["rev-parse", "--is-bare-repository", "--absolute-git-dir"], { accept: [0, 128] });
  const [bare, folder] = answer.stdout.toString().trimEnd().split("\n");
  if (answer.code === 0 && bare === "true" && folder === (await realpath(place.dir))) {
    return { kind: "broken", why: bareRepository };
  }
  if (answer.code === 0) return { kind: "inside", top: folder! };
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

/** Finds the cause itself, because git reports most of them as "not a git repository". */
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
