import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isOid, type Oid } from "../../../../domain/git/git-names.ts";
import type { Signature } from "../../../../ports/repo.ts";
import type { CopiedWork } from "../../../../ports/work-copies.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitCall, type GitPlace, git, gitText } from "../process/git-process.ts";
import { plainFetch } from "../remote/transfer-settings.ts";
import { unfinishedCopy } from "./failures.ts";

export interface CopyDeps {
  readonly place: GitPlace;
  readonly commonDir: string;
}

/** In the folder of a copy: the files, and the repository beside them, so that a program that deletes `.git` destroys nothing. */
const TREE = "tree";
const GIT = "git";
const TAKEN_REF = "refs/bloom/taken";
const LONGEST_CHAIN = 10_000;

/** Git in the copy. The person's configuration has no influence, and what the program configured is replaced before it is read. */
const inCopy = ({ place }: CopyDeps, folder: string): { place: GitPlace; call: GitCall } => ({
  place: { ...place, dir: join(folder, TREE) },
  call: {
    variables: {
      GIT_DIR: join(folder, GIT),
      GIT_WORK_TREE: join(folder, TREE),
      GIT_NO_REPLACE_OBJECTS: "1",
    },
  },
});

/** Makes the copy. A folder that a crash left half made has no finished mark: the caller removes it and begins again. */
export async function copyOut(
  deps: CopyDeps,
  folder: string,
  { at, branch, by }: { readonly at: Oid; readonly branch: string; readonly by: Pick<Signature, "name" | "email"> },
): Promise<string> {
  const { place, call } = inCopy(deps, folder);
  const gitDir = join(folder, GIT);
  for (const part of [TREE, `${GIT}/objects/info`, `${GIT}/refs/heads`])
    await mkdir(join(folder, part), { recursive: true });
  await writeFile(join(gitDir, "HEAD"), `ref: ${branch}\n`);
  await writeSettings(deps, gitDir, by);
  await git(place, ["update-ref", branch, at], call);
  await git(place, ["read-tree", "-u", "--reset", at], call);
  await writeFile(join(folder, TREE, ".git"), `gitdir: ../${GIT}\n`);
  return join(folder, TREE);
}

async function writeSettings(
  { commonDir }: CopyDeps,
  gitDir: string,
  by: Pick<Signature, "name" | "email">,
): Promise<void> {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  await writeFile(
    join(gitDir, "config"),
    `[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tlogAllRefUpdates = true\n[gc]\n\tauto = 0\n[user]\n\tname = ${quoted(by.name)}\n\temail = ${quoted(by.email)}\n`,
  );
  await mkdir(join(gitDir, "objects/info"), { recursive: true });
  await writeFile(join(gitDir, "objects/info/alternates"), `${join(commonDir, "objects")}\n`);
  if (existsSync(join(commonDir, "shallow"))) await copyFile(join(commonDir, "shallow"), join(gitDir, "shallow"));
}

/** The commits and files of the copy. Their objects are in our repository afterwards, synced; no ref names them. */
export async function takeCopy(
  deps: CopyDeps,
  folder: string,
  { at, by }: { readonly at: Oid; readonly by: Pick<Signature, "name" | "email"> },
): Promise<CopiedWork> {
  const { place, call } = inCopy(deps, folder);
  const gitDir = join(folder, GIT);
  await writeSettings(deps, gitDir, by);
  for (const part of ["info/attributes", "info/exclude", "info/grafts", "commondir"])
    await rm(join(gitDir, part), { recursive: true, force: true });
  const head = await headIn(place, call);
  const commits = head === undefined ? undefined : await ownCommits(place, call, at, head);
  const tree = await treeIn({ place, call, gitDir }, head ?? at);
  const parent = commits === undefined ? at : head!;
  const identity = {
    ...call.variables,
    GIT_AUTHOR_NAME: by.name,
    GIT_AUTHOR_EMAIL: by.email,
    GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
    GIT_COMMITTER_NAME: by.name,
    GIT_COMMITTER_EMAIL: by.email,
    GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
  };
  const taken = await gitText(place, ["commit-tree", "-m", "Taken", "-p", parent, tree], { variables: identity });
  await git(place, ["update-ref", TAKEN_REF, taken], call);
  await git(deps.place, [...plainFetch, "--", gitDir, TAKEN_REF]);
  await syncPath(join(deps.commonDir, "objects/pack")); // before our commits build on it
  return { commits: commits ?? [], isRewritten: commits === undefined, tree };
}

/** Undefined if HEAD names nothing: an orphan branch, or a repository that the program destroyed. */
async function headIn(place: GitPlace, call: GitCall): Promise<Oid | undefined> {
  const { code, stdout } = await git(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    ...call,
    accept: [0, 1, 128],
  });
  const oid = stdout.toString().trim();
  return code === 0 && isOid(oid) ? oid : undefined;
}

/** The first parents from HEAD back to `at`, oldest first; undefined if HEAD was rewritten so that they do not lead there. */
async function ownCommits(place: GitPlace, call: GitCall, at: Oid, head: Oid): Promise<readonly Oid[] | undefined> {
  if (head === at) return [];
  const text = await gitText(
    place,
    ["rev-list", "--first-parent", "--parents", `--max-count=${LONGEST_CHAIN + 1}`, head, `^${at}`],
    call,
  );
  const lines = text === "" ? [] : text.split("\n").map((line) => line.split(" "));
  const oldest = lines.at(-1);
  return lines.length > LONGEST_CHAIN || oldest?.[1] !== at ? undefined : lines.map(([oid]) => oid!).toReversed();
}

/** All files that are not ignored, and those that the program staged although they are, as a tree. */
async function treeIn(
  { place, call, gitDir }: { readonly place: GitPlace; readonly call: GitCall; readonly gitDir: string },
  head: Oid,
): Promise<Oid> {
  const index = join(gitDir, "index.taken");
  const apart = { variables: { ...call.variables, GIT_INDEX_FILE: index } };
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  await copyIndex(join(gitDir, "index"), index).catch(() => git(place, ["read-tree", head], apart));
  const unmerged = await gitText(place, ["ls-files", "-u", "-z"], apart);
  if (unmerged !== "")
    throw unfinishedCopy([...new Set(unmerged.split("\0").flatMap((line) => line.split("\t")[1] ?? []))]);
  await git(place, ["-c", "core.excludesFile=/dev/null", "add", "--all", "--", "."], apart);
  return gitText(place, ["write-tree"], apart);
}

/** The copy keeps the time of the index: git reads a file again if the index is not newer than it, which a new file always is. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));
}
