import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../scripts/setup.js";

/**
 * The folder in which test files share the servers that they start (`src/base/testing/shared-server.ts`): the first file that needs
 * one starts it, and all are stopped here, after the last test of the run.
 */
export default function shareServers(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bloom-servers-"));
  process.env["BLOOM_SHARED_SERVERS"] = folder;
  process.env["BLOOM_SHARED_OWNER"] = `${process.pid}`;
  return async () => {
    const pids = readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { pid: number }).pid)
      .filter((pid) => pid > 0 && isAlive(pid));
    for (const pid of pids) process.kill(pid, "SIGTERM");
    for (let waited = 0; waited < 5000 && pids.some((pid) => isAlive(pid)); waited += 50) await sleep(50);
    rmSync(folder, { recursive: true, force: true });
  };
}
