import { describe, expect, test } from "vitest";
import { noteChecks } from "./testing/note-checks.ts";
import { bufferChecks, drainChecks } from "./testing/trace-checks.ts";

/** The checks of traces, T1 to T36. */
const all = [...bufferChecks, ...drainChecks, ...noteChecks].map(([name, holds], index) => ({
  name: `T${index + 1}. ${name}`,
  holds,
}));

describe("S-6 traces of sessions", () => {
  test("the list has 36 checks", () => {
    expect(all).toHaveLength(36);
  });

  test.each(all)("$name", async ({ holds }) => {
    await holds();
  });
});
