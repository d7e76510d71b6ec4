import type { ForceLayout } from "./force-layout.ts";

/** The visible part of the plane: the point in the middle of the canvas, and the scale. */
export interface GraphCamera {
  x: number;
  y: number;
  scale: number;
}

export interface DrawnGraph {
  readonly layout: ForceLayout;
  readonly titles: readonly string[];
  readonly links: readonly (readonly [number, number])[];
  readonly degrees: readonly number[];
  /** All points, those with the most links first: names are set in this order. */
  readonly byDegree: readonly number[];
}

/** The more points there are, the smaller they are drawn from afar, so that a large graph is no blot. */
function radiusOf({ degrees }: DrawnGraph, point: number, scale: number): number {
  const size = scale * 0.9 * Math.min(1, Math.sqrt(600 / degrees.length));
  return (2.6 + Math.min(9, Math.sqrt(degrees[point]!) * 1.5)) * Math.max(0.16, Math.min(1.4, size));
}

/** Draws the graph. The colours are those of the canvas element, so that a change of theme changes them. */
export function drawGraph(
  canvas: HTMLCanvasElement,
  graph: DrawnGraph,
  camera: GraphCamera,
  chosen: number | undefined,
): void {
  const {
    color: ink,
    borderTopColor: line,
    caretColor: accent,
    textDecorationColor: page,
    fontFamily,
  } = getComputedStyle(canvas);
  const view = viewOf(canvas, graph, camera);
  const isAt = (from: number, to: number): boolean => from === chosen || to === chosen;
  drawLinks(view, graph, line, linkWidth(graph, camera), (from, to) => !isAt(from, to));
  const lit = new Set<number>();
  if (chosen !== undefined) {
    drawLinks(view, graph, accent, 1.6, isAt);
    lit.add(chosen);
    for (const [from, to] of graph.links) if (isAt(from, to)) lit.add(from === chosen ? to : from);
  }
  drawPoints(view, graph, ink, (point) => !lit.has(point));
  if (lit.size > 0) drawPoints(view, graph, accent, (point) => lit.has(point));
  view.context.font = `12px ${fontFamily}`;
  drawNames(view, graph, lit, (point) => ({ fill: point === chosen ? accent : ink, edge: page }));
}

interface GraphCanvasView {
  readonly context: CanvasRenderingContext2D;
  readonly scale: number;
  readonly x: (point: number) => number;
  readonly y: (point: number) => number;
  readonly isIn: (point: number) => boolean;
}

function viewOf(canvas: HTMLCanvasElement, { layout: { places } }: DrawnGraph, camera: GraphCamera): GraphCanvasView {
  const context = canvas.getContext("2d")!;
  const [width, height, dots] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
  if (canvas.width !== width * dots || canvas.height !== height * dots)
    [canvas.width, canvas.height] = [width * dots, height * dots];
  context.setTransform(dots, 0, 0, dots, 0, 0);
  context.clearRect(0, 0, width, height);
  const { scale } = camera;
  const [left, top] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
  const x = (point: number): number => places[point * 2]! * scale + left;
  const y = (point: number): number => places[point * 2 + 1]! * scale + top;
  const isIn = (point: number): boolean =>
    x(point) > -40 && x(point) < width + 40 && y(point) > -40 && y(point) < height + 40;
  return { context, scale, x, y, isIn };
}

/** Thousands of links seen from afar are drawn thin, so that the points stay visible. */
const linkWidth = ({ links }: DrawnGraph, { scale }: GraphCamera): number =>
  links.length > 2_000 ? Math.max(0.15, Math.min(1, scale)) : 1;

function drawLinks(
  { context, x, y, isIn }: GraphCanvasView,
  { links }: DrawnGraph,
  color: string,
  wide: number,
  wanted: (from: number, to: number) => boolean,
): void {
  context.beginPath();
  for (const [from, to] of links) {
    if (!wanted(from, to) || (!isIn(from) && !isIn(to))) continue;
    context.moveTo(x(from), y(from));
    context.lineTo(x(to), y(to));
  }
  [context.strokeStyle, context.lineWidth] = [color, wide];
  context.stroke();
}

