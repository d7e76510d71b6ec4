import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Duration, Step, Tree } from "../tree.ts";

/** The pairs and groups of a drawing, and its icons as a flat tree, to find the names that they set. */
export function layoutOf(diagram: Diagram) {
  const seen = surveyDiagram(diagram);
  const { ends } = pairLoops(diagram, seen);
  const body = [...diagram.icons.values()]
    .filter(({ id }) => seen.reached.has(id))
    .map((icon) => {
      const { id, type: kind, text, secondary } = icon;
      if (roleOf(kind) === "loopbegin")
        return { node: "for-each" as const, icon: id, endIcon: "", text, endText: "", body: [] };
      const step: Step = { node: "step", kind, icon: id, text, ...(secondary && { secondary }) };
      return roleOf(kind) === "step" ? step : { node: "return" as const };
    });
  const { params } = diagram;
  const tree: Tree = {
    name: "",
    params,
    description: "",
    silhouette: false,
    branches: [{ icon: "", name: "", body }],
  };
  return {
    tree,
    branches: seen.branches,
    cases: seen.cases,
    processes: seen.processes,
    parallelEnds: seen.parallelEnds,
    loopEnds: ends,
    loopStarts: new Map([...ends].map(([start, end]) => [end.id, start])),
  };
}

/** An icon's text with the duration beside it. */
export function beside(diagram: Diagram, icon: Icon): { text: string; duration?: Duration } {
  const side = icon.side === undefined ? undefined : diagram.icons.get(icon.side);
  return { text: icon.text, ...(side?.type === "duration" && { duration: { icon: side.id, text: side.text } }) };
}

export function stepOf(diagram: Diagram, icon: Icon): Step {
  const above = icon.secondary ? { secondary: icon.secondary } : {};
  return { node: "step", kind: icon.type, icon: icon.id, ...above, ...beside(diagram, icon) };
}
