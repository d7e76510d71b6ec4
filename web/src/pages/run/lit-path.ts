import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";

/** Paths that are looked at between two icons: a diagram with more of them tells nothing. */
const MAX_LOOKS = 2000;

/**
 * The icons of a run in order. Icons without a step of their own (an assignment, a question that the program answers) are added
 * between two steps if only one way leads from one to the other; else the way is not known, and only the steps are lit.
 */
export function litPath(diagram: Diagram, steps: readonly string[]): readonly string[] {
  const known = steps.filter((icon) => diagram.icons.has(icon));
  return known.flatMap((icon, index) => {
    const before = known[index - 1];
    return [...(before === undefined ? [] : onlyWay(diagram, before, icon)), icon];
  });
}

/** The icons strictly between two icons, if there is exactly one way without passing a place twice. */
function onlyWay({ icons }: Diagram, from: string, to: string): readonly string[] {
  const found: string[][] = [];
  const open: string[][] = [[from]];
  for (let looks = 0; open.length > 0; looks++) {
    if (looks > MAX_LOOKS || found.length > 1) return [];
    const way = open.pop()!;
    const { one, two } = icons.get(way.at(-1)!) ?? {};
    for (const next of new Set([one, two])) {
      if (next === undefined) continue;
      if (next === to) found.push(way.slice(1));
      else if (!way.includes(next)) open.push([...way, next]);
    }
  }
  return found.length === 1 ? found[0]! : [];
}
