import { appendFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import type { World } from "../../../../base/world.ts";
import type { RefName } from "../../../../domain/git/git-names.ts";
import type { RefEntry } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { exists } from "../disk/small-file.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";
import { emptyRepository } from "../remote/aside.ts";

/** The push runs with the settings of the receiving repository, not with those of our command line. */
const SETTINGS = `[core]
\tfsync = committed
[gc]
\tauto = 0
[receive]
\tautogc = false
`;
/** In the mirror while it may hold objects that no ref of it names any more. */
const PRUNE_MARK = "bloom-prune";
/** Each push adds a pack; with more than this many they are packed into one. */
const MOST_PACKS = 20;

/**
 * Makes the bare repository at `dir` hold exactly these refs, and nothing that they do not reach: whoever can fetch from it gets any
 * object in it by id, named by a ref or not. The caller holds a lock. After a crash the next call completes it.
 */
export async function mirrorInto(core: RepoCore, world: World, dir: string, refs: readonly RefEntry[]): Promise<void> {
  if (!(await exists(join(dir, "HEAD")))) await makeBare(dir, world);
  const place: GitPlace = { dir, environment: core.place.environment };
  const lines = (await gitText(place, ["for-each-ref", "--format=%(objectname) %(refname)"])).split("\n");
  const there = new Map(lines.filter(Boolean).map((line) => [line.slice(41), line.slice(0, 40)]));
  const wanted = new Map(refs.map(({ name, oid }) => [name, oid]));
  const gone = [...there.keys()].filter((name) => !wanted.has(name));
  const moved = refs.filter(({ name, oid }) => there.get(name) !== oid);
  const mark = join(dir, PRUNE_MARK);
  if (gone.length > 0 || (await areRewound(core, there, moved))) await writeFile(mark, "");
  if (gone.length + moved.length > 0) {
    const specs = [...gone.map((name) => `:${name}`), ...moved.map(({ name, oid }) => `${oid}:${name}`)];
    const flags = ["--quiet", "--atomic", "--force", "--no-verify", "--no-follow-tags", "--no-signed"];
    await git(core.place, ["push", ...flags, "--recurse-submodules=no", "--", dir, ...specs]);
    crashPoint("public.mirror.pushed");
  }
  const packs = (await readdir(join(dir, "objects/pack"))).filter((name) => name.endsWith(".pack"));
  if (!(await exists(mark)) && packs.length <= MOST_PACKS) return;
  await git(place, ["gc", "--quiet", "--force", "--prune=now"]);
  await rm(mark, { force: true });
}

/** True if a ref moves to a commit that does not contain the old one, whose objects are then to be removed. */
async function areRewound(
  core: RepoCore,
  there: ReadonlyMap<RefName, string>,
  moved: readonly RefEntry[],
): Promise<boolean> {
  for (const { name, oid } of moved) {
    const before = there.get(name);
    if (before !== undefined && !(await core.isAncestor(before, oid).catch(() => false))) return true;
  }
  return false;
}

/** Made aside and renamed, so that a crash leaves no half of a repository. */
async function makeBare(dir: string, world: World): Promise<void> {
  const [folder, name] = [dirname(dir), basename(dir)];
  for (const left of await readdir(folder))
    if (left.startsWith(`${name}.new-`)) await rm(join(folder, left), { recursive: true, force: true });
  const aside = join(folder, `${name}.new-${Buffer.from(world.random(6)).toString("hex")}`);
  await emptyRepository(aside);
  await appendFile(join(aside, "config"), SETTINGS);
  crashPoint("public.mirror.made");
  await rename(aside, dir);
  await syncPath(folder);
}
