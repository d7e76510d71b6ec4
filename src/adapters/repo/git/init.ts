import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { MAIN_BRANCH, TRACE_REF } from "../../../domain/layout.ts";
import { type Environment, git } from "./git-process.ts";
import { exists } from "./situation.ts";
import { syncPath } from "./sync.ts";

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
  ["notes.displayRef", TRACE_REF],
];

const BEING_MADE = /^\.git\.new-[0-9a-f]{16}$/;

/**
 * Makes an empty repository in an existing folder. It is made aside and renamed into place, so that a crash leaves
 * either a whole repository with its settings or none: a half-made one would look like a person's own, whose settings
 * are not ours to change.
 */
export async function init(dir: string, environment: Environment, world: World): Promise<void> {
  if (await exists(join(dir, ".git"))) throw alreadyThere();
  for (const name of await readdir(dir)) {
    if (BEING_MADE.test(name)) await rm(join(dir, name), { recursive: true, force: true });
  }
  const aside = join(dir, `.git.new-${Buffer.from(world.random(8)).toString("hex")}`);
  await mkdir(aside);
  try {
    const place = { dir: aside, environment };
    await git(place, ["init", "--quiet", "-b", MAIN_BRANCH]);
    crashPoint("init:made");
    for (const [name, value] of PROTECTION) await git(place, ["config", name, value]);
    const made = join(aside, ".git");
    for (const name of ["config", "HEAD", "objects", "refs", ""]) await syncPath(join(made, name));
    crashPoint("init:settled");
    await rename(made, join(dir, ".git"));
    await syncPath(dir);
  } catch (error) {
    // Somebody else's repository appeared in the meantime: theirs stays.
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw alreadyThere();
    throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const alreadyThere = (): Failure =>
  new Failure(
    "DUPLICATE_ENTRY",
    { en: "there is a git repository in this folder already", uk: "у цій теці вже є репозиторій git" },
    { hint: { en: "Use it as it is.", uk: "Користуйтеся ним як є." } },
  );
