/**
 * `npm test`: set-up, checks, the web app, tests. The last line is `N passed, N failed` (and `, N skipped` if any); a failed check
 * counts as a failed test. `npm test -- PATTERN` runs the tests that fit the pattern, without the checks.
 */
import { check, printChecks } from "./check.js";
import { ensureChromium, runScript, setUp } from "./setup.js";
import { conclude, runVitest, withQuickFolder } from "./vitest.js";
import { buildWeb } from "./web.js";

await runScript(async () => {
  const began = performance.now();
  const node = await setUp();
  const chromium = ensureChromium();
  const pattern = process.argv.slice(2);
  const checking = pattern.length === 0 ? check() : undefined; // beside the tests: neither keeps both cores busy all the time
  const built = await buildWeb();
  const browser = chromium.path ? { BLOOM_CHROMIUM: chromium.path } : { BLOOM_CHROMIUM_MISSING: chromium.missing };
  const count = await withQuickFolder((TMPDIR) => runVitest(node, pattern, { ...browser, TMPDIR }));
  const failedChecks = (checking ? printChecks(await checking) : 0) + (built === 0 ? 0 : 1);
  console.log(`npm test took ${duration(performance.now() - began)}`);
  return conclude({ ...count, failed: count.failed + failedChecks });
});

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
