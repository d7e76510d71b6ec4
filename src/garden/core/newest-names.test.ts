import { describe, expect, test } from "vitest";
import type { Store } from "../../ports/store.ts";
import { gardenWith } from "../testing/scratch.ts";
import { newestNames } from "./newest-names.ts";

const names = { folder: "audit/", parts: [7, 10, 13, 15, 17], nameOf: (rest: string): string => rest };
const name = (at: number): string => {
  const [day = "", time = ""] = new Date(at).toISOString().split("T");
  return `${day.slice(0, 7)}/${day.slice(8)}/${time.slice(0, 8).replaceAll(":", "")}-${at % 1000}.json`;
};
const BEGIN = Date.UTC(2025, 10, 28);
const MINUTE = 60_000;

/** Records over months, most of them within one minute. */
const times = [
  ...Array.from({ length: 90 }, (_, n) => BEGIN + n * 17 * 60 * MINUTE),
  ...Array.from({ length: 300 }, (_, n) => Date.UTC(2026, 1, 14, 8) + n * 197),
].map(name);
const newestFirst = [...new Set(times)].toSorted().toReversed();

async function filled(more: readonly string[] = []): Promise<{ readonly store: Store; readonly looks: () => number }> {
  const { garden } = await gardenWith();
  await Promise.all([...times, ...more].map((each) => garden.store.create(`audit/${each}`, Buffer.from("{}"))));
  let looks = 0;
  const store: Store = { ...garden.store, list: (prefix, page) => (looks++, garden.store.list(prefix, page)) };
  return { store, looks: () => looks };
}

async function first(store: Store, count: number, upTo?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const each of newestNames(store, names, upTo)) {
    found.push(each);
    if (found.length === count) break;
  }
  return found;
}

describe("newestNames", () => {
  test.each([1, 19, 20, 21, 250, 389, 1000])("returns the first %i names of the reversed list", async (count) => {
    const { store } = await filled();
    expect(await first(store, count)).toEqual(newestFirst.slice(0, count));
  });

  test.each([0, 5, 120, 300, 388])("starts at the name at position %i", async (at) => {
    const { store } = await filled();
    expect(await first(store, 10, newestFirst[at])).toEqual(newestFirst.slice(at, at + 10));
  });

  test("needs the same number of reads with many older names as with few", async () => {
    const older = Array.from({ length: 400 }, (_, n) => name(Date.UTC(2025, 11, 24, 18) + n * 97_001));
    const [few, many] = [await filled(), await filled(older)];
    await first(few.store, 3);
    await first(many.store, 3);
    expect(many.looks()).toBe(few.looks());
  });

  test("returns nothing for an empty store", async () => {
    const { garden } = await gardenWith();
    expect(await first(garden.store, 3)).toEqual([]);
  });
});
