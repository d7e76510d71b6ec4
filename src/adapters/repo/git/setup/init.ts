import { appendFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import type { World } from "../../../../base/world.ts";
import { MAIN_BRANCH } from "../../../../domain/layout.ts";
import { exists } from "../disk/small-file.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type Environment, type GitPlace, git } from "../process/git-process.ts";
import { repositoryExists } from "./failures.ts";

/**
 * Settings that protect the history from the person's own git too: reflogs for every ref, no automatic pruning, no
 * non-fast-forward pushes, checks of received objects, synced commits.
 */
const PROTECTION = `[core]
\tlogAllRefUpdates = always
\tfsync = committed
[gc]
\tauto = 0
[receive]
\tdenyNonFastForwards = true
[transfer]
\tfsckObjects = true
[notes]
\tdisplayRef = refs/notes/*
`; // The last one is a pattern: for a named ref that does not exist yet, every `git log` prints a warning.

const UNFINISHED = /^\.git\.new-[0-9a-f]{16}$/;

/** Makes an empty repository in an existing folder and leaves its files alone. */
export const initRepository = (dir: string, environment: Environment, world: World): Promise<void> =>
  makeRepository(dir, environment, world, async () => undefined);

/**
 * Makes a repository and fills it. It is made in a folder aside and renamed into place, `.git` last, so that a crash or an
 * error of `fill` leaves no repository: a half-made one would look like a person's own.
 */
export async function makeRepository(
  dir: string,
  environment: Environment,
  world: World,
  fill: (place: GitPlace) => Promise<void>,
): Promise<void> {
  if (await exists(join(dir, ".git"))) throw repositoryExists();
  for (const name of await readdir(dir)) {
    if (UNFINISHED.test(name)) await rm(join(dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const aside = join(dir, `.git.new-${Buffer.from(world.random(8)).toString("hex")}`);
  await mkdir(aside);
  try {
    const place = { dir: aside, environment };
    await git(place, ["init", "--quiet", "-b", MAIN_BRANCH]);
    crashPoint("init:made");
    // Six calls of `git config` would take as long as all the rest. Nobody else knows this folder yet.
    await appendFile(join(aside, ".git", "config"), PROTECTION);
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
      if (await exists(join(dir, name))) throw repositoryExists();
      await rename(join(aside, name), join(dir, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) await rm(join(dir, name), { recursive: true, force: true });
    throw error;
  }
  await syncPath(dir);
}
