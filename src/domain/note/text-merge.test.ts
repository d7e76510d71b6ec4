import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hunksBetween, linesOf, unifiedPatch } from "./line-hunks.ts";
import { mergeTexts } from "./text-merge.ts";

const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n", "ї\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom("", "end"))
  .map(([lines, end]) => lines.join("") + end);

test("the lines of a text, joined, are the text, with any line ends", () => {
  fc.assert(
    fc.property(fc.string(), (any) => {
      expect(linesOf(any).join("")).toBe(any);
    }),
  );
});

test("hunks lead from one text to the other, and none is empty or touches the next", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = linesOf(before);
      const hunks = hunksBetween(lines, linesOf(after));
      let at = 0;
      let result = "";
      for (const hunk of hunks) {
        expect(hunk.removed).toEqual(lines.slice(hunk.at, hunk.at + hunk.removed.length));
        expect(hunk.removed.length + hunk.added.length).toBeGreaterThan(0);
        if (at > 0) expect(hunk.at).toBeGreaterThan(at);
        result += lines.slice(at, hunk.at).join("") + hunk.added.join("");
        at = hunk.at + hunk.removed.length;
      }
      expect(result + lines.slice(at).join("")).toBe(after);
    }),
  );
});

test("a completely new text is one hunk, and is computed quickly", () => {
  const lines = (mark: string): string[] => Array.from({ length: 30_000 }, (_, index) => `${mark}${index}\n`);
  expect(hunksBetween(lines("a"), lines("b"))).toHaveLength(1);
});

test("git can apply a unified patch", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      expect(applyPatch(before, unifiedPatch("n.md", before, after), { autoConvertLineEndings: false })).toBe(after);
    }),
  );
});

test("P-7 merging keeps both changes, and adds exactly theirs to ours", () => {
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const merged = mergeTexts(base, ours, theirs);
      if (merged.kind === "conflict") {
        expect(merged.pieces.length).toBeGreaterThan(0);
        const lines = linesOf(ours);
        for (const piece of merged.pieces)
          expect(
            lines
              .slice(piece.line - 1)
              .join("")
              .startsWith(piece.ours),
            "ours stands where it is said to",
          ).toBe(true);
        return;
      }
      const count = (of: string, what: string): number => linesOf(of).filter((each) => each === what).length;
      for (const each of new Set(linesOf(base + ours + theirs))) {
        const grown = merged.hunks.reduce(
          (sum, { removed, added }) =>
            sum + added.filter((one) => one === each).length - removed.filter((one) => one === each).length,
          0,
        );
        expect(count(merged.text, each)).toBe(count(ours, each) + grown);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["no change of ours", (a: string, b: string) => mergeTexts(a, a, b), (_: string, b: string) => b],
  ["no change of theirs", (a: string, b: string) => mergeTexts(a, b, a), (_: string, b: string) => b],
  ["the same change on both sides", (a: string, b: string) => mergeTexts(a, b, b), (_: string, b: string) => b],
] as const)("P-7 merging with %s gives the changed text", (_, merge, result) => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(merge(a, b)).toMatchObject({ kind: "merged", text: result(a, b) });
    }),
  );
});

test("P-7 where this merge and git's both find no conflict, they agree", () => {
  const dir = mkdtempSync(join(tmpdir(), "merge-"));
  let agreed = 0;
  try {
    const numbered = Array.from({ length: 14 }, (_, index) => `line ${index}\n`);
    const changed = fc
      .array(fc.tuple(fc.nat(13), fc.constantFrom("", "x\n", "y\ny\n")), { maxLength: 3 })
      .map((edits) => {
        const lines = [...numbered];
        for (const [at, put] of edits) lines[at] = put;
        return lines.join("");
      });
    fc.assert(
      fc.property(changed, changed, (ours, theirs) => {
        const merged = mergeTexts(numbered.join(""), ours, theirs);
        const paths = ["ours", "base", "theirs"].map((name) => join(dir, name));
        for (const [index, content] of [ours, numbered.join(""), theirs].entries())
          writeFileSync(paths[index]!, content);
        let git: string | undefined;
        try {
          git = execFileSync("git", ["merge-file", "-p", ...paths], { stdio: ["ignore", "pipe", "ignore"] }).toString();
        } catch {
          git = undefined;
        }
        if (merged.kind === "conflict" || git === undefined) return;
        agreed++;
        expect(merged.text).toBe(git);
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  expect(agreed).toBeGreaterThan(5);
});

test("P-7 a text may have more lines than a call can have arguments", () => {
  const base = "a\n".repeat(300_000);
  const [ours, theirs] = [`ours\n${base}`, `${base}theirs\n`];
  expect(mergeTexts(base, ours, theirs)).toMatchObject({ kind: "merged", text: `ours\n${base}theirs\n` });
  const other = "b\n".repeat(300_000);
  expect(mergeTexts(base, base, other)).toMatchObject({ kind: "merged", text: other });
});
