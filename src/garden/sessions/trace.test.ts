import { describe, expect, test } from "vitest";
import { noteChecks } from "./testing/note-checks.ts";
import { bufferChecks, drainChecks, say, sayer, traced } from "./testing/trace-checks.ts";
import { tracesOf } from "./traces.ts";

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

  test("a buffer longer than a trace: its first entries are kept, the rest is counted", async () => {
    const space = await sayer();
    for (let number = 0; number < 9; number++) await say(space, String(number).repeat(1024 * 1024));
    const [trace] = await tracesOf(space.repo, await traced(space, "scout", { a: "1" }));
    expect([trace!.entries.map(({ text }) => text[0]).join(""), trace!.truncated!.entries]).toEqual(["0123456", 2]);
  });
});
