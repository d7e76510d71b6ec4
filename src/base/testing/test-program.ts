import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The file to start for a program of tests that runs as a process of its own: bundled by test/published.ts if that ran, because
 * a bundle starts in less than half the time of its source.
 */
export function testProgram(source: string): string {
  const folder = process.env["BLOOM_TEST_PROGRAMS"];
  if (folder === undefined) return source;
  const bundled = join(folder, `${basename(source, ".ts")}.js`);
  if (!existsSync(bundled)) throw new Error(`${source} is not in the list of programs in test/published.ts`);
  return bundled;
}
