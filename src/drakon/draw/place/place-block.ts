import type { IconOutline } from "../measure/icon-box.ts";
import {
  type DrawnNode,
  endsOnBar,
  isBar,
  type Path,
  type Riser,
  type Skeleton,
  type Upright,
} from "../skeleton/skeleton.ts";
import { mergesOf } from "./merge-verticals.ts";
import { BAR_OVERHANG, type NodeSize, type SizeOf, withWidth } from "./node-sizes.ts";
import { entryHeight, exitHeight, joinHeight, type Rows, rowsOf } from "./rows.ts";
import { Skyline } from "./skyline.ts";

/** Minimum distance between shapes on neighbouring verticals. */
export const COLUMN_GAP = 28;

/** A skeleton with positions. The first vertical is at x = 0. */
export interface PlacedBlock {
  readonly skeleton: Skeleton;
  readonly rows: Rows;
  readonly sizeOf: SizeOf;
  readonly xOf: ReadonlyMap<Upright, number>;
  /** Extent to both sides. */
  readonly left: number;
  readonly right: number;
}

export interface BlockOptions {
  readonly sizeOf: SizeOf;
  readonly aligned: boolean;
  readonly addressTop: number;
}

export function placeBlock(skeleton: Skeleton, { sizeOf: ownSize, aligned, addressTop }: BlockOptions): PlacedBlock {
  const sizeOf = equallyWide(skeleton, ownSize);
  const heightOf = (node: DrawnNode): number => sizeOf(node).height;
  const rows = rowsOf(skeleton, { heightOf, aligned, addressTop });
  return { skeleton, rows, sizeOf, ...columnsOf(skeleton, rows, sizeOf) };
}

/** Icons of one vertical get the width of the widest, except for marks and ends. */
function equallyWide({ uprights }: Skeleton, ownSize: SizeOf): SizeOf {
  const sizes = new Map<DrawnNode, NodeSize>();
  for (const upright of uprights) {
    if (upright.is === "riser") continue;
    const level = upright.nodes.filter((node) => !OWN_WIDTH.has(ownSize(node).box.outline));
    let width = 0;
    for (const node of level) width = Math.max(width, ownSize(node).box.width);
    for (const node of level) sizes.set(node, withWidth(ownSize(node), width));
  }
  return (node) => sizes.get(node) ?? ownSize(node);
}

const OWN_WIDTH: ReadonlySet<IconOutline> = new Set<IconOutline>([
  "bar",
  "point",
  "missing",
  "elsewhere",
  "end",
  "picture",
]);

/** A part of an upright with constant width. */
interface Piece {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

function extentOf(pieces: readonly Piece[]): { top: number; bottom: number } {
  let [top, bottom] = [Infinity, -Infinity];
  for (const piece of pieces) {
    top = Math.min(top, piece.top);
    bottom = Math.max(bottom, piece.bottom);
  }
  return { top, bottom };
}

/** Places each vertical as far left as possible without touching an earlier one. */
function columnsOf(
  skeleton: Skeleton,
  rows: Rows,
  sizeOf: SizeOf,
): { xOf: ReadonlyMap<Upright, number>; left: number; right: number } {
  const { uprights } = skeleton;
  const boxHeight = (node: DrawnNode): number => sizeOf(node).box.height;
  const pieces = uprights.map((upright) => (upright.is === "riser" ? riserPieces(upright) : pathPieces(upright)));
  const extents = new Map(uprights.map((upright, at) => [upright, extentOf(pieces[at]!)]));
  const skyline = new Skyline(
    pieces.flatMap((some) => some.flatMap(({ top, bottom }) => [top, bottom])),
    -Infinity,
  );
  const merges = mergesOf(skeleton, rows, boxHeight, (upright) => extents.get(upright)!);
  const xOf = new Map<Upright, number>();
  let [leftmost, rightmost] = [0, 0];
  for (const [at, upright] of uprights.entries()) {
    if (merges.has(upright)) continue;
    let x = 0;
    for (const { top, bottom, left } of pieces[at]!) x = Math.max(x, skyline.reach(top, bottom) + COLUMN_GAP + left);
    x = Math.ceil(x);
    xOf.set(upright, x);
    for (const { top, bottom, left, right } of pieces[at]!) {
      skyline.raise(top, bottom, x + right);
      leftmost = Math.min(leftmost, x - left);
      rightmost = Math.max(rightmost, x + right);
    }
  }
  for (const upright of uprights.toReversed()) {
    const other = merges.get(upright);
    if (other) xOf.set(upright, xOf.get(other)!);
  }
  return { xOf, left: -leftmost, right: rightmost };

  function riserPieces({ head, edges }: Riser): Piece[] {
    let bottom = -Infinity;
    for (const edge of edges) bottom = Math.max(bottom, exitHeight(edge, rows, boxHeight));
    return [{ top: entryHeight(head, rows), bottom, left: 0, right: 0 }];
  }

  function pathPieces({ start, nodes, end }: Path): Piece[] {
    const places: Piece[] = nodes.map((node) => {
      const { height, left, right } = sizeOf(node);
      const top = rows.top[node.number]!;
      return { top, bottom: top + height, left: Math.max(left, over(node)), right: Math.max(right, over(node)) };
    });
    const from = start ? exitHeight(start, rows, boxHeight) : places[0]!.top;
    const to = end ? joinHeight(end, rows, boxHeight) : places.at(-1)!.bottom;
    places.push({ top: Math.min(from, to), bottom: Math.max(from, to), left: 0, right: 0 });
    if (end && endsOnBar(end)) places.push({ top: to - 4, bottom: to + 4, left: 0, right: BAR_OVERHANG });
    return places;
  }

  function over(node: DrawnNode): number {
    return isBar(node) ? BAR_OVERHANG : 0;
  }
}
