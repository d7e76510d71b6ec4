import { expect, test } from "vitest";
import { differInValue } from "./differing-values.ts";

test.each<[boolean, string, string]>([
  [true, "**Around 20 June** the old lime tree blooms.", "The old lime tree blooms from 2 to 14 July."],
  [true, "Бах народився 1684 року.", "Йоганн Себастьян Бах народився 1685 року в Айзенасі."],
  [true, "Roses are pruned in March.", "Roses are pruned in April."],
  [true, "Прибирання в середу.", "Прибирання в суботу."],
  [true, "The plan has 10 GB.", "The plan has 5 GB."],
  [false, "Roses are pruned in March.", "Prune the roses in early March."],
  [false, "Callouts fold.", "A callout can be folded with a minus sign."],
  [false, "The plan has 10 GB.", "The plan has storage."],
  [false, "Maximum: 5 MB on Standard, 200 MB on Plus.", "The maximum is 5 MB."],
  [false, "See [the plan](https://a.org/2024).", "It is in [the plan](plan-2025.md)."],
])("R-3 differing values: %s for %s / %s", (differ, one, other) => {
  expect([differInValue(one, other), differInValue(other, one)]).toEqual([differ, differ]);
});
