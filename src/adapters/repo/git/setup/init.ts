import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import { Failure } from "../../../../base/failure.ts";
import type { World } from "../../../../base/world.ts";
import { MAIN_BRANCH } from "../../../../domain/layout.ts";
import { exists } from "../disk/small-file.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type Environment, type GitPlace, git } from "../process/git-process.ts";

/**
 * What protects the history also against the person's own git: every ref keeps a log, nothing is pruned behind our
 * back, nobody pushes over what is there, damaged objects are refused at the door, and what is committed is synced.
 */
const PROTECTION: readonly (readonly [name: string, value: string])[] = [
  ["core.logAllRefUpdates", "always"],
  ["core.fsync", "committed"],
  ["gc.auto", "0"],
  ["receive.denyNonFastForwards", "true"],
  ["transfer.fsckObjects", "true"],
  // A pattern: git complains about a ref that is named and not there yet, at every `git log`.
  ["notes.displayRef", "refs/notes/*"],
];

const BEING_MADE = /^\.git\.new-[0-9a-f]{16}$/;

/** Makes an empty repository in an existing folder. Its files stay as they are. */
export const initRepository = (dir: string, environment: Environment, world: World): Promise<void> =>
  makeRepository(dir, environment, world, async () => undefined);

/**
 * Makes a repository and fills it. All of it is made aside and renamed into place, `.git` last, so that a crash or a
 * refusal of `fill` leaves no repository: a half-made one would look like a person's own, whose settings are not ours
 * to change.
 */
export async function makeRepository(
  dir: string,
  environment: Environment,
  world: World,
  fill: (place: GitPlace) => Promise<void>,
): Promise<void> {
  if (await exists(join(dir, ".git"))) throw alreadyThere();
  for (const name of await readdir(dir)) {
    if (BEING_MADE.test(name)) await rm(join(dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const aside = join(dir, `.git.new-${Buffer.from(world.random(8)).toString("hex")}`);
  await mkdir(aside);
  try {
    const place = { dir: aside, environment };
    await git(place, ["init", "--quiet", "-b", MAIN_BRANCH]);
    crashPoint("init:made");
    for (const [name, value] of PROTECTION) await git(place, ["config", name, value]);
    await fill(place);
    for (const name of ["config", "HEAD", "objects", "refs", ""]) await syncPath(join(aside, ".git", name));
    crashPoint("init:settled");
    await moveIntoPlace(aside, dir);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function moveIntoPlace(aside: string, dir: string): Promise<void> {
  const moved: string[] = [];
  try {
    for (const name of [...(await readdir(aside)).filter((each) => each !== ".git"), ".git"]) {
      if (await exists(join(dir, name))) throw alreadyThere();
      await rename(join(aside, name), join(dir, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) await rm(join(dir, name), { recursive: true, force: true });
    throw error;
  }
  await syncPath(dir);
}

const alreadyThere = (): Failure =>
  new Failure(
    "DUPLICATE_ENTRY",
    { en: "there is a git repository in this folder already", uk: "у цій теці вже є репозиторій git" },
    { hint: { en: "Use it as it is, or choose another folder.", uk: "Користуйтеся ним як є або оберіть іншу теку." } },
  );
