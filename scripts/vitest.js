import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, toolEnvironment } from "./setup.js";

/** Runs vitest and counts. Whatever vitest calls a failure is at least one failed test. */
export async function runVitest(node, args, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bloom-test-"));
  const countFile = join(folder, "count.json");
  try {
    const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "count-reporter.js")}`];
    const code = await run(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...reporters, ...args], {
      env: toolEnvironment({ BLOOM_TEST_COUNT: countFile, ...variables }),
    });
    const count = countsOf(countFile);
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The last line of a test run, alone on its line, and the exit code that goes with it. */
export function conclude({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 ? 0 : 1;
}

function countsOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
