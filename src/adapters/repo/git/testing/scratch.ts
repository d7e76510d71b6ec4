import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEachFile } from "../../../../base/testing/clean-up.ts";
import type { Environment } from "../process/git-process.ts";

const made: string[] = [];
afterEachFile(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bloom-repo-")));
  made.push(folder);
  return folder;
}

/** A home of its own, so that no test depends on the developer's settings. */
const home = scratch();
export const environment: Environment = {
  PATH: process.env["PATH"],
  HOME: home,
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

/** The environment of a person who runs git. */
export const personalEnvironment = {
  ...environment,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Оля",
  GIT_AUTHOR_EMAIL: "olia@example.org",
  GIT_COMMITTER_NAME: "Оля",
  GIT_COMMITTER_EMAIL: "olia@example.org",
} as NodeJS.ProcessEnv;

/** Runs git as a person would. Throws if git fails. */
export const byHand = (dir: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: dir,
    env: personalEnvironment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  }).trimEnd();

/** Runs git as a person would and returns its exit code and output. */
export const attempt = (dir: string, ...args: string[]): { code: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: dir, env: personalEnvironment, encoding: "utf8" });
  return { code: status, said: stdout + stderr };
};
