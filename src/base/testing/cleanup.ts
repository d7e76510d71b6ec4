type Cleanup = () => void | Promise<void>;

const ofTests: Cleanup[] = [];
const ofFiles: Cleanup[] = [];

/**
 * Registers a cleanup of a shared helper, to be run after every test. The helper cannot call `afterEach` itself: test files share
 * their modules, so it is loaded for the first file of a worker only.
 */
export const afterEachTest = (cleanup: Cleanup): void => void ofTests.unshift(cleanup);

/** The same, after every test file. */
export const afterEachFile = (cleanup: Cleanup): void => void ofFiles.unshift(cleanup);

export async function cleanUpAfter(what: "test" | "file"): Promise<void> {
  for (const cleanup of what === "test" ? ofTests : ofFiles) await cleanup();
}
