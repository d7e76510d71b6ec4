import { describe, expect, test } from "vitest";
import { linkTargets, resolveLink, targetFor } from "./link-target.ts";

const FILES = [
  "Home.md",
  "a/Note.md",
  "a/b/Note.md",
  "a/b/Deep.md",
  "c/Note.md",
  "c/Two words.md",
  "c/v1.2.md",
  "c/Їжак.md",
  "c/Cafe\u0301.md",
  "img/p.png",
  "img/board.canvas",
  "Trees/Oak.md",
  "Old Trees/Oak.md",
  ".trash/Gone.md",
  ".obsidian/plugins/Readme.md",
];
const targets = linkTargets(FILES);
const at = (from: string, target: string, kind: "path" | "name" = "name"): string | undefined =>
  resolveLink(targets, from, { kind, target });

describe("U-1c a link is resolved as Obsidian does", () => {
  test.each<[string, string, string, string | undefined]>([
    ["a name", "Home.md", "Deep", "a/b/Deep.md"],
    ["a name with its extension", "Home.md", "Deep.md", "a/b/Deep.md"],
    ["letter case", "Home.md", "dEEP", "a/b/Deep.md"],
    ["Ukrainian letter case", "Home.md", "їЖАК", "c/Їжак.md"],
    ["a composed name for a decomposed file", "Home.md", "Caf\u00e9", "c/Cafe\u0301.md"],
    ["the same name several times: the shortest path", "Home.md", "Note", "a/Note.md"],
    ["the same name several times: below the note's folder first", "a/b/Deep.md", "Note", "a/b/Note.md"],
    ["the same name several times, from elsewhere", "Trees/Oak.md", "Note", "a/Note.md"],
    ["a path from the top", "Home.md", "a/b/Note", "a/b/Note.md"],
    ["a path from the top, from a folder", "c/Note.md", "a/Note", "a/Note.md"],
    ["the end of a path", "Home.md", "b/Note", "a/b/Note.md"],
    ["no part of a folder's name", "Home.md", "ees/Oak", undefined],
    ["a folder that ends alike", "Home.md", "Trees/Oak", "Trees/Oak.md"],
    ["a wrong folder", "Home.md", "x/Note", undefined],
    ["from the top only", "a/b/Deep.md", "/c/Note", "c/Note.md"],
    ["from the top only, and not there", "a/b/Deep.md", "/Note", undefined],
    ["relative to the note", "a/b/Deep.md", "../Note", "a/Note.md"],
    ["relative to the note, and not there", "c/Note.md", "../Deep", undefined],
    ["out of the vault", "Home.md", "../../Home", undefined],
    ["a dot in the name", "Home.md", "v1.2", "c/v1.2.md"],
    ["an attachment by its name", "c/Note.md", "p.png", "img/p.png"],
    ["an attachment without its extension", "c/Note.md", "p", undefined],
    ["a canvas", "Home.md", "board.canvas", "img/board.canvas"],
    ["the note itself", "c/Note.md", "", "c/Note.md"],
    ["a deleted note", "Home.md", "Gone", undefined],
    ["a file of Obsidian", "Home.md", "Readme", undefined],
    ["percent-encoding in double brackets", "Home.md", "Two%20words", undefined],
    ["a note that does not exist", "Home.md", "Wish", undefined],
  ])("%s", (_, from, target, to) => {
    expect(at(from, target)).toBe(to);
  });

  test.each<[string, string, string, string | undefined]>([
    ["the note's folder first", "a/b/Deep.md", "Note.md", "a/b/Note.md"],
    ["then from the top", "a/b/Deep.md", "c/Note.md", "c/Note.md"],
    ["relative", "a/b/Deep.md", "../Note.md", "a/Note.md"],
    ["without an extension", "Home.md", "c/Two%20words", "c/Two words.md"],
    ["percent-encoded", "Home.md", "c/Two%20words.md", "c/Two words.md"],
    ["by name only", "Home.md", "Two%20words.md", "c/Two words.md"],
    ["an attachment", "c/Note.md", "../img/p.png", "img/p.png"],
    ["invalid percent-encoding", "Home.md", "%zz.md", undefined],
  ])("in Markdown: %s", (_, from, target, to) => {
    expect(at(from, target, "path")).toBe(to);
  });
});

test.each<[string, string, "path" | "name", "shortest" | "relative" | "absolute", string]>([
  ["Home.md", "a/b/Deep.md", "name", "shortest", "Deep"],
  ["Home.md", "a/b/Note.md", "name", "shortest", "a/b/Note"],
  ["a/b/Deep.md", "a/Note.md", "name", "relative", "../Note"],
  ["Home.md", "c/Two words.md", "name", "absolute", "c/Two words"],
  ["Home.md", "c/Two words.md", "path", "shortest", "Two%20words.md"],
  ["a/b/Deep.md", "c/Two words.md", "path", "relative", "../../c/Two%20words.md"],
  ["a/b/Deep.md", "c/Note.md", "path", "absolute", "c/Note.md"],
  ["c/Note.md", "img/p.png", "name", "shortest", "p.png"],
])("I-3 a link from %s to %s (%s, %s) is written %s and leads there", (from, to, kind, format, written) => {
  const target = targetFor(targets, from, to, { kind, format });
  expect([target, at(from, target, kind)]).toEqual([written, to]);
});
