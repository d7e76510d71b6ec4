import type { Icon } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";

/**
 * Topology of a drawing, without positions: nodes, the edges between them, and the verticals ("paths") that nodes stand on.
 * A node stands on the path of the edge that discovered it. Exits are followed from left to right, so this is the leftmost
 * edge, and every other edge enters the node from the right.
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
  /** "Go to that branch": shared by neighbouring lines that lead to the same branch. */
  | "address"
  /** A reference to an icon drawn elsewhere; only in broken diagrams. */
  | "elsewhere"
  /** An exit that leads nowhere. */
  | "missing"
  /** The point where the paths of one process meet, above the end of the parallel block. */
  | "meeting"
  /** The point where back edges meet before they go up. */
  | "turn";

export interface DrawnNode {
  readonly number: number;
  readonly shape: NodeShape;
  /** The icon drawn here. Each icon is drawn once. */
  readonly icon: Icon | undefined;
  /** Target of an address or a reference. */
  readonly refersTo: IconId | undefined;
  path: Path;
  /** Discovery and finish time of the depth-first search: a node with a time in between is a descendant. */
  readonly from: number;
  until: number;
}

export type EdgeKind = "tree" | "join" | "back";
/** `down`: from the bottom. `right`: from the right corner. `fan`: down, then along a horizontal shared with siblings. */
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
  /** The edge that opens the path; undefined for the first path of a block. */
  readonly start: DrawnEdge | undefined;
  readonly nodes: DrawnNode[];
  /** The edge that joins a path to the left; undefined if the path ends in a node. */
  end: DrawnEdge | undefined;
  readonly clock: number;
}

/** A vertical that carries all back edges to one icon upwards. */
export interface Riser {
  readonly is: "riser";
  readonly head: DrawnNode;
  readonly edges: DrawnEdge[];
  readonly clock: number;
}

export const isPoint = (node: DrawnNode): boolean =>
  node.shape === "meeting" || node.shape === "turn" || node.icon?.type === "arrow-loop";

/** The begin and the end of a parallel block are drawn as bars. */
export const isBar = (node: DrawnNode): boolean => node.icon?.type === "parbegin" || node.icon?.type === "parend";

/** True for the second and later processes of a parallel block; they stand in the same row as the first. */
export const continuesBar = (node: DrawnNode): boolean => {
  const { start, nodes } = node.path;
  return node.icon?.type === "parbegin" && nodes[0] === node && start?.port === "right" && isBar(start.from);
};

/** True for the last edge of a process, which ends on the bar. All other edges join above the bar. */
export const endsOnBar = ({ from, to, kind }: DrawnEdge): boolean =>
  kind === "join" && from.shape === "meeting" && to.icon?.type === "parend";

export const isWithin = (inner: DrawnNode, outer: DrawnNode): boolean =>
  outer.from <= inner.from && inner.from <= outer.until;
