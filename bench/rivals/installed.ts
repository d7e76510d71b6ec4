import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A rival that this machine cannot have, and why: its row says so instead of a figure. */
export class RivalAbsent extends Error {}

const PACKAGES = [
  "@dbos-inc/dbos-sdk@5.3.0",
  "@restatedev/restate-server@1.7.12",
  "@restatedev/restate-sdk@1.17.2",
] as const;

/** Engines of other people, installed once beside the user's caches and not into the project: they are 240 MB. */
export async function rivalEngines(): Promise<string> {
  const folder = join(
    process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    "bloom-bench",
    PACKAGES.join("+").replaceAll(/[^\w.+-]/g, "-"),
  );
  if (await isThere(join(folder, "whole"))) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  try {
    const options = { cwd: folder, timeout: 300_000 };
    await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", ...PACKAGES], options);
  } catch (error) {
    throw new RivalAbsent(`npm could not install it: ${firstLine(error)}`);
  }
  await writeFile(join(folder, "whole"), "");
  return folder;
}

export const run = promisify(execFile);

export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n").find((line) => line.trim() !== "") ?? "?";

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
