import { basename, dirname, join, resolve } from "node:path";
import { readIfThere } from "../disk/small-file.ts";

/**
 * The main work tree, if this folder is the top of another one of the same repository (`git worktree add`). Undefined in the main
 * work tree, in a submodule, and in a work tree of a bare repository, which has no main one.
 */
export function mainWorkTreeOf(dir: string): string | undefined {
  const gitDir = /^gitdir: (.+?)\s*$/.exec(readIfThere(join(dir, ".git")) ?? "")?.[1];
  const common = gitDir && /^(.*)[/\\]worktrees[/\\][^/\\]+$/.exec(resolve(dir, gitDir))?.[1];
  return common !== undefined && basename(common) === ".git" ? dirname(common) : undefined;
}
