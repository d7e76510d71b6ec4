import { expect, test } from "vitest";
import { calloutIn, pictureSize, pictureType } from "./link-syntax.ts";
import { allTagsIn, propertiesIn } from "./note-properties.ts";

const NOTE = `---
tags: [garden, 2024]
aliases:
  - Rose
  - Old rose
due: 2026-03-01
done: true
up: "[[Home]]"
empty:
---
# Not a tag
#pruning and #сад/троянди, not #123, \`#code\`, a#b or [x](#part).
`;

test("U-1c properties and tags of a note are read", () => {
  expect({
    properties: propertiesIn(NOTE).map(({ name, values }) => [name, ...values]),
    tags: allTagsIn(NOTE),
  }).toEqual({
    properties: [
      ["aliases", "Rose", "Old rose"],
      ["due", "2026-03-01"],
      ["done", "true"],
      ["up", "[[Home]]"],
      ["empty"],
    ],
    tags: ["garden", "pruning", "сад/троянди"],
  });
});

test.each<[string, string | undefined, string, string | undefined]>([
  ["[!note]", "note", "Note", undefined],
  ["[!TLDR]- In short", "abstract", "In short", "closed"],
  ["[!faq]+ Why?", "question", "Why?", "open"],
  ["[!recipe] Bread", "note", "Bread", undefined],
  ["A quotation", undefined, "", undefined],
])("U-1c the line %s begins a callout of type %s", (line, type, title, fold) => {
  expect(calloutIn(line)).toEqual(type === undefined ? undefined : { type, title, fold });
});

test("U-1c pictures have a type and a size", () => {
  expect([
    pictureType("a/P.PNG"),
    pictureType("a.md"),
    pictureSize("640x480"),
    pictureSize("100"),
    pictureSize("alt"),
  ]).toEqual(["image/png", undefined, { width: 640, height: 480 }, { width: 100 }, undefined]);
});
