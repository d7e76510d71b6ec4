import { afterAll, afterEach } from "vitest";
import { cleanUpAfter } from "../src/base/testing/cleanup.ts";

/** A setup file: Vitest runs it for every test file, also where the files share a worker. */
afterEach(() => cleanUpAfter("test"));
afterAll(() => cleanUpAfter("file"));
