import { expect, test } from "vitest";
import { memorySentences } from "./memory-sentences.ts";

test("P-10a M-4 a memory update reads as sentences in both languages, with times instead of numbers", () => {
  const before = { processed: ["a", "b"], last_run: 1_763_190_000_000 };
  const values = { processed: ["a", "b", "c"], last_run: 1_763_276_400_000, mood: "calm", runs: 4, done: true };
  const told = memorySentences(
    [
      { op: "observe", text: "It rained", values },
      { op: "append", file: "facts.md", section: "Facts", text: "- the lime tree blooms\n- the shed leaks" },
      { op: "close-loop", loop: "Who has the key?", resolution: "Ann" },
      { op: "replace", file: "snapshot.md", text: "Calm.\n" },
    ],
    before,
  );
  expect(told.map(({ en }) => en)).toEqual([
    "Observes: It rained",
    "processed: 2 → 3 items, new: c",
    "last_run: 15 Nov 2025, 07:00 UTC → 16 Nov 2025, 07:00 UTC",
    "Sets mood to calm",
    "Sets runs to 4",
    "Sets done to yes",
    "Adds to facts.md: the lime tree blooms",
    "Adds to facts.md: the shed leaks",
    "Closes the question “Who has the key?”: Ann",
    "Replaces snapshot.md by: Calm.",
  ]);
  expect(told.map(({ uk }) => uk).slice(1, 3)).toEqual([
    "processed: 2 → 3 елем., нові: c",
    expect.stringMatching(/^last_run: 15 лист.* → 16 лист.*07:00 UTC$/),
  ]);
});
