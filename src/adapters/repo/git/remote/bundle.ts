import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { World } from "../../../../base/world.ts";
import { AUTHORITY_REFS, MAIN_REF, machine } from "../../../../domain/layout.ts";
import type { BundleContent, RefEntry } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type Environment, type GitPlace, git, gitText } from "../process/git-process.ts";
import { makeRepository } from "../setup/init.ts";
import { emptyRepository, openAside, openThrowAway } from "./aside.ts";
import { plainFetch, plainFsck } from "./transfer-settings.ts";

const LIMIT_MS = 3_600_000;
/** The exit code of `git fsck` is the sum of what it found. */
const ANY_CODE = Array.from({ length: 129 }, (_, code) => code);

/**
 * Writes every ref (except `AUTHORITY_REFS`), HEAD and all reachable objects into one file, atomically (G-8), and returns the refs in
 * it. For a repository without commits it makes no file and returns an empty list.
 */
export async function bundle(place: GitPlace, world: World, file: string): Promise<readonly RefEntry[]> {
  if ((await gitText(place, ["for-each-ref", "--count=1"])) === "") return [];
  if ((await gitText(place, ["rev-parse", "--is-shallow-repository"])) === "true") throw shallow();
  const target = resolve(file);
  const partial = `${target}.part-${Buffer.from(world.random(8)).toString("hex")}`;
  try {
    const refs = [`--exclude=${AUTHORITY_REFS}*`, "--all"];
    await git(place, ["bundle", "create", "--quiet", partial, ...refs], { timeoutMs: LIMIT_MS });
    const heads = await gitText(place, ["bundle", "list-heads", partial]);
    await syncPath(partial);
    await rename(partial, target);
    await syncPath(dirname(target));
    return heads
      .split("\n")
      .map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }))
      .filter(({ name }) => name !== "HEAD");
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}.lock`, { force: true });
  }
}

/** Writes these refs, and one with a commit that is only in the file. */
export async function bundleWith(core: RepoCore, world: World, file: string, content: BundleContent): Promise<void> {
  const aside = await openAside(core, world);
  try {
    const to = await aside.build(content.added.draft, { durable: "with-move" });
    const moves = [...content.refs, { name: content.added.ref, oid: to }];
    await aside.move(moves.map(({ name, oid }) => ({ ref: name, from: undefined, to: oid })));
    await bundle(aside.place, world, file);
  } finally {
    await aside.close();
  }
}

/** A bare repository with everything of a bundle, for reading; `close` removes it. Throws VALIDATION_FAILED for a file that is none. */
export async function openBundle(file: string, environment: Environment, world: World): Promise<RepoCore> {
  const dir = await mkdtemp(join(tmpdir(), "bloom-bundle-"));
  const place = { dir, environment };
  try {
    await access(file).catch(() => {
      throw new Failure("NOT_FOUND", { en: `no such file: ${file}`, uk: `немає такого файлу: ${file}` });
    });
    await emptyRepository(dir);
    const refspecs = ["+refs/*:refs/*"];
    const fetched = await git(place, [...plainFetch, "--", resolve(file), ...refspecs], {
      accept: [0, 1, 128],
      timeoutMs: LIMIT_MS,
    });
    if (fetched.code !== 0) throw notABundle(file, fetched.stderr);
    const checked = await git(place, plainFsck, { accept: ANY_CODE, timeoutMs: LIMIT_MS });
    if (checked.code !== 0) throw notABundle(file, checked.stderr);
    return await openThrowAway(place, world);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

const notABundle = (file: string, said: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${file} is no bundle of git, or it is damaged: ${said.trim().split("\n").at(-1) ?? ""}`,
    uk: `${file} — не пакунок git, або він пошкоджений: ${said.trim().split("\n").at(-1) ?? ""}`,
  });

/**
 * Makes a repository from a bundle in an empty folder (the machine's own folder may be there): every ref with its name and
 * value, `main` checked out. A damaged, incomplete or foreign bundle leaves the folder as it was. Work-tree files are not
 * synced one by one: history is, and can restore them.
 */
