import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { reportFlags } from "./scripts/worker-state.js";
import { patient } from "./src/base/testing/patience.ts";
import { isAlone, reusedWorkers } from "./test/reused-worker.ts";

/** The slowest files start first, so that no worker is left with one of them at the end. */
const LONG = [
  "test/walkthroughs",
  "test/web/accessible",
  "test/web/journeys",
  "runs/kill-matrix",
  "test/one-garden",
  // These mostly wait: begun early, they wait while others work.
  "test/roles",
  "test/upkeep-race",
  "inngest/inngest-orchestrator",
  "store/dir/kills",
  "apply/crash",
  "backup/backup",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      if (at >= 0) return at;
      // Files that may share a worker stand together: a worker ends when the next file may not use it.
      return LONG.length + (project.name === "functions" ? 2 : isAlone(moduleId) ? 0 : 1);
    };
    const sorted = await super.sort(files); // oxlint-disable-line no-array-sort -- the sequencer's own, of no array
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests of functions that start no process and keep no state. */
const PURE = "src/{base,domain,drakon}/**/*.test.ts";
/** The browser journeys take minutes: `npm run journeys` runs all of them, `npm test` only these. */
const JOURNEYS = process.env.BLOOM_JOURNEYS ? [] : ["test/web/!(decide|diagram-places).test.ts"];

export default defineConfig({
  test: {
    projects: [
      // One worker runs many of these files, because loading the modules takes longer than most of these tests.
      { extends: true, test: { name: "functions", include: [PURE], isolate: false } },
      // A worker runs a few of these files: they start processes, and starting one takes longer the more memory a worker has used.
      {
        extends: true,
        test: {
          name: "gardens",
          isolate: false,
          pool: reusedWorkers,
          globalSetup: ["test/published.ts", "test/shared-servers.ts"],
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [PURE, ...JOURNEYS],
        },
      },
    ],
    setupFiles: ["test/one-seed.ts", "test/after-tests.ts"],
    // Tests start more than a thousand processes that run our sources: they share one compile cache. Times are printed in this zone.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled"), TZ: "UTC" },
    pool: "forks",
    execArgv: process.env["BLOOM_TEST_REPORTS"] ? reportFlags(process.env["BLOOM_TEST_REPORTS"]) : [],
    // More workers than cores of a small machine: most tests wait for disks, processes and browsers.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // The slowest test takes 40 s on two quiet cores. A limit is for a test that hangs, so it grows with the load of the machine.
    testTimeout: patient(240_000),
    hookTimeout: patient(240_000),
    expect: { poll: { timeout: patient(120_000) } },
  },
});
