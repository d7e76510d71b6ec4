import type { Icon } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";

/**
 * What is drawn, before anything has a place: nodes, the lines between them, and the verticals ("paths") that they hang on.
 * A node hangs on the path of the line that found it first; lines are followed from left to right, so this is the leftmost
 * one, and every other line into the node comes from the right.
 */
export interface Skeleton {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Verticals from left to right: each stands to the right of all before it that are at the same height. */
  readonly uprights: readonly Upright[];
}

export type NodeShape =
  /** An icon of the diagram, by its own type. */
  | "icon"
  /** "Go to that branch": one for every run of neighbouring lines that lead to it. */
  | "address"
  /** Stands for an icon that is drawn elsewhere: only a broken diagram has it. */
  | "elsewhere"
  /** An exit that leads nowhere. */
  | "missing"
  /** Where the ways of one process meet, above the end of the parallel block. */
  | "meeting"
  /** Where ways that lead back meet, before they go up. */
  | "turn";

export interface DrawnNode {
  readonly number: number;
  readonly shape: NodeShape;
  /** The icon that is placed here, exactly once in the whole drawing. */
  readonly icon: Icon | undefined;
  /** Where an address or a stand-in leads. */
  readonly refersTo: IconId | undefined;
  path: Path;
  /** Discovery and completion on the common clock of the walk: whatever lies between was found through this node. */
  readonly from: number;
  until: number;
}

export type EdgeKind = "tree" | "join" | "back";
/** Down from the bottom; right from the right corner; fan: down and then along a common horizontal. */
export type Port = "down" | "right" | "fan";

export interface DrawnEdge {
  readonly number: number;
  readonly from: DrawnNode;
  to: DrawnNode;
  readonly port: Port;
  kind: EdgeKind;
  readonly label: "yes" | "no" | undefined;
  /** The exit of the source icon that this line is. */
  readonly exit: "one" | "two" | undefined;
  readonly clock: number;
  path: Path;
}

export type Upright = Path | Riser;

export interface Path {
  readonly is: "path";
  readonly number: number;
  /** The line that opens it; none for the first of a block. */
  readonly start: DrawnEdge | undefined;
  readonly nodes: DrawnNode[];
  /** The line that closes it by joining something to the left; none where the path ends in a node. */
  end: DrawnEdge | undefined;
  readonly clock: number;
}

/** The line upwards, on which everything goes that leads back to one icon. */
export interface Riser {
  readonly is: "riser";
  readonly head: DrawnNode;
  readonly edges: DrawnEdge[];
  readonly clock: number;
}

export const isPoint = (node: DrawnNode): boolean =>
  node.shape === "meeting" || node.shape === "turn" || node.icon?.type === "arrow-loop";

/** Beginnings and ends of parallel blocks are drawn as a bar. */
export const isBar = (node: DrawnNode): boolean => node.icon?.type === "parbegin" || node.icon?.type === "parend";

/** Whether a node is a further process of a parallel block, in the same row as the one before it. */
export const continuesBar = (node: DrawnNode): boolean => {
  const { start, nodes } = node.path;
  return node.icon?.type === "parbegin" && nodes[0] === node && start?.port === "right" && isBar(start.from);
};

/** Whether a line ends on the bar from above, as the last of a process does. All others join above the bar. */
export const endsOnBar = ({ from, to, kind }: DrawnEdge): boolean =>
  kind === "join" && from.shape === "meeting" && to.icon?.type === "parend";

export const isWithin = (inner: DrawnNode, outer: DrawnNode): boolean =>
  outer.from <= inner.from && inner.from <= outer.until;
