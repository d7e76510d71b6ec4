import fc from "fast-check";
import { expect, test } from "vitest";
import { newPostings } from "./postings.ts";
import { readSegment } from "./segment.ts";

const posting = fc.record({ key: fc.integer({ min: -50, max: 50 }), step: fc.nat(40_000), count: fc.nat(300) });

/** Every posting of a key, as text. */
const told = (each: (key: number, tell: (text: number, count: number) => void) => void): string[] => {
  const found: string[] = [];
  for (let key = -50; key <= 50; key++) each(key, (text, count) => found.push(`${key} ${text} ${count}`));
  return found.toSorted();
};

test("R-3 packed postings hold what loose ones hold, also after a round trip through bytes and after removals", () => {
  fc.assert(
    fc.property(fc.array(posting), fc.nat(1000), (added, base) => {
      const [loose, packed, moved] = [newPostings(), newPostings(), newPostings()];
      let text = base;
      for (const { key, step, count } of added) {
        text += step + 1;
        for (const postings of [loose, packed]) postings.add(key, text, count);
      }
      const bytes = packed.seal(base).bytes();
      moved.adopt(readSegment(Buffer.concat([Buffer.from("x"), bytes]).subarray(1))!, base); // not aligned, as in a file
      const all = told(loose.each);
      expect([told(packed.each), told(moved.each)]).toEqual([all, all]);
      expect([packed.size(), packed.loose(), moved.size()]).toEqual([added.length, 0, added.length]);
      for (const postings of [loose, moved]) for (const _ of postings.keepOnly((each) => each % 2 === 0));
      expect(told(moved.each)).toEqual(told(loose.each));
      expect(moved.size()).toBe(loose.size());
      expect(readSegment(bytes.subarray(0, -1))).toBeUndefined();
    }),
  );
});

test("R-3 a packed posting of a common word takes one byte where the word occurs once", () => {
  const postings = newPostings();
  for (let text = 0; text < 3000; text++) for (let key = 0; key < 20; key++) postings.add(key, text, 1);
  const bytes = postings.seal(0).bytes().length;
  expect(bytes / 60_000).toBeGreaterThanOrEqual(1);
  expect(bytes / 60_000).toBeLessThan(1.01);
});
