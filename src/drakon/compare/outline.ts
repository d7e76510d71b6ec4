import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { structure } from "../structure/structure.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Block, Condition, Duration, Tree, TreeNode } from "../tree.ts";
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

type List = (id: IconId, beside?: Duration) => void;

/** Uses a work list instead of recursion. Lower ends of loops and blocks come after their bodies. */
function listTree(tree: Tree, list: List): void {
  const work: (() => void)[] = [];
  // Pushed one by one: a block may hold more nodes than a call takes arguments.
  const later = (parts: readonly (() => void)[]): void => {
    for (const part of parts.toReversed()) work.push(part);
  };
  const block = (nodes: Block) => (): void => later(nodes.map((node) => () => put(node)));
  const headed =
    ({ icon, body }: { readonly icon: IconId; readonly body: Block }) =>
    (): void => {
      list(icon);
      block(body)();
    };
  later(tree.branches.map(headed));
  for (let next = work.pop(); next; next = work.pop()) next();

  function put(node: TreeNode): void {
    switch (node.node) {
      case "step":
        return list(node.icon, node.duration);
      case "if":
        for (const { icon, duration } of questionsIn(node.condition)) list(icon, duration);
        return later([block(node.yes), block(node.no)]);
      case "select":
        list(node.icon, node.duration);
        return later([...node.cases, ...(node.otherwise ? [node.otherwise] : [])].map(headed));
      case "for-each":
        list(node.icon);
        return later([block(node.body), () => list(node.endIcon)]);
      case "loop":
        return headed(node)();
      case "block":
        return later([block(node.body)]);
      case "parallel":
        return later([...node.processes.map(headed), () => list(node.endIcon)]);
      default:
    }
  }
}

/** Questions of a condition in evaluation order. */
function questionsIn(condition: Condition): Extract<Condition, { is: "question" }>[] {
  const questions: Extract<Condition, { is: "question" }>[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") questions.push(next);
    else if (next.is === "not") work.push(next.of);
    else for (const part of next.of.toReversed()) work.push(part);
  }
  return questions;
}
