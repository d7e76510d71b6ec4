import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A server that the test files of one run share, or the reason why it cannot be started. */
export type SharedServer<T> = T | { readonly missing: string };

/**
 * Starts `scripts/<name>.js FILE OWNER` for the first test file that needs it, and returns what it wrote into FILE. The script ends
 * with the test run. One line on the terminal tells why tests are skipped.
 */
export async function sharedServer<T>(name: string): Promise<SharedServer<T>> {
  const folder = process.env["BLOOM_SHARED_SERVERS"];
  if (folder === undefined) throw new Error("test/shared-servers.ts is not in globalSetup of this vitest project");
  const file = join(folder, `${name}.json`);
  if (isFirst(join(folder, `${name}.lock`))) {
    const script = fileURLToPath(new URL(`../../../scripts/${name}.js`, import.meta.url));
    const owner = process.env["BLOOM_SHARED_OWNER"] ?? `${process.pid}`;
    const child = spawn(process.execPath, [script, file, owner], {
      stdio: ["ignore", "ignore", "inherit"],
      detached: true,
    });
    child.once("exit", (code) => {
      if (!existsSync(file)) writeFileSync(file, JSON.stringify({ missing: `${name}.js ended with ${code}`, pid: 0 }));
    });
    child.unref();
  }
  for (let waited = 0; !existsSync(file); waited += LOOK_MS) {
    if (waited > MOST_MS) return { missing: `${name}.js did not start a server within ${MOST_MS / 1000} s` };
    await sleep(LOOK_MS);
  }
  return JSON.parse(readFileSync(file, "utf8")) as SharedServer<T>;
}

const LOOK_MS = 50;
/** Longer than the script's own limits: installing packages on a slow network takes minutes. */
const MOST_MS = 600_000;

function isFirst(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch {
    return false;
  }
}
