import { expect, test } from "vitest";
import { KeyFilter } from "./key-filter.ts";

test("a filter of keys forgets none, and takes few others for one of them", () => {
  const filter = new KeyFilter();
  const keyOf = (number: number): string =>
    `audit/2026-02/14/080000-run_2026-02-14_080000_${number.toString(36)}-requested.json`;
  for (let number = 0; number < 100_000; number++) filter.add(keyOf(number));
  let [known, others] = [0, 0];
  for (let number = 0; number < 100_000; number++) {
    if (filter.mayHave(keyOf(number))) known++;
    if (filter.mayHave(keyOf(100_000 + number))) others++;
  }
  expect(known).toBe(100_000);
  expect(others).toBeLessThan(5_000);
});
