import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEachTest } from "../../../../base/testing/clean-up.ts";
import { realWorld } from "../../../../base/world.ts";
import type { Edit, Moved } from "../../../../ports/repo.ts";
import { openCore, type RepoCore } from "../core.ts";
import { byHand, environment, scratch } from "./scratch.ts";
import { gardener } from "./signatures.ts";

export const MAIN = "refs/heads/main";
const opened: RepoCore[] = [];
afterEachTest(async () => {
  for (const core of opened.splice(0)) await core.close();
});

export async function open(dir: string): Promise<RepoCore> {
  const core = await openCore({ dir, environment }, { world: realWorld });
  opened.push(core);
  return core;
}

/** A garden with three notes, committed by hand. */
export async function garden(...settings: string[]): Promise<{ dir: string; core: RepoCore }> {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  for (const setting of settings) byHand(dir, "config", ...setting.split("="));
  put(dir, "notes/a.md", "a\n");
  put(dir, "notes/b.md", "b\n");
  put(dir, "deep/er/c.md", "c\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "Begin");
  return { dir, core: await open(dir) };
}

export function put(dir: string, path: string, text: string): void {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), text);
}

export const textAt = (dir: string, path: string): string => readFileSync(join(dir, path), "utf8");

export const edit = (path: string, text: string | undefined): Edit => ({
  path,
  bytes: text === undefined ? undefined : Buffer.from(text),
});

export async function commit(core: RepoCore, edits: Edit[], ref: string = MAIN): Promise<Moved> {
  const from = await core.resolve(ref);
  const to = await core.build({
    parents: from ? [from] : [],
    edits,
    author: gardener,
    committer: gardener,
    message: "Apply",
  });
  return core.move([{ ref, from, to }]);
}

export const status = (dir: string): string => byHand(dir, "status", "--porcelain");

export const moved = (...written: string[]): Moved => ({ kind: "moved", followed: { written, behind: [] } });
