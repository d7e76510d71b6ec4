import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { patient } from "../src/base/testing/patience.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { testPorts } from "../src/garden/testing/scratch.ts";
import { root } from "./bloom.ts";

const aside = realpathSync(mkdtempSync(join(tmpdir(), "launcher-")));
afterEach(() => rmSync(aside, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("G-6 a server that an older Node started on the packaged one ends when that launcher is killed", async () => {
  const dir = join(aside, "garden");
  await initGarden(testPorts(), dir, { language: "en", name: "Launched" });
  // The launcher of an older Node, in the form that this Node can run: the same call of the same program.
  const script = join(aside, "older-node.mjs");
  const program = join(root, "bin/bloom.js");
  writeFileSync(
    script,
    `Object.defineProperty(process.versions, "node", { value: "20.0.0" });
process.argv[1] = ${JSON.stringify(program)};
await import(${JSON.stringify(program)});
`,
  );
  const launcher = spawn(process.execPath, [script, "up", "--port", "0"], {
    cwd: dir,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  await once(launcher.stdout, "data");
  const [server, ...others] = childrenOf(launcher.pid!);
  expect(others).toEqual([]);
  launcher.kill("SIGKILL");
  await expect.poll(() => isAlive(server!), { timeout: patient(20_000) }).toBe(false);
});

/** From `/proc`: a bare machine has no `pgrep`. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\s+${pid}$`, "m").test(readFileSync(`/proc/${name}/status`, "utf8"));
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}
