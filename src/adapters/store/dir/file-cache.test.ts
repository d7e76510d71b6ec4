import { expect, test } from "vitest";
import { FileCache } from "./file-cache.ts";

const stored = (text: string) => ({ bytes: Buffer.from(text), hash: text });

test.each<[string, readonly [mark: string, at: number, content: string][], string, number]>([
  [
    "read twice at once, with a change that kept the mark",
    [
      ["a", 0, "old"],
      ["a", 5, "new"],
    ],
    "new",
    2,
  ],
  [
    "read again after a while, then cached",
    [
      ["a", 0, "old"],
      ["a", 3000, "old"],
      ["a", 3001, "old"],
    ],
    "old",
    2,
  ],
  [
    "cached, then changed",
    [
      ["a", 0, "old"],
      ["a", 3000, "old"],
      ["b", 3001, "new"],
    ],
    "new",
    3,
  ],
  [
    "changed twice in a short time",
    [
      ["a", 0, "1"],
      ["a", 3000, "1"],
      ["b", 3001, "2"],
      ["b", 3002, "3"],
    ],
    "3",
    4,
  ],
])("G-6 a file that people edit is read in its current state: %s", (_, looks, last, reads) => {
  const memory = new FileCache();
  let read = 0;
  const seen = looks.map(([mark, at, content]) => memory.read("path", mark, at, () => (read++, stored(content)))?.hash);
  expect({ last: seen.at(-1), reads: read }).toEqual({ last, reads });
});

test("G-6 a reader that changes its bytes does not change what the next one reads", () => {
  const memory = new FileCache();
  const read = (at: number) => memory.read("path", "a", at, () => stored("text"))!.bytes;
  read(0);
  for (const at of [3000, 3001, 3002]) read(at).fill(0);
  expect(Buffer.from(read(3003)).toString()).toBe("text");
});
