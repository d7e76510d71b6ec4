import type { Point } from "../../../../src/drakon/draw/picture.ts";

type Polyline = readonly Point[];

/** The common end of several lines: after a join they are one line. */
export function sharedEnd(ways: readonly Polyline[]): Polyline {
  const [first, ...rest] = ways;
  return rest.reduce<Polyline>((shared, way) => sharedBetween(shared, way), first ?? []);
}

function sharedBetween(a: Polyline, b: Polyline): Polyline {
  const shared: Point[] = [];
  for (let back = 1; back <= Math.min(a.length, b.length); back++) {
    const [p, q] = [a.at(-back)!, b.at(-back)!];
    if (isSame(p, q)) {
      shared.unshift(p);
      continue;
    }
    const last = shared[0];
    if (last && isOneWay(last, p, q)) shared.unshift(distance(last, p) < distance(last, q) ? p : q);
    break;
  }
  return shared;
}

/** The part of a line before its shared end. A line that is nothing but the shared end is returned whole. */
export function withoutEnd(way: Polyline, end: Polyline): Polyline {
  const join = end[0];
  if (!join) return way;
  for (let at = way.length - 1; at > 0; at--) {
    const [from, to] = [way[at - 1]!, way[at]!];
    if (!liesOn(join, from, to)) continue;
    const own = isSame(from, join) ? way.slice(0, at) : [...way.slice(0, at), join];
    return own.length < 2 ? way : own;
  }
  return way;
}

const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;
const distance = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
const isOneWay = (from: Point, a: Point, b: Point): boolean =>
  (a.x === from.x && b.x === from.x && Math.sign(a.y - from.y) === Math.sign(b.y - from.y)) ||
  (a.y === from.y && b.y === from.y && Math.sign(a.x - from.x) === Math.sign(b.x - from.x));
const liesOn = (point: Point, from: Point, to: Point): boolean =>
  distance(from, point) + distance(point, to) === distance(from, to);

/** The point halfway along a line. */
export function middleOf(way: Polyline): Point {
  let left = lengthOf(way) / 2;
  for (let at = 1; at < way.length; at++) {
    const [from, to] = [way[at - 1]!, way[at]!];
    const step = distance(from, to);
    if (step >= left && step > 0)
      return { x: from.x + ((to.x - from.x) * left) / step, y: from.y + ((to.y - from.y) * left) / step };
    left -= step;
  }
  return way.at(-1) ?? { x: 0, y: 0 };
}

export const lengthOf = (way: Polyline): number =>
  way.reduce((sum, point, at) => (at === 0 ? 0 : sum + distance(way[at - 1]!, point)), 0);

export const pathOf = (way: Polyline): string => way.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");

/** The clickable area around a line, wide enough for a finger. */
export const reachOf = (way: Polyline): string =>
  way
    .slice(1)
    .map((to, at) => {
      const from = way[at]!;
      const flat = from.y === to.y;
      const [left, top] = [Math.min(from.x, to.x) - (flat ? 0 : REACH), Math.min(from.y, to.y) - (flat ? REACH : 0)];
      const [width, height] = [
        Math.abs(from.x - to.x) + (flat ? 0 : 2 * REACH),
        Math.abs(from.y - to.y) + (flat ? 2 * REACH : 0),
      ];
      return `M${left} ${top}h${width}v${height}h${-width}Z`;
    })
    .join("");

/** Half the width of the clickable area. */
export const REACH = 12;
