import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take long begin first, so that at the end nobody waits for one of them alone. */
const LONG = [
  "test/walkthroughs",
  "test/web/accessible",
  "test/web/journeys",
  "runs/kill-matrix",
  "test/one-garden",
  "store/dir/kills",
  "apply/crash",
  "backup/backup",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONG.length : at;
    };
    const sorted = await super.sort(files); // oxlint-disable-line no-array-sort -- the sequencer's own, of no array
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Journeys through every page take a browser minutes: `npm run journeys` walks them, and one of them is walked here.
    exclude: process.env.BLOOM_JOURNEYS ? [] : ["test/web/!(decide|diagram-places).test.ts"],
    globalSetup: ["test/published.ts"],
    setupFiles: ["test/one-seed.ts"],
    // Tests start more than a thousand processes that run our sources: none of them reads and compiles those anew.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    pool: "forks",
    // More than there are processors on a small machine: most tests wait for disks, processes and browsers.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Far above what the slowest takes on a busy machine: a limit is for what hangs, not for what is slow.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
