import { writeFileSync } from "node:fs";

/** A vitest reporter that leaves the totals in the file that BLOOM_TEST_COUNT names. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "pending") count.failed++;
        else count[state]++;
      }
      // A file that cannot be loaded, or a hook that fails, has no test of its own that says so.
      if (module.errors().length > 0) count.failed++;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed++;
    }
    writeFileSync(process.env.BLOOM_TEST_COUNT, JSON.stringify(count));
  }
}
