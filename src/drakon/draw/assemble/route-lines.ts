import type { DrawnLine, IconMark, PlacedIcon, Point } from "../picture.ts";
import { BESIDE_GAP } from "../place/node-sizes.ts";
import type { PlacedBlock } from "../place/place-block.ts";
import { entryHeight, exitHeight, joinHeight } from "../place/rows.ts";
import { continuesBar, type DrawnEdge, type DrawnNode, endsOnBar, isPoint } from "../skeleton/skeleton.ts";

/** Position of a block in the picture, and its first key. */
export interface Offset {
  readonly x: number;
  readonly y: number;
  readonly key: number;
}

export function placedIcons(
  block: PlacedBlock,
  at: Offset,
  marksOf: (node: DrawnNode) => readonly IconMark[],
): PlacedIcon[] {
  const placed: PlacedIcon[] = [];
  const { skeleton, sizeOf } = block;
  for (const node of skeleton.nodes) {
    const { box, beside } = sizeOf(node);
    const x = at.x + middle(block, node) - box.width / 2;
    const y = at.y + block.rows.top[node.number]!;
    const marks = new Set(marksOf(node));
    if (node.icon?.final) marks.add("final");
    placed.push({ key: at.key + node.number, box, x, y, icon: node.icon?.id, refersTo: node.refersTo, marks });
    if (!beside) continue;
    placed.push({
      key: at.key + skeleton.nodes.length + node.number,
      box: beside.box,
      x: x - BESIDE_GAP - beside.box.width,
      y: y + (box.height - beside.box.height) / 2,
      icon: beside.icon.id,
      refersTo: undefined,
      marks: new Set(marksOf(node)),
    });
  }
  return placed;
}

export const keyCount = (block: PlacedBlock): number => 2 * block.skeleton.nodes.length;

const middle = ({ xOf }: PlacedBlock, node: DrawnNode): number => xOf.get(node.path)!;

export function drawnLines(block: PlacedBlock, at: Offset): DrawnLine[] {
  const { skeleton, xOf } = block;
  const risers = new Map(
    skeleton.uprights.flatMap((upright) =>
      upright.is === "riser" ? upright.edges.map((edge) => [edge, xOf.get(upright)!] as const) : [],
    ),
  );
  return skeleton.edges.map((edge) => ({
    from: at.key + edge.from.number,
    to: at.key + edge.to.number,
    fromIcon: edge.from.icon?.id,
    exit: edge.exit,
    toIcon: edge.to.icon?.id ?? edge.to.refersTo,
    points: straightened(pointsOf(block, edge, risers.get(edge))).map(({ x, y }) => ({ x: x + at.x, y: y + at.y })),
    arrow: edge.kind === "back",
    weight: weightOf(block, edge),
    label: edge.label,
    bridges: [],
  }));
}

const isNextProcess = ({ kind, port, to }: DrawnEdge): boolean =>
  kind === "tree" && port === "right" && continuesBar(to);

function weightOf({ skeleton }: PlacedBlock, edge: DrawnEdge): DrawnLine["weight"] {
  if (endsOnBar(edge) || isNextProcess(edge)) return "bar";
  return edge.path === skeleton.uprights[0] && edge.kind === "tree" ? "main" : "plain";
}

function pointsOf(block: PlacedBlock, edge: DrawnEdge, riserX: number | undefined): Point[] {
  const { rows, sizeOf, xOf } = block;
  const boxHeight = (node: DrawnNode): number => sizeOf(node).box.height;
  const { from, to, port, kind } = edge;
  const fromX = middle(block, from);
  const toX = middle(block, to);
  const out = exitHeight(edge, rows, boxHeight);
  const right = fromX + sizeOf(from).box.width / 2;
  const bottom = rows.top[from.number]! + boxHeight(from);
  const start: Point[] =
    port === "right"
      ? [{ x: right, y: out }]
      : [
          { x: fromX, y: bottom },
          { x: fromX, y: out },
        ];
  const toTop = rows.top[to.number]!;
  if (kind === "back") {
    const entry = entryHeight(to, rows);
    const back = [...start, { x: riserX!, y: out }, { x: riserX!, y: entry }, { x: toX, y: entry }];
    return isPoint(to) ? back : [...back, { x: toX, y: toTop }];
  }
  if (kind === "tree") {
    if (isNextProcess(edge)) return [...start, { x: toX - sizeOf(to).box.width / 2, y: out }];
    return [...start, { x: toX, y: out }, { x: toX, y: toTop }];
  }
  const joinY = joinHeight(edge, rows, boxHeight);
  const pathX = xOf.get(edge.path)!;
  const across = [...start, { x: pathX, y: out }, { x: pathX, y: joinY }];
  if (to.shape === "turn") return across;
  if (endsOnBar(edge)) return [...across, { x: toX + sizeOf(to).box.width / 2, y: joinY }];
  return [...across, { x: toX, y: joinY }, { x: toX, y: toTop }];
}

/** Removes points that are not corners. */
function straightened(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last && last.x === point.x && last.y === point.y) continue;
    const before = kept.at(-2);
    if (before && last && ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y)))
      kept.pop();
    kept.push(point);
  }
  return kept;
}
