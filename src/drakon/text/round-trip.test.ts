import fc from "fast-check";
import { expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { languages } from "../../base/text.ts";
import { canonicalForm } from "../canonical.ts";
import { arbitraryTree } from "../testing/arbitrary-tree.ts";
import type { Tree } from "../tree.ts";
import { parsePseudocode } from "./parse.ts";
import { renderPseudocode } from "./render.ts";

const RUNS = tries(3000);
const seen = { trees: 0, lines: 0, quoted: 0 };

/** The content of pseudocode: the meaning of the tree, and its name. */
const said = (tree: Tree | undefined): unknown =>
  tree && [tree.name, tree.description, tree.silhouette, tree.branches.map(({ name }) => name), canonicalForm(tree)];

test.each(languages.flatMap((language) => [false, true].map((numbered) => ({ language, numbered }))))(
  "D-4 pseudocode with any texts parses back to the same tree: $language, numbered $numbered",
  (options) => {
    fc.assert(
      fc.property(arbitraryTree, (tree) => {
        const { text } = renderPseudocode(tree, options);
        const parsed = parsePseudocode(text);
        expect(parsed.findings).toEqual([]);
        expect(said(parsed.tree)).toEqual(said(tree));
        seen.trees++;
        seen.lines += text.split("\n").length;
        seen.quoted += text.split("`").length >> 1;
      }),
      { numRuns: options.numbered ? Math.ceil(RUNS / 3) : RUNS },
    );
  },
);

test("D-4 both languages give the same tree on the same lines, and printing is deterministic", () => {
  fc.assert(
    fc.property(arbitraryTree, (tree) => {
      const [uk, en] = [renderPseudocode(tree, { language: "uk" }), renderPseudocode(tree, { language: "en" })];
      expect(uk.lines).toEqual(en.lines);
      expect(said(parsePseudocode(uk.text).tree)).toEqual(said(parsePseudocode(en.text).tree));
      const copy = structuredClone(tree);
      expect(renderPseudocode(copy, { language: "uk" })).toEqual(uk);
      expect(copy).toEqual(tree);
      // A tree parsed from one language prints in the other like the original tree.
      expect(renderPseudocode(parsePseudocode(uk.text).tree!, { language: "en" }).text).toBe(en.text);
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
  console.log(`round trips: ${seen.trees} trees, ${seen.lines} lines, ${seen.quoted} texts in backticks`);
});
