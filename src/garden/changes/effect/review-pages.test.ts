import { expect, test } from "vitest";
import type { ReviewFile } from "./effect.ts";
import type { Review } from "./review.ts";
import { boundedReview, reviewPage } from "./review-pages.ts";

const file = (number: number, size: number): ReviewFile => ({
  path: `notes/${number}.md`,
  change: "changed",
  patch: "x".repeat(size),
});
const reviewOf = (files: readonly ReviewFile[]): Review => ({ files }) as unknown as Review;

test.each([
  ["one large file is whole", [file(0, 3_000_000)], [3_000_000]],
  ["small files are whole", [file(0, 10), file(1, 20)], [10, 20]],
  [
    "patches behind a million characters are cut",
    [file(0, 900_000), file(1, 200_000), file(2, 5)],
    [900_000, "cut", "cut"],
  ],
])("P-10a a review in one answer: %s, and every file is listed", (_, files, expected) => {
  const shown = boundedReview(reviewOf(files)).files;
  expect(shown.map(({ patch, cut }) => (cut ? "cut" : patch.length))).toEqual(expected);
});

test("P-10a the pages of a review have every file once, with its patch", () => {
  const files = Array.from({ length: 450 }, (_, index) => file(index, index === 7 ? 1_500_000 : 100));
  const seen: ReviewFile[] = [];
  let pages = 0;
  for (let after: string | undefined; pages === 0 || after !== undefined; pages++) {
    const page = reviewPage({ files }, { after });
    expect(page.total).toBe(450);
    seen.push(...page.files);
    after = page.next;
  }
  expect(seen).toEqual(files);
  expect(pages).toBeLessThan(7);
});
