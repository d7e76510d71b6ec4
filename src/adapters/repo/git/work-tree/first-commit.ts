import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { messageWithTrailers } from "../../../../domain/git/trailers.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { CommitDraft, Signature } from "../../../../ports/repo.ts";
import type { Everything } from "../../../../ports/repos.ts";
import { exists } from "../disk/small-file.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";
import { firstCommitRaced, hasCommits } from "./failures.ts";
import { filesToCommit } from "./files-to-commit.ts";
import { ASIDE_PREFIX, clearLeftovers, copyIndex, replaceIndex } from "./replace-index.ts";

type Draft = Omit<CommitDraft, "parents" | "tree" | "edits">;
type Progress = (done: number, total: number) => void;

const MIN_BATCH = 500;
const MAX_BATCHES = 40; // each batch rewrites the whole index
const ADD_LIMIT_MS = 3_600_000;
const PACK_LIMIT_MS = 3_600_000;

/**
 * Commits every file of the work tree that is not ignored as the first commit of `main`.
 *
 * Objects are written unsynced to a folder aside, then packed into one synced pack: twenty thousand loose files, each
 * synced, take minutes, and unsynced ones in `objects/` may survive a power cut empty and then count as present.
 * Order: pack, index, ref. A crash before the ref leaves a repository without commits, and the next call starts over;
 * after a crash behind the ref, the next call returns the commit that is there.
 */
export async function commitEverything(place: GitPlace, draft: Draft, progress?: Progress): Promise<Everything> {
  const message = messageWithTrailers(draft.message, draft.trailers ?? []);
  const there = await gitText(place, ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/"]);
  const places = await gitText(place, ["rev-parse", "--path-format=absolute", "--git-dir", "--git-path", "objects"]);
  const [gitDir, objects] = places.split("\n") as [string, string];
  const theirs = join(gitDir, "index");
  const hasIndex = await exists(theirs);
  const { paths, left } = await filesToCommit(place, hasIndex);
  await clearLeftovers(gitDir);
  if (there !== "") return { head: await existingCommit(place, there, draft, message), left };

  const aside = await mkdtemp(join(gitDir, ASIDE_PREFIX)); // a new name: the git of a killed call may still be writing into an older folder
  try {
    await mkdir(join(aside, "objects"));
    const index = join(aside, "index");
    if (hasIndex) await copyIndex(theirs, index);
    const variables = {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(aside, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects),
    };
    await addAll(place, paths, variables, progress);
    crashPoint("first-commit:added");
    const tree = await gitText(place, ["write-tree"], { variables });
    const head = await gitText(place, ["-c", "core.fsync=none", "commit-tree", tree, "-F", "-"], {
      input: message,
      variables: { ...variables, ...signed("AUTHOR", draft.author), ...signed("COMMITTER", draft.committer) },
    });
    await mkdir(join(objects, "pack"), { recursive: true });
    await git(place, ["pack-objects", "--revs", "--quiet", "--window=0", join(objects, "pack", "pack")], {
      input: `${head}\n`,
      variables,
      timeoutMs: PACK_LIMIT_MS,
    });
    await syncPath(join(objects, "pack"));
    await syncPath(objects);
    crashPoint("first-commit:packed");
    await replaceIndex(index, theirs);
    crashPoint("first-commit:indexed");
    // An unborn `master` becomes `main`; nothing is lost.
    if ((await readFile(join(gitDir, "HEAD"), "utf8")) !== `ref: ${MAIN_REF}\n`)
      await git(place, ["symbolic-ref", "HEAD", MAIN_REF]);
    await createMain(place, head);
    for (const name of [MAIN_REF, dirname(MAIN_REF), "refs", ""]) await syncPath(join(gitDir, name));
    crashPoint("first-commit:moved");
    return { head, left };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function addAll(
  place: GitPlace,
  paths: readonly string[],
  variables: Record<string, string>,
  progress?: Progress,
): Promise<void> {
  const batch = Math.max(MIN_BATCH, Math.ceil(paths.length / MAX_BATCHES));
  progress?.(0, paths.length);
  for (let done = 0; done < paths.length; done += batch) {
    const some = paths.slice(done, done + batch);
    // `--remove`: a file deleted since it was listed is no error.
    const args = ["-c", "core.fsync=none", "-c", "core.looseCompression=1", "update-index", "--add", "--remove", "-z"];
    await git(place, [...args, "--stdin"], {
      input: some.map((path) => `${path}\0`).join(""),
      variables,
      timeoutMs: ADD_LIMIT_MS,
    });
    crashPoint("first-commit:batch");
    progress?.(done + some.length, paths.length);
  }
}

async function createMain(place: GitPlace, head: Oid): Promise<void> {
  const args = ["update-ref", "--create-reflog", "-m", "first commit", MAIN_REF, head, ""];
  if ((await git(place, args, { accept: [0, 1, 128] })).code !== 0) throw firstCommitRaced();
}

/** The commit of an earlier call that died before it answered. Throws if the repository has any other history. */
async function existingCommit(place: GitPlace, there: string, draft: Draft, message: string): Promise<Oid> {
  const [head, ref, ...more] = there.split(/\s/);
  if (ref === MAIN_REF && more.length === 0) {
    const format = "--format=%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B";
    const found = await gitText(place, ["log", "-1", "--no-show-signature", format, head!]);
    const wanted = ["", ...person(draft.author), ...person(draft.committer), message.trimEnd()];
    if (found === wanted.join("\0")) return head!;
  }
  throw hasCommits();
}

const signed = (role: "AUTHOR" | "COMMITTER", who: Signature): Record<string, string> => ({
  [`GIT_${role}_NAME`]: who.name,
  [`GIT_${role}_EMAIL`]: who.email,
  [`GIT_${role}_DATE`]: `@${Math.floor(who.at / 1000)} ${zone(who.zone ?? 0)}`,
});

const person = (who: Signature): string[] => [who.name, who.email, String(Math.floor(who.at / 1000))];

const zone = (minutes: number): string => {
  const clock = Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60);
  return `${minutes < 0 ? "-" : "+"}${String(clock).padStart(4, "0")}`;
};

/** Git splits a list of folders at colons unless an entry is quoted as in C. */
const quoted = (path: string): string => `"${path.replace(/["\\]/g, "\\$&")}"`;
