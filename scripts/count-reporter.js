import { writeFileSync } from "node:fs";
import { workerStates } from "./worker-state.js";

const SLOW_MS = 60_000;

/**
 * A vitest reporter that writes the totals to the file that BLOOM_TEST_COUNT names. It also prints which test file has been silent
 * for a minute, with the state of the worker processes, and ends the run when a worker exceeds the time limit without reporting
 * it. Where tests have no limit (soak), it does neither.
 */
export default class CountReporter {
  #running = new Map();
  #ended = new Set();
  #watch;
  #limitMs = 0;
  #lastHeard = performance.now();
  #describing = false;

  onInit({ config }) {
    this.#limitMs = config.testTimeout;
    if (this.#limitMs > 0) this.#watch = setInterval(() => void this.#look(), 10_000).unref();
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
      // A file that cannot be loaded, or a hook that fails, has no test of its own to report it.
      if (module.errors().length > 0) count.failed++;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed++;
    }
    writeFileSync(process.env.BLOOM_TEST_COUNT, JSON.stringify(count));
  }

  /** Only results are reported at once; a busy worker reports the start of a test late. */
  #heard(module, last) {
    this.#lastHeard = performance.now();
    if (this.#ended.has(module.moduleId)) return; // results may arrive after their file has ended
    this.#running.set(module.moduleId, { name: module.relativeModuleId, last, at: this.#lastHeard, warned: 0 });
  }

  async #look() {
    let warned = false;
    let stuck;
    for (const each of this.#running.values()) {
      const ms = performance.now() - each.at;
      if (ms < SLOW_MS * (each.warned + 1)) continue;
      each.warned++;
      warned = true;
      console.log(`${each.name}: silent for ${Math.round(ms / 1000)} s, since ${each.last}`);
      if (ms > this.#limitMs + SLOW_MS) stuck = each.name;
    }
    if (performance.now() - this.#lastHeard > this.#limitMs + SLOW_MS) stuck = "no test is running";
    if (warned || stuck) await this.#describeWorkers();
    if (stuck) giveUp(stuck);
  }

  async #describeWorkers() {
    if (this.#describing) return;
    this.#describing = true;
    for (const line of await workerStates(process.env.BLOOM_TEST_REPORTS)) console.log(`  ${line}`);
    this.#describing = false;
  }
}

function giveUp(what) {
  console.log(`${what}: given up`);
  process.exit(1);
}
