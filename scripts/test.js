/**
 * `npm test`: set-up, checks, tests. The last line is `N passed, N failed` (and `, N skipped` if any); a failed check
 * counts as a failed test. `npm test -- PATTERN` runs the tests that fit the pattern, without the checks.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.js";
import { ensureChromium, root, run, runScript, setUp, toolEnvironment } from "./setup.js";

await runScript(async () => {
  const node = await setUp();
  const chromium = ensureChromium();
  const pattern = process.argv.slice(2);
  const failedChecks = pattern.length === 0 ? await check() : 0;

  const folder = mkdtempSync(join(tmpdir(), "bloom-test-"));
  const countFile = join(folder, "count.json");
  try {
    const code = await run(
      node,
      [
        join(root, "node_modules", "vitest", "vitest.mjs"),
        "run",
        "--reporter=default",
        `--reporter=${join(root, "scripts", "count-reporter.js")}`,
        ...pattern,
      ],
      {
        env: toolEnvironment({
          BLOOM_TEST_COUNT: countFile,
          ...(chromium.path ? { BLOOM_CHROMIUM: chromium.path } : { BLOOM_CHROMIUM_MISSING: chromium.missing }),
        }),
      },
    );
    const { passed, failed, skipped } = countsOf(countFile);
    const allFailed = failed + failedChecks + (code !== 0 && failed === 0 ? 1 : 0);
    console.log(`${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    return allFailed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function countsOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
