import { describe, expect, it } from "vitest";
import { behaviourId, canonicalForm } from "./canonical.ts";
import { checkJson } from "./testing/json-diagram.ts";
import { shapes } from "./testing/shapes.ts";
import { parsePseudocode } from "./text/parse.ts";
import { renderPseudocode } from "./text/render.ts";

/** CPU milliseconds of a call, the best of two: the first one warms up. */
function cpu(call: () => void): number {
  const times = [1, 2].map(() => {
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe("the cost of structuring and printing, by shape", () => {
  it.each(Object.entries(shapes))(
    "%s: 10,000 icons take no more than a few seconds, and less than 40 times as long as 1,000",
    (shape, make) => {
      const [small, large] = [1000, 10_000].map((size) => {
        const items = make(size);
        return cpu(() => {
          const { tree } = checkJson({ items });
          behaviourId(tree!);
          renderPseudocode(tree!, { language: "uk" });
        });
      }) as [number, number];
      console.log(`${shape}: 1,000 icons ${small.toFixed(1)} ms, 10,000 icons ${large.toFixed(1)} ms`);
      expect(large).toBeLessThan(2500);
      expect(large / Math.max(small, 4)).toBeLessThan(40);
    },
  );

  it.each(Object.entries(shapes))(
    "%s: the text of 10,000 icons is linear in size and parses back to the same tree",
    (_, make) => {
      const { tree } = checkJson({ items: make(10_000) });
      for (const language of ["uk", "en"] as const) {
        const { text } = renderPseudocode(tree!, { language });
        const back = parsePseudocode(text);
        expect(back.findings.slice(0, 3)).toEqual([]);
        expect(text.length).toBeLessThan(10_000 * 150);
        // Not `toEqual`: its diff of such lists takes minutes.
        expect(canonicalForm(back.tree!).join("\n") === canonicalForm(tree!).join("\n")).toBe(true);
      }
    },
  );
});

/** The limits are meant for a quiet machine; CI shares its cores. */
