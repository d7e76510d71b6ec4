import {
  continuesBar,
  type DrawnEdge,
  type DrawnNode,
  endsOnBar,
  isPoint,
  type Skeleton,
} from "../skeleton/skeleton.ts";
import { deadEndsInside } from "./dead-ends.ts";
import { enclosingLoops } from "./enclosing-loops.ts";
import { type RowLink, topologicalOrder } from "./topological-order.ts";

/** Vertical distance between icons. Labels, joins and fans fit in it. */
export const ROW_GAP = 32;
/** Distance above an icon at which lines from the right join its vertical. */
export const JOIN_RISE = 14;
const POINT_GAP = 18;
const BAR_GAP = 22;
const TRACK = 10;

/** Vertical positions in one block, from 0 downwards. */
export interface Rows {
  readonly top: Float64Array;
  /** Heights at which lines from the right join. */
  readonly join: Float64Array;
  readonly bottom: number;
}

export interface RowOptions {
  readonly heightOf: (node: DrawnNode) => number;
  /**
   * Aligns icons in common rows and gives every join its own track between rows. Needs more space, but no line can meet an
   * icon, even if lines must cross.
   */
  readonly aligned: boolean;
  /** Minimum top of addresses. */
  readonly addressTop: number;
}

/** Places every node below its predecessors, code after a loop below the loop, and dead ends above the line that encloses them. */
export function rowsOf(skeleton: Skeleton, options: RowOptions): Rows {
  const lines = skeleton.edges.filter(({ kind }) => kind !== "back");
  const { order, links } = topologicalOrder(skeleton.nodes, [
    lines,
    deadEndsInside(skeleton),
    followsBelowLoops(skeleton),
  ]);
  return place(skeleton, order, links, options);
}

function followsBelowLoops(skeleton: Skeleton): RowLink[] {
  const turns = new Map<DrawnNode, DrawnNode[]>();
  for (const { from, to, kind } of skeleton.edges) {
    if (kind !== "back") continue;
    const known = turns.get(to);
    if (known) known.push(from);
    else turns.set(to, [from]);
  }
  if (turns.size === 0) return [];
  const behind = new Map<DrawnNode, DrawnNode[]>();
  for (const { from, to, kind } of skeleton.edges) {
    if (from.icon?.type === "case" && kind !== "back") behind.set(from, [to]);
  }
  // Cases stay in one row; the icon under a case that leads out of the loop goes below the loop.
  return enclosingLoops(skeleton).exits.flatMap(({ head, to }) =>
    (to.icon?.type === "case" ? (behind.get(to) ?? []) : [to]).flatMap((below) =>
      (turns.get(head) ?? []).map((from) => ({ from, to: below })),
    ),
  );
}

const sameRow = ({ from, to }: RowLink): boolean => continuesBar(to) && to.path.start!.from === from;

const gapAbove = (node: DrawnNode): number =>
  isMeetingPoint(node) ? POINT_GAP : node.icon?.type === "parend" ? BAR_GAP : ROW_GAP;

/** Tops of nodes, and the index of the track above the row on which each node is joined. */
interface Heights {
  readonly top: Float64Array;
  readonly track: Int32Array;
}

function place(skeleton: Skeleton, order: readonly DrawnNode[], links: readonly RowLink[], options: RowOptions): Rows {
  const { nodes } = skeleton;
  const { heightOf } = options;
  const into: RowLink[][] = nodes.map(() => []);
  for (const link of links) into[link.to.number]!.push(link);
  const joined = new Set(skeleton.edges.filter((edge) => edge.kind === "join" && !endsOnBar(edge)).map(({ to }) => to));
  const { top, track } = options.aligned
    ? alignedHeights(order, into, joined, heightOf)
    : freeHeights(order, into, heightOf);
  const addresses = nodes.filter(({ shape }) => shape === "address");
  let lowest = options.addressTop;
  for (const { number } of addresses) lowest = Math.max(lowest, top[number]!);
  for (const { number } of addresses) top[number] = lowest;
  let bottom = 0;
  for (const node of nodes) bottom = Math.max(bottom, top[node.number]! + heightOf(node));
  const join = Float64Array.from(nodes, (node) => {
    const y = top[node.number]!;
    return isMeetingPoint(node) ? y : y - JOIN_RISE - track[node.number]! * TRACK;
  });
  return { top, join, bottom };
}

const isMeetingPoint = ({ shape }: DrawnNode): boolean => shape === "turn" || shape === "meeting";

function freeHeights(
  order: readonly DrawnNode[],
  into: readonly RowLink[][],
  heightOf: RowOptions["heightOf"],
): Heights {
  const top = new Float64Array(order.length);
  for (const node of order) {
    for (const link of into[node.number]!) {
      const above = top[link.from.number]!;
      const wanted = sameRow(link) ? above : above + heightOf(link.from) + gapAbove(node);
      top[node.number] = Math.max(top[node.number]!, wanted);
    }
  }
  return { top, track: new Int32Array(order.length) };
}

function alignedHeights(
  order: readonly DrawnNode[],
  into: readonly RowLink[][],
  joined: ReadonlySet<DrawnNode>,
  heightOf: RowOptions["heightOf"],
): Heights {
  const level = new Int32Array(order.length);
  const rows: { height: number; tracks: number }[] = [];
  const track = new Int32Array(order.length);
  for (const node of order) {
    for (const link of into[node.number]!)
      level[node.number] = Math.max(level[node.number]!, level[link.from.number]! + (sameRow(link) ? 0 : 1));
    const at = level[node.number]!;
    while (rows.length <= at) rows.push({ height: 0, tracks: 0 });
    const row = rows[at]!;
    row.height = Math.max(row.height, heightOf(node));
    if (joined.has(node) || isMeetingPoint(node)) track[node.number] = row.tracks++;
  }
  const rowTops: number[] = [];
  let y = -ROW_GAP;
  for (const { height, tracks } of rows) {
    y += ROW_GAP + tracks * TRACK;
    rowTops.push(y);
    y += height;
  }
  const top = Float64Array.from(level, (at) => rowTops[at]!);
  // Points stand on their own track, so that a line leaving to the right passes between rows.
  for (const node of order) {
    if (isMeetingPoint(node)) top[node.number]! -= JOIN_RISE + track[node.number]! * TRACK;
  }
  return { top, track };
}

/** Height at which a joining line enters. */
export const joinHeight = (edge: DrawnEdge, rows: Rows, heightOf: (node: DrawnNode) => number): number =>
  endsOnBar(edge) ? rows.top[edge.to.number]! + heightOf(edge.to) / 2 : rows.join[edge.to.number]!;

export const exitHeight = (edge: DrawnEdge, rows: Rows, heightOf: (node: DrawnNode) => number): number => {
  const top = rows.top[edge.from.number]!;
  const height = heightOf(edge.from);
  if (edge.port === "right") return top + height / 2;
  return edge.port === "fan" ? top + height + ROW_GAP - JOIN_RISE : top + height;
};

/** Height at which a riser enters: at the loop arrow itself, above any other icon. */
export const entryHeight = (head: DrawnNode, rows: Rows): number =>
  isPoint(head) ? rows.top[head.number]! : rows.join[head.number]!;
