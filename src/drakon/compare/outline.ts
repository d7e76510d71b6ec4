import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { structure } from "../structure/structure.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Duration, Tree } from "../tree.ts";
import { listTree } from "../tree-icons.ts";
import { type RouteGraph, routeGraph } from "./route-graph.ts";

/** One icon, in an order that does not depend on layout or orientation. */
export interface OutlineEntry {
  readonly icon: Icon;
  /** Text of the duration beside it. */
  readonly duration: string;
  /** Part of the procedure's text: some line leads to it, from any branch. */
  readonly reached: boolean;
}

export interface DiagramOutline {
  readonly diagram: Diagram;
  readonly tree: Tree | undefined;
  readonly entries: readonly OutlineEntry[];
  readonly routes: RouteGraph;
}

/** Lists all icons in tree order. A diagram with errors has no tree; its icons are in search order. */
export function outlineDiagram(diagram: Diagram): DiagramOutline {
  const { tree } = structure(diagram);
  const entries: OutlineEntry[] = [];
  const listed = new Set<IconId>();
  const survey = surveyDiagram(diagram);
  const list = (id: IconId, beside?: Duration): void => {
    const icon = diagram.icons.get(id);
    if (!icon || listed.has(id)) return;
    listed.add(id);
    entries.push({ icon, duration: beside?.text ?? "", reached: survey.reached.has(id) });
    if (beside) list(beside.icon);
  };
  if (tree) listTree(tree, list);
  for (const id of survey.reached.keys()) list(id);
  for (const icon of diagram.icons.values()) if (roleOf(icon.type) !== "none") list(icon.id);
  return { diagram, tree, entries, routes: routeGraph(diagram, survey) };
}
