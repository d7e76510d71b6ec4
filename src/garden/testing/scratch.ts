import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { afterEachTest } from "../../base/testing/clean-up.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { type World } from "../../base/world.ts";
import { composePorts } from "../../compose.ts";
import type { Garden, GardenPorts } from "../core/garden.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { plantGarden } from "./planted.ts";

/** Real folders, real git and the real store for tests; all is removed when the test ends. */
const made: string[] = [];
const open: Garden[] = [];

afterEachTest(async () => {
  for (const garden of open.splice(0)) await closeGarden(garden).catch(() => undefined);
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "garden-")));
  made.push(dir);
  return dir;
}

/** An environment without the settings of the machine. */
export const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", LANG: "C" };

export const testPorts = (world: World = fixedWorld("2026-02-14T08:00:00Z", 1000)): GardenPorts =>
  composePorts({ environment }, world);

/** Writes files by path, and their folders. */
export function files(dir: string, contents: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

export const git = (dir: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: dir,
    env: {
      ...environment,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "ann@example.org",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.org",
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
    .toString()
    .trimEnd();

/** Every file with its hash, time and mode, to prove that nothing was touched. */
export function snapshot(dir: string, leaveOut: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string): void => {
    for (const name of readdirSync(join(dir, at))) {
      const path = at ? `${at}/${name}` : name;
      if (leaveOut.includes(path)) continue;
      const seen = lstatSync(join(dir, path));
      if (seen.isDirectory()) {
        found[`${path}/`] = "";
        walk(path);
      } else if (seen.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(dir, path))}`;
      else if (seen.isFile()) {
        const hash = createHash("sha256")
          .update(readFileSync(join(dir, path)))
          .digest("hex");
        found[path] = `${hash} ${seen.mtimeMs} ${seen.mode}`;
      }
    }
  };
  walk("");
  return found;
}

/** A new garden with a few notes, open. */
export async function gardenWith(
  contents: Readonly<Record<string, string>> = { "notes/a.md": "# A\n", "notes/б.md": "# Б\n" },
  ground: GardenPorts = testPorts(),
): Promise<{ garden: Garden; dir: string; ground: GardenPorts }> {
  const dir = join(scratch(), "rose");
  files(dir, contents);
  await plantGarden(ground, dir, contents);
  const garden = await openGarden(ground, dir);
  open.push(garden);
  return { garden, dir, ground };
}

interface Made {
  readonly garden: Garden;
  readonly dir: string;
}

/**
 * Equal gardens: `make` fills one, once for a file of tests, and each call copies it. The copies are opened an hour
 * later, so that new ids do not collide with existing ones.
 */
export function gardensLike<T extends Made>(
  make: () => Promise<T>,
): { readonly copy: () => Promise<string>; readonly open: () => Promise<T & { readonly ground: GardenPorts }> } {
  let first: Promise<{ readonly kept: string; readonly filled: T }> | undefined;
  const fill = async () => {
    const filled = await closed(await make());
    const kept = mkdtempSync(join(tmpdir(), "kept-"));
    cpSync(filled.dir, join(kept, "rose"), { recursive: true });
    return { kept, filled };
  };
  afterAll(async () => {
    const filling = await first;
    first = undefined;
    if (filling) rmSync(filling.kept, { recursive: true, force: true });
  });
  const copy = async (): Promise<string> => {
    const { kept } = await (first ??= fill());
    const dir = join(scratch(), "rose");
    cpSync(join(kept, "rose"), dir, { recursive: true });
    return dir;
  };
  return {
    copy,
    async open() {
      const dir = await copy();
      const ground = testPorts(fixedWorld("2026-02-14T09:00:00Z", 1000));
      const garden = await openGarden(ground, dir);
      open.push(garden);
      return { ...(await first!).filled, garden, dir, ground };
    },
  };
}

export async function closed<T extends { garden: Garden }>(with_: T): Promise<T> {
  open.splice(open.indexOf(with_.garden), 1);
  await closeGarden(with_.garden);
  return with_;
}

/** `npm run soak` kills at every crash point, `npm test` at every fourth: the points between differ in one write. */
export const POINTS_APART = isThorough ? 1 : 4;

/**
 * Runs a verb in child processes, killed at one crash point after the other, until one completes. `attempt` prepares
 * the garden for each, lets it die, and checks the result. Returns how many were killed.
 */
export async function killedEverywhere(
  verb: string,
  attempt: (die: (...args: string[]) => Promise<string[]>) => Promise<string[]>,
): Promise<number> {
  const script = testProgram(join(import.meta.dirname, "dying.ts"));
  for (let at = 0, kills = 0; ; at += POINTS_APART, kills++) {
    let survived = false;
    await attempt(async (...args) => {
      const run = await ranNode([script, verb, String(at), ...args]);
      survived = run.signal !== "SIGKILL";
      if (survived && run.status !== 0) throw new Error(run.stderr);
      return run.stdout.trim().split("\n");
    });
    if (survived) return kills;
  }
}
