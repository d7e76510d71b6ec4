type CleanUp = () => void | Promise<void>;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

/**
 * Calls `work` after each test of each file that this worker runs. A module must not call `afterEach` of vitest for this: a worker loads
 * a module once, and the hook would be that of the first file alone.
 */
export const afterEachTest = (work: CleanUp): void => void afterTests.unshift(work);

/** The same, after the last test of each file. */
export const afterEachFile = (work: CleanUp): void => void afterFiles.unshift(work);

/** Called by `test/after-tests.ts`. The module that was loaded last cleans up first. */
export async function cleanUp(after: "test" | "file"): Promise<void> {
  for (const work of after === "test" ? afterTests : afterFiles) await work();
}
