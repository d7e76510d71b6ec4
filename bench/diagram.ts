import { behaviourId } from "../src/drakon/canonical.ts";
import { checkJson } from "../src/drakon/testing/json-diagram.ts";
import { shapes } from "../src/drakon/testing/shapes.ts";
import { renderPseudocode } from "../src/drakon/text/render.ts";
import type { Bench, Contender, Size } from "./harness.ts";

/**
 * From JSON to tree, behaviour id and pseudocode, for diagrams of every shape. The rival is ourselves on ten diagrams of a tenth
 * of the size: a ratio of 1 is linear growth, and 0.5 would be twice as dear per icon.
 */
export const diagrams = ({ files }: Size): Bench[] =>
  Object.entries(shapes).map(([shape, make]) => ({
    name: `meaning of a diagram of ${files.toLocaleString("en-US")} icons, ${shape}`,
    unit: "diagrams/s",
    workers: 1,
    ours: understanding("one diagram", [make(files)]),
    rivals: [
      understanding(
        `ten of ${(files / 10).toLocaleString("en-US")} icons (linear growth)`,
        Array.from({ length: 10 }, () => make(files / 10)),
      ),
    ],
  }));

const understanding = (name: string, all: readonly object[]): Contender => ({
  name,
  open: async () => ({
    async once() {
      for (const items of all) {
        const { tree } = checkJson({ items });
        behaviourId(tree!);
        renderPseudocode(tree!, { language: "uk" });
      }
    },
    close: async () => undefined,
  }),
});
