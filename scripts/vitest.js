import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, root, run, toolEnvironment } from "./setup.js";

/** Runs vitest and returns its counts. Every failure that vitest reports is at least one failed test. */
export async function runVitest(node, args, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bloom-test-"));
  const [countFile, proofFile] = [join(folder, "count.json"), join(folder, "proved.jsonl")];
  try {
    const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "count-reporter.js")}`];
    const code = await run(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...reporters, ...args], {
      env: toolEnvironment({
        BLOOM_TEST_COUNT: countFile,
        BLOOM_PROVED: proofFile,
        BLOOM_TEST_REPORTS: folder,
        ...variables,
      }),
    });
    const count = { ...readCounts(countFile), proved: readProofs(proofFile) };
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Calls `work` with a folder for the gardens of `npm test`, and removes it afterwards. It is in memory if there is enough of it,
 * because the tests write and remove hundreds of thousands of small files; `npm run soak` uses the disk.
 */
export async function withQuickFolder(work) {
  const place = hasMemory() ? MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    const owner = /^bloom-tests-(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(place, name), { recursive: true, force: true });
  }
  const folder = join(place, `bloom-tests-${process.pid}`);
  mkdirSync(folder);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false; // this system has no such folder
  }
}

/** Prints what the crash and race suites proved, then the counts alone on the last line. Returns the exit code. */
export function conclude({ passed, failed, skipped, proved }) {
  const { kills, races, powerCuts, losses } = proved;
  if (kills + races + powerCuts > 0)
    console.log(`proved: ${kills} kills, ${races} races, ${powerCuts} power cuts, ${losses} losses`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 ? 0 : 1;
}

const NOTHING_PROVED = { kills: 0, races: 0, powerCuts: 0, losses: 0 };

/** Adds up counts of several runs of vitest. */
export const sumCounts = (counts) =>
  counts.reduce(
    (sum, { passed, failed, skipped, proved }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
      proved: addProofs(sum.proved, proved),
    }),
    { passed: 0, failed: 0, skipped: 0, proved: NOTHING_PROVED },
  );

const addProofs = (sum, proof) =>
  Object.fromEntries(Object.entries(sum).map(([what, count]) => [what, count + (proof[what] ?? 0)]));

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

/** The lines that src/base/testing/prove.ts appends. */
function readProofs(file) {
  try {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line)).reduce(addProofs, NOTHING_PROVED);
  } catch {
    return NOTHING_PROVED; // no suite of that kind ran
  }
}
