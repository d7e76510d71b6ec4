import type { DrawnLine, Picture, PlacedIcon, Point } from "../picture.ts";

/**
 * Finds the same flaws as `flawsOf` by comparing every pair. Shares no code with it, and is far too slow for large pictures.
 */
export function plainFlaws({ icons, lines }: Picture): string[] {
  const flaws: string[] = [];
  const solid = icons.filter(({ box }) => box.width > 0 && box.height > 0);
  const points = new Set(icons.filter(({ box }) => box.width === 0).map(({ key }) => key));
  for (const [at, a] of solid.entries()) {
    for (const b of solid.slice(at + 1)) if (overlap(a, b)) flaws.push(`icons ${nameOf(a)} and ${nameOf(b)} overlap`);
    for (const line of lines)
      if (partsOf(line).some((part) => runsThrough(part, a))) flaws.push(`a line meets ${nameOf(a)}`);
  }
  for (const [at, a] of lines.entries()) {
    for (const b of lines.slice(at + 1))
      if (!mayMeet(a, b, points)) flaws.push(`lines ${lineName(a)} and ${lineName(b)} meet`);
  }
  return flaws;
}

type Part = readonly [Point, Point];

const nameOf = ({ icon, refersTo, key }: PlacedIcon): string => icon ?? refersTo ?? `#${key}`;
const lineName = ({ fromIcon, toIcon, from, to }: DrawnLine): string =>
  `${fromIcon ?? `#${from}`}→${toIcon ?? `#${to}`}`;
const partsOf = ({ points }: DrawnLine): Part[] => points.slice(1).map((point, i) => [points[i]!, point]);

const overlap = (a: PlacedIcon, b: PlacedIcon): boolean =>
  a.x < b.x + b.box.width && b.x < a.x + a.box.width && a.y < b.y + b.box.height && b.y < a.y + a.box.height;

const runsThrough = ([a, b]: Part, { x, y, box }: PlacedIcon): boolean =>
  Math.max(a.x, b.x) > x &&
  Math.min(a.x, b.x) < x + box.width &&
  Math.max(a.y, b.y) > y &&
  Math.min(a.y, b.y) < y + box.height;

/** Lines with a common source or target may overlap; a line may begin, or join, where another one continues. */
function mayMeet(a: DrawnLine, b: DrawnLine, keys: ReadonlySet<number>): boolean {
  for (const one of partsOf(a)) {
    for (const other of partsOf(b)) {
      const place = meeting(one, other);
      if (!place) continue;
      if (place.crosses) return false;
      if (a.from === b.from || a.to === b.to) continue;
      const between = [a.to === b.from ? a.to : undefined, b.to === a.from ? b.to : undefined];
      if (between.some((key) => key !== undefined && keys.has(key))) continue;
      return false;
    }
  }
  return true;
}

function meeting([a, b]: Part, [c, d]: Part): { crosses: boolean } | undefined {
  const box = (p: Point, q: Point) => ({
    x1: Math.min(p.x, q.x),
    x2: Math.max(p.x, q.x),
    y1: Math.min(p.y, q.y),
    y2: Math.max(p.y, q.y),
  });
  const [m, n] = [box(a, b), box(c, d)];
  if (m.x1 > n.x2 || n.x1 > m.x2 || m.y1 > n.y2 || n.y1 > m.y2) return undefined;
  const crosses = (u: typeof m, v: typeof m): boolean => u.x1 > v.x1 && u.x1 < v.x2 && v.y1 > u.y1 && v.y1 < u.y2;
  return {
    crosses: (m.x1 === m.x2 && n.y1 === n.y2 && crosses(m, n)) || (n.x1 === n.x2 && m.y1 === m.y2 && crosses(n, m)),
  };
}
