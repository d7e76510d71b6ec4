import type { DrawnEdge, DrawnNode, Path, Riser, Skeleton, Upright } from "./skeleton.ts";
import { isWithin } from "./skeleton.ts";

/**
 * Routes the back edges of loops. A right exit with nothing to its right goes straight to the riser; all others first meet in
 * a point below the loop body and go to the riser from there.
 */
export function joinBackEdges({ nodes, edges, uprights }: Skeleton): Skeleton {
  const allNodes = [...nodes];
  const allEdges = [...edges];
  const gone = new Set<Upright>();
  const headOf = new Map<DrawnNode, DrawnNode>();
  for (const riser of uprights) {
    if (riser.is !== "riser") continue;
    const straight: DrawnEdge[] = [];
    const around: DrawnEdge[] = [];
    for (const edge of riser.edges.toReversed()) {
      if (around.length === 0 && goesStraight(edge, riser, uprights, headOf)) straight.unshift(edge);
      else around.unshift(edge);
    }
    for (const edge of straight) {
      gone.add(edge.path);
      edge.path.end = undefined;
    }
    const first = around[0];
    riser.edges.length = 0;
    for (const edge of straight) riser.edges.push(edge);
    if (!first) continue;
    const turn = addTurn(first, allNodes);
    headOf.set(turn, riser.head);
    for (const edge of around) {
      edge.to = turn;
      edge.kind = edge === first ? "tree" : "join";
    }
    const rise: DrawnEdge = {
      number: allEdges.length,
      from: turn,
      to: riser.head,
      port: "right",
      kind: "back",
      label: undefined,
      exit: undefined,
      clock: first.clock,
      path: first.path,
    };
    allEdges.push(rise);
    riser.edges.push(rise);
  }
  return { nodes: allNodes, edges: allEdges, uprights: uprights.filter((upright) => !gone.has(upright)) };
}

function addTurn(first: DrawnEdge, nodes: DrawnNode[]): DrawnNode {
  const { path, clock } = first;
  const turn: DrawnNode = {
    number: nodes.length,
    shape: "turn",
    icon: undefined,
    refersTo: undefined,
    path,
    from: clock,
    until: clock,
  };
  nodes.push(turn);
  path.nodes.push(turn);
  path.end = undefined;
  return turn;
}

type HeadOf = ReadonlyMap<DrawnNode, DrawnNode>;

/** True if every later path of the loop ends above the source of the edge, or is itself a bare back edge. */
function goesStraight(edge: DrawnEdge, riser: Riser, uprights: readonly Upright[], headOf: HeadOf): boolean {
  if (edge.port !== "right") return false;
  for (let at = edge.path.number + 1; at < uprights.length; at++) {
    const later = uprights[at]!;
    if (later === riser) return true;
    if (later.is === "path" && !endsAbove(later, edge, riser, headOf)) return false;
  }
  return true;
}

function endsAbove({ start, end, nodes }: Path, edge: DrawnEdge, riser: Riser, headOf: HeadOf): boolean {
  if (start?.kind === "back" && nodes.length === 0) return start.to === riser.head || start.to.from > edge.clock;
  const goal = end?.to ?? nodes.at(-1)!;
  // The meeting point of back edges is as low as the loop body.
  const head = headOf.get(goal) ?? (end?.kind === "back" ? goal : undefined);
  if (head) return head.from > edge.clock;
  return end !== undefined && (goal.from > edge.clock || isWithin(edge.from, goal));
}