function drawPoints(
  { context, scale, x, y, isIn }: GraphCanvasView,
  graph: DrawnGraph,
  color: string,
  wanted: (point: number) => boolean,
): void {
  context.fillStyle = color;
  context.beginPath();
  for (let point = 0; point < graph.degrees.length; point++) {
    if (!wanted(point) || !isIn(point)) continue;
    const radius = radiusOf(graph, point, scale);
    context.moveTo(x(point) + radius, y(point));
    context.arc(x(point), y(point), radius, 0, 7);
  }
  context.fill();
}

const NAME = { width: 110, height: 18, most: 120 };

/** Names by number of links, each only where no other name stands. */
function drawNames(
  { context, scale, x, y, isIn }: GraphCanvasView,
  graph: DrawnGraph,
  lit: ReadonlySet<number>,
  coloursOf: (point: number) => { readonly fill: string; readonly edge: string },
): void {
  const { titles, degrees, byDegree } = graph;
  const taken = new Set<string>();
  let named = 0;
  const name = (point: number): void => {
    if (named >= NAME.most || !isIn(point)) return;
    const [left, top] = [x(point), y(point) + radiusOf(graph, point, scale) + 13];
    const [column, row] = [Math.floor(left / NAME.width), Math.floor(top / NAME.height)];
    const around = [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => `${column + across}:${row + down}`));
    if (around.some((place) => taken.has(place))) return;
    taken.add(`${column}:${row}`);
    named++;
    const { fill, edge } = coloursOf(point);
    [context.strokeStyle, context.fillStyle] = [edge, fill];
    context.strokeText(cut(titles[point]!), left, top);
    context.fillText(cut(titles[point]!), left, top);
  };
  [context.textAlign, context.lineWidth, context.lineJoin] = ["center", 4, "round"];
  for (const point of lit) name(point);
  for (const point of byDegree) {
    // From afar only the notes with many links have their names.
    if (degrees[point]! * scale * scale < (titles.length > 60 ? 1 : 0.2) || named >= NAME.most) break;
    if (!lit.has(point)) name(point);
  }
}

const cut = (title: string): string => (title.length > 32 ? `${title.slice(0, 31)}…` : title);

/** The point at a place of the canvas; undefined if there is none nearby. */
export function pointAt(
  canvas: HTMLCanvasElement,
  graph: DrawnGraph,
  camera: GraphCamera,
  at: { readonly x: number; readonly y: number },
): number | undefined {
  const { places } = graph.layout;
  const x = (at.x - canvas.clientWidth / 2) / camera.scale + camera.x;
  const y = (at.y - canvas.clientHeight / 2) / camera.scale + camera.y;
  let found: number | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  for (let point = 0; point < graph.degrees.length; point++) {
    const distance = Math.hypot(places[point * 2]! - x, places[point * 2 + 1]! - y);
    if (distance < nearest && distance * camera.scale < radiusOf(graph, point, camera.scale) + 8)
      [found, nearest] = [point, distance];
  }
  return found;
}

/** A camera that shows everything. */
export function fittingCamera(canvas: HTMLCanvasElement, { places }: ForceLayout): GraphCamera {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < places.length; at += 2) {
    [left, right] = [Math.min(left, places[at]!), Math.max(right, places[at]!)];
    [top, bottom] = [Math.min(top, places[at + 1]!), Math.max(bottom, places[at + 1]!)];
  }
  if (left > right) return { x: 0, y: 0, scale: 1 };
  const room = (length: number, size: number): number => (size - 140) / Math.max(length, 40);
  const scale = Math.min(room(right - left, canvas.clientWidth), room(bottom - top, canvas.clientHeight), 4);
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(scale, 0.02) };
}
