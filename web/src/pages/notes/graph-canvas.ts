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
}

const radiusOf = (degree: number): number => 2.6 + Math.min(9, Math.sqrt(degree) * 1.5);

/** Draws the graph. The colours are those of the canvas element, so that a change of theme changes them. */
export function drawGraph(
  canvas: HTMLCanvasElement,
  { layout: { places }, titles, links, degrees }: DrawnGraph,
  camera: GraphCamera,
  chosen: number | undefined,
): void {
  const context = canvas.getContext("2d")!;
  const { color: ink, borderTopColor: line, caretColor: accent } = getComputedStyle(canvas);
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
  const near = new Set<number>();
  const stroke = (color: string, wide: number, wanted: (from: number, to: number) => boolean): void => {
    context.beginPath();
    for (const [from, to] of links) {
      if (!wanted(from, to) || (!isIn(from) && !isIn(to))) continue;
      context.moveTo(x(from), y(from));
      context.lineTo(x(to), y(to));
    }
    [context.strokeStyle, context.lineWidth] = [color, wide];
    context.stroke();
  };
  const isAt = (from: number, to: number): boolean => from === chosen || to === chosen;
  stroke(line, 1, (from, to) => !isAt(from, to));
  if (chosen !== undefined) {
    stroke(accent, 1.6, isAt);
    for (const [from, to] of links) if (isAt(from, to)) near.add(from === chosen ? to : from);
  }
  const fill = (color: string, wanted: (point: number) => boolean): void => {
    context.fillStyle = color;
    context.beginPath();
    for (let point = 0; point < titles.length; point++) {
      if (!wanted(point) || !isIn(point)) continue;
      const radius = radiusOf(degrees[point]!) * Math.max(0.6, Math.min(1.4, scale));
      context.moveTo(x(point) + radius, y(point));
      context.arc(x(point), y(point), radius, 0, 7);
    }
    context.fill();
  };
  const isLit = (point: number): boolean => point === chosen || near.has(point);
  fill(ink, (point) => !isLit(point));
  if (chosen !== undefined) fill(accent, isLit);
  context.font = `12px ${getComputedStyle(canvas).fontFamily}`;
  context.textAlign = "center";
  for (let point = 0; point < titles.length; point++) {
    // From afar only the notes with many links have their names.
    const isNamed = isLit(point) || degrees[point]! * scale * scale >= (titles.length > 60 ? 6 : 0.4);
    if (!isNamed || !isIn(point)) continue;
    context.fillStyle = point === chosen ? accent : ink;
    context.fillText(cut(titles[point]!), x(point), y(point) + radiusOf(degrees[point]!) + 15);
  }
}

const cut = (title: string): string => (title.length > 32 ? `${title.slice(0, 31)}…` : title);

/** The point at a place of the canvas; undefined if there is none nearby. */
export function pointAt(
  canvas: HTMLCanvasElement,
  { layout: { places }, degrees }: DrawnGraph,
  camera: GraphCamera,
  at: { readonly x: number; readonly y: number },
): number | undefined {
  const x = (at.x - canvas.clientWidth / 2) / camera.scale + camera.x;
  const y = (at.y - canvas.clientHeight / 2) / camera.scale + camera.y;
  let found: number | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  for (let point = 0; point < degrees.length; point++) {
    const distance = Math.hypot(places[point * 2]! - x, places[point * 2 + 1]! - y);
    if (distance < nearest && distance * camera.scale < radiusOf(degrees[point]!) + 8)
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
