import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Environment } from "../process/git-process.ts";

/** Real folders and the real git, as a person would run it, for tests. */
const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bloom-repo-")));
  made.push(folder);
  return folder;
}

/** A home of its own, so that no test depends on the settings of whoever runs it. */
const home = scratch();
export const environment: Environment = {
  PATH: process.env["PATH"],
  HOME: home,
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

const personal = {
  ...environment,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Оля",
  GIT_AUTHOR_EMAIL: "olia@example.org",
  GIT_COMMITTER_NAME: "Оля",
  GIT_COMMITTER_EMAIL: "olia@example.org",
} as NodeJS.ProcessEnv;

/** What a person types; throws if git does. */
export const byHand = (dir: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: dir,
    env: personal,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  }).trimEnd();

/** The same, where failing is the point. */
export const attempt = (dir: string, ...args: string[]): { code: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: dir, env: personal, encoding: "utf8" });
  return { code: status, said: stdout + stderr };
};
