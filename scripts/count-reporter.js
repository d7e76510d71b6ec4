import { writeFileSync } from "node:fs";

const SLOW_MS = 60_000;

/**
 * A vitest reporter that leaves the totals in the file that BLOOM_TEST_COUNT names. A run that never ends tells nobody why: so
 * it names the tests that take long, and ends the run at one whose worker no longer hears vitest's own limit. Where tests have
 * no limit (soak), they may take as long as they like.
 */
export default class CountReporter {
  #running = new Map();
  #ended = new Set();
  #watch;
  #limitMs = 0;
  #lastHeard = performance.now();

  onInit({ config }) {
    this.#limitMs = config.testTimeout;
    if (this.#limitMs > 0) this.#watch = setInterval(() => this.#look(), 10_000).unref();
  }

  onTestModuleQueued(module) {
    this.#heard(module, "its beginning");
  }

  onTestModuleStart(module) {
    this.#heard(module, "its beginning");
  }

  onTestCaseResult(test) {
    this.#heard(test.module, test.fullName);
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.moduleId);
    this.#ended.add(module.moduleId);
    this.#lastHeard = performance.now();
  }

  onTestRunEnd(modules, unhandledErrors) {
    clearInterval(this.#watch);
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

  /** Only ends of tests are told at once: a worker that is kept busy has not yet said what it began. */
  #heard(module, last) {
    this.#lastHeard = performance.now();
    if (this.#ended.has(module.moduleId)) return; // ends of tests may be told after the end of their file
    this.#running.set(module.moduleId, { name: module.relativeModuleId, last, at: this.#lastHeard, told: 0 });
  }

  #look() {
    for (const each of this.#running.values()) {
      const ms = performance.now() - each.at;
      if (ms < SLOW_MS * (each.told + 1)) continue;
      each.told++;
      console.log(`${each.name}: nothing heard for ${Math.round(ms / 1000)} s, since ${each.last}`);
      if (ms > this.#limitMs + SLOW_MS) giveUp(each.name);
    }
    if (performance.now() - this.#lastHeard > this.#limitMs + SLOW_MS) giveUp("no test is under way");
  }
}

function giveUp(what) {
  console.log(`${what}: given up`);
  process.exit(1);
}
