import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { patient } from "../src/base/testing/patience.ts";
import { ranNode } from "../src/base/testing/ran-node.ts";
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
  const launcher = spawn(process.execPath, [onOlderNode(join(root, "bin/bloom.js")), "up", "--port", "0"], {
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

/** The launcher of an older Node, in the form that this Node can run: the same call of the same program. */
function onOlderNode(program: string): string {
  mkdirSync(aside, { recursive: true });
  const script = join(aside, "older-node.mjs");
  writeFileSync(
    script,
    `Object.defineProperty(process.versions, "node", { value: "20.0.0" });
process.argv[1] = ${JSON.stringify(program)};
await import(${JSON.stringify(program)});
`,
  );
  return script;
}

test.each([
  { project: false, lang: "en", says: "Or let npm install one for bloom alone (190 MB): npm install --global node-" },
  {
    project: true,
    lang: "uk",
    says: `Або нехай npm встановить окрему для bloom (190 МБ): npm install --prefix ${aside} node-`,
  },
])("G-6 an older Node without a packaged one is told how to get one (in a project: $project)", async (given) => {
  const installed = join(aside, "node_modules/garden-bloom");
  cpSync(join(root, "bin"), join(installed, "bin"), { recursive: true });
  writeFileSync(join(installed, "package.json"), '{ "type": "module" }');
  if (given.project) writeFileSync(join(aside, "package.json"), "{}");
  const { status, stderr } = await ranNode([onOlderNode(join(installed, "bin/bloom.js")), "status"], {
    env: { ...process.env, BLOOM_LANG: given.lang },
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(given.says) });
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
