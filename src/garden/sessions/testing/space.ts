import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { diskFolders } from "../../../adapters/folder/disk-folder.ts";
import { gitRepos } from "../../../adapters/repo/git/repos.ts";
import { byHand, environment, scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import { afterEachFile, afterEachTest } from "../../../base/testing/clean-up.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import type { World } from "../../../base/world.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { FileValue } from "../commit-session.ts";
import type { SessionGarden } from "../session-garden.ts";
import { type Spawned, spawnSession } from "../spawn-session.ts";

const open: Repo[] = [];
afterEachTest(async () => {
  for (const repo of open.splice(0)) await repo.close();
});

export interface SessionSpace extends SessionGarden {
  readonly dir: string;
  readonly git: (...args: string[]) => string;
}

/** Opens the repository in a folder once more, as another process would. */
export async function reopened(
  dir: string,
  options: { secrets?: readonly string[]; world?: World } = {},
): Promise<SessionSpace> {
  const world = options.world ?? fixedWorld("2026-02-14T08:00:00Z", 1000);
  const repo = await gitRepos({ environment, world, maintainEvery: Number.POSITIVE_INFINITY }).open(dir);
  open.push(repo);
  return {
    dir,
    repo,
    world,
    folder: diskFolders({ world }).at(dir),
    secrets: () => options.secrets ?? [],
    git: (...args) => byHand(dir, ...args),
  };
}

const templates = new Map<boolean, string>();
afterEachFile(() => templates.clear()); // their folders are removed

/** A repository to copy: two processes of git take longer than all the rest of opening it. */
function template(bare: boolean): string {
  const known = templates.get(bare);
  if (known !== undefined) return known;
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main", ...(bare ? ["--bare"] : []));
  byHand(dir, "config", "core.logAllRefUpdates", "always");
  templates.set(bare, dir);
  return dir;
}

/** An empty repository; with `bare` one without a work tree. */
export async function newSpace(
  options: { bare?: boolean; secrets?: readonly string[]; world?: World } = {},
): Promise<SessionSpace> {
  const dir = scratch();
  cpSync(template(options.bare === true), dir, { recursive: true });
  return reopened(dir, options);
}

export const file = (text: string): FileValue => ({ bytes: Buffer.from(text) });
export const filesOf = (contents: Readonly<Record<string, string>>): { files: Map<string, FileValue> } => ({
  files: new Map(Object.entries(contents).map(([path, text]) => [path, file(text)])),
});

/** The spawn commit of a new session. */
export async function spawned(space: SessionGarden, name: string, goal = `Goal of ${name}`): Promise<Oid> {
  return commitOfSpawn(await spawnSession(space, { name, briefing: { goal } }));
}

export function commitOfSpawn(answer: Spawned): Oid {
  if (answer.kind !== "spawned") throw new Error(`${answer.kind}: ${answer.ref}`);
  return answer.commit;
}

/** Git with text on its input. */
export const gitWith = (dir: string, input: string | Uint8Array, ...args: string[]): string =>
  execFileSync("git", args, { cwd: dir, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trimEnd();

export const codeOf = async (work: Promise<unknown> | (() => unknown)): Promise<string> => {
  try {
    await (typeof work === "function" ? work() : work);
    return "done";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};
