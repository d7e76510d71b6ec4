import { afterAll, afterEach } from "vitest";
import { cleanUp } from "../src/base/testing/clean-up.ts";

/** Read again for each test file, so that what test modules have opened is closed after the tests of every file. */
afterAll(() => cleanUp("file"));
afterEach(() => cleanUp("test"));
