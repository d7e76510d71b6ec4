import { expect, test } from "vitest";
import { usedBytes } from "../../../base/testing/used-bytes.ts";
import { CommitNotes } from "./commit-notes.ts";

test("U-1 a note costs the index less than 400 bytes of memory, its words not counted", () => {
  const count = 50_000;
  const notes = new CommitNotes({ most: 1_000_000, spare: 0, worthAFile: 1 });
  const pathOf = (number: number): string => `notes/area-${number % 50}/a-note-with-a-name-${number}.md`;
  const oidOf = (number: number): string => number.toString(16).padStart(40, "0");
  const before = usedBytes();
  for (let number = 0; number < count; number++) notes.add(pathOf(number), oidOf(number));
  for (let number = 0; number < count; number++)
    notes.cache(pathOf(number), oidOf(number), { length: 100, keys: new Map() });
  const each = (usedBytes() - before) / count;
  expect(
    notes.find(
      [],
      Object.assign(() => true, { folders: "all" as const, file: () => true }),
    ),
  ).toMatchObject({
    looked: count,
    terms: count * 100,
    reading: undefined,
  });
  expect(each).toBeGreaterThan(50); // it has measured something
  expect(each).toBeLessThan(400);
});