export async function unbundle(dir: string, file: string, environment: Environment, world: World): Promise<void> {
  const source = resolve(file);
  await access(source).catch((error: unknown) => {
    throw new Failure("NOT_FOUND", { en: `no such file: ${file}`, uk: `немає такого файлу: ${file}`, cause: error });
  });
  const made = await mkdir(dir, { recursive: true });
  try {
    if ((await readdir(dir)).some((name) => name !== machine.folder)) throw notEmpty();
    await makeRepository(dir, environment, world, (place) => fill(place, source));
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function fill(place: GitPlace, source: string): Promise<void> {
  const verified = await git(place, ["bundle", "verify", source], { accept: [0, 1, 128] });
  if (verified.code !== 0) throw refused(verified.stderr);
  const fetched = await git(place, [...plainFetch, "--update-head-ok", source, "+refs/*:refs/*"], {
    accept: [0, 1, 128],
    timeoutMs: LIMIT_MS,
  });
  if (fetched.code !== 0) throw refused(fetched.stderr);
  await git(place, ["pack-refs", "--all"]);
  for (const name of ["packed-refs", "objects/pack"]) await syncPath(join(place.dir, ".git", name));
  const main = await git(place, ["rev-parse", "-q", "--verify", `${MAIN_REF}^{commit}`], { accept: [0, 1, 128] });
  if (main.code !== 0) throw unfit({ en: "it has no branch main", uk: "у ньому немає гілки main" });
  // Git checks the objects of a remote, but not those of a bundle: as on macOS and Windows, it then refuses the names itself.
  const protections = ["-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"];
  const listed = await git(place, [...protections, "read-tree", MAIN_REF], { accept: [0, 1, 128] });
  if (listed.code !== 0) throw refused(listed.stderr);
  if ((await gitText(place, ["ls-files", "-z", "--", `:(icase,top)${machine.folder}`])) !== "")
    throw unfit({ en: `it has files in ${machine.folder}`, uk: `у ньому є файли в ${machine.folder}` });
  await git(place, ["checkout-index", "--all", "--index", "--quiet"], { timeoutMs: LIMIT_MS });
}

const refused = (said: string): Failure => {
  if (/lacks these prerequisite/.test(said))
    return unfit({ en: "it holds only a part of a history", uk: "він містить лише частину історії" });
  if (/does not look like a/.test(said)) return unfit({ en: "it is not a bundle", uk: "це не bundle" });
  if (/invalid path/.test(said))
    return unfit({
      en: "it has a file whose name some systems take for `.git`, which could run programs",
      uk: "у ньому є файл із назвою, яку деякі системи вважають за `.git` і яка може запускати програми",
    });
  if (/No space left on device|Disk quota exceeded/.test(said)) {
    return new Failure("UPSTREAM_UNAVAILABLE", {
      en: "the disk is full",
      uk: "диск заповнено",
      hint: { en: "Free some space and try again.", uk: "Звільніть місце і повторіть." },
      details: { part: "git" },
    });
  }
  return unfit({ en: "it is damaged or cut short", uk: "він пошкоджений або обірваний" }, said);
};

const unfit = (why: Text, said?: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `no repository can be made from this bundle: ${why.en}`,
    uk: `з цього bundle не зробити репозиторію: ${why.uk}`,
    hint: {
      en: "Take another backup, or copy this one again from where it was made.",
      uk: "Візьміть іншу резервну копію або скопіюйте цю ще раз звідти, де її зроблено.",
    },
    details: { part: "bundle", ...(said && { said: said.slice(0, 500) }) },
  });

const notEmpty = (): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: "the folder is not empty",
    uk: "тека не порожня",
    hint: { en: "Choose an empty or a new folder.", uk: "Оберіть порожню або нову теку." },
  });

const shallow = (): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: "this repository is a shallow clone: it has only a part of its history, and a bundle of it would be useless",
    uk: "це неповний (shallow) клон: у ньому лише частина історії, і bundle з нього був би непридатний",
    hint: { en: "Run “git fetch --unshallow” first.", uk: "Спершу виконайте «git fetch --unshallow»." },
  });
