import fc from "fast-check";
import { Sun } from "lucide-react";
import { expect, test } from "vitest";
import type { Entry } from "../web/src/palette/entry.ts";
import { matchParts, matchScore } from "../web/src/palette/match.ts";
import { rankedEntries } from "../web/src/palette/ranked.ts";

test.for([
  ["lime", "The old lime tree", "Sublime"],
  ["lime", "Lime", "The old lime tree"],
  ["lime old", "The old lime tree", "Fold slime"],
  ["пам'ять", "Пам’ять архіваріуса", "Спільна пам’ять"],
] as const)("the palette finds by %s “%s” before “%s”", ([typed, better, worse]) => {
  expect(matchScore(typed, better)).toBeGreaterThan(matchScore(typed, worse) ?? 0);
});

test("every word typed into the palette must occur in the name or beside it", () => {
  expect([
    matchScore("lime garden", "The lime tree", "notes/garden"),
    matchScore("lime rose", "The lime tree"),
  ]).toEqual([expect.any(Number), undefined]);
});

test("the palette marks the typed words of a name and leaves nothing of it out", () => {
  expect(matchParts("lime tr", "The old Lime tree").filter(({ isHit }) => isHit)).toEqual([
    { text: "Lime", isHit: true },
    { text: "tr", isHit: true },
  ]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (typed, title) => {
      const parts = matchParts(typed, title).map(({ text }) => text);
      return parts.join("") === title;
    }),
  );
});

const entry = (title: string, when?: Entry["when"]): Entry => ({
  id: title,
  title,
  icon: Sun,
  open: () => undefined,
  ...(when && { when }),
});
const groups = [
  {
    id: "do",
    entries: [entry("Ask the notes: “lime”", "last"), entry("Run Gardener now", "typed"), entry("New note")],
  },
  { id: "notes", entries: [entry("Compost"), entry("The old lime tree"), entry("Lime")] },
] as const;
const shown = (typed: string): readonly string[] =>
  rankedEntries(groups, typed).flatMap(({ id, entries }) => entries.map(({ title }) => `${id}: ${title}`));

test("the palette shows the best fit first and what fits any words last", () => {
  expect(shown("lime")).toEqual(["notes: Lime", "notes: The old lime tree", "do: Ask the notes: “lime”"]);
});

test("the palette shows the verbs of an agent only when they are typed", () => {
  expect({ typed: shown("gardener"), empty: shown("").includes("do: Run Gardener now") }).toEqual({
    typed: ["do: Run Gardener now", "do: Ask the notes: “lime”"],
    empty: false,
  });
});
