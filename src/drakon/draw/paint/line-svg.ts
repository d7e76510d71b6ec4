import { HOP } from "../crossings/bridges.ts";
import type { DrawingWords } from "../drawing-words.ts";
import type { DrawnLine, Point } from "../picture.ts";
import { BAR_OVERHANG } from "../place/node-sizes.ts";
import type { DrawnStretches } from "./drawn-stretches.ts";
import { digits, element, escaped } from "./xml.ts";

const ARROW = 9;
const BAR_HALF = 3;

/**
 * One line: path, arrow head and label. Stretches that an earlier line has drawn are left out, unless this one is highlighted.
 */
export function lineSvg(line: DrawnLine, words: DrawingWords, stretches: DrawnStretches, highlighted: boolean): string {
  const classes = ["l", ...(line.weight === "main" ? ["m"] : []), ...(highlighted ? ["p"] : [])];
  const about = { "data-from": line.fromIcon, "data-to": line.toIcon, "data-exit": line.exit };
  const runs = highlighted ? [line.points] : stretches.take(line.points);
  const tip = line.arrow ? tipOf(line.points) : undefined;
  const arrives = tip && runs.some((run) => run.some(({ x, y }) => x === tip.at.x && y === tip.at.y));
  const drawn =
    line.weight === "bar"
      ? barSvg(line, about)
      : element("path", {
          class: classes.join(" "),
          d: runs.map((run) => pathOf(run, line.bridges)).join(""),
          ...about,
        });
  return drawn + (arrives ? arrowSvg(tip) : "") + labelSvg(line, words);
}

function pathOf(points: readonly Point[], bridges: readonly Point[]): string {
  const [first, ...rest] = points;
  let d = `M${digits(first!.x)} ${digits(first!.y)}`;
  let last = first!;
  for (const point of rest) {
    if (point.x === last.x) d += `V${digits(point.y)}`;
    else {
      for (const hop of hopsBetween(last, point, bridges)) d += hop;
      d += `H${digits(point.x)}`;
    }
    last = point;
  }
  return d;
}

/** Half circles over the crossed lines, in drawing direction. */
function hopsBetween(from: Point, to: Point, bridges: readonly Point[]): string[] {
  const rightwards = to.x > from.x;
  const [low, high] = rightwards ? [from.x, to.x] : [to.x, from.x];
  const hops = bridges.filter(({ x, y }) => y === from.y && x > low && x < high);
  const ordered = hops.toSorted((a, b) => (rightwards ? a.x - b.x : b.x - a.x));
  const side = rightwards ? 1 : -1;
  return ordered.map(
    ({ x }) => `H${digits(x - side * HOP)}a${HOP} ${HOP} 0 0 ${rightwards ? 1 : 0} ${side * 2 * HOP} 0`,
  );
}

/** Draws the horizontal part as the bar of a parallel block, with an overhang; the line ends on it from above. */
function barSvg({ points }: DrawnLine, about: Record<string, string | undefined>): string {
  const at = points.findIndex((point, i) => i > 0 && point.y === points[i - 1]!.y && i === points.length - 1);
  const [a, b] = [points[at - 1]!, points[at]!];
  const over = points.length > 2 ? BAR_OVERHANG : 0;
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x) + over];
  const bar = [a.y - BAR_HALF, a.y + BAR_HALF].map((y) => `M${digits(left)} ${digits(y)}H${digits(right)}`).join("");
  const down = points.slice(0, at);
  const ended = down.length > 1 ? [...down.slice(0, -1), { x: a.x, y: a.y - BAR_HALF }] : [];
  const drawn = element("path", { class: "b", d: bar, ...about });
  if (ended.length === 0) return drawn;
  const path = ended.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${digits(x)} ${digits(y)}`).join("");
  return drawn + element("path", { class: "l", d: path });
}

/** The end of the last horizontal segment, where the arrow head goes. */
function tipOf(points: readonly Point[]): { readonly at: Point; readonly leftwards: boolean } | undefined {
  for (let i = points.length - 1; i > 0; i--) {
    const [a, b] = [points[i - 1]!, points[i]!];
    if (a.y === b.y) return { at: b, leftwards: b.x < a.x };
  }
  return undefined;
}

function arrowSvg({ at, leftwards }: { at: Point; leftwards: boolean }): string {
  const back = leftwards ? 1 : -1;
  return element("path", { class: "a", d: `M${digits(at.x + back * 1.5)} ${digits(at.y)}l${back * ARROW} -4.5v9Z` });
}

/** Label left of a downward exit, or above an exit to the right. */
function labelSvg({ label, points }: DrawnLine, words: DrawingWords): string {
  if (label === undefined) return "";
  const [a, b] = [points[0]!, points[1]!];
  const text = escaped(words[label]);
  const size = { "font-size": 12, class: "w" };
  return a.x === b.x
    ? element("text", { ...size, x: a.x - 6, y: a.y + 13, "text-anchor": "end" }, text)
    : element("text", { ...size, x: a.x + 5, y: a.y - 5 }, text);
}
