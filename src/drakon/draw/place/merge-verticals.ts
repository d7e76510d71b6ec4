import type { DrawnNode, Path, Skeleton, Upright } from "../skeleton/skeleton.ts";
import { exitHeight, joinHeight, type Rows } from "./rows.ts";

/**
 * An empty line that leaves a question to the right needs no vertical of its own if the next vertical to the right leads to
 * the same icon: it joins that one. The exits of a chain of questions become one line instead of a comb.
 *
 * @param extentOf vertical extent of an upright, to find the first one that the line meets
 */
export function mergesOf(
  { uprights }: Skeleton,
  rows: Rows,
  heightOf: (node: DrawnNode) => number,
  extentOf: (upright: Upright) => { readonly top: number; readonly bottom: number },
): ReadonlyMap<Upright, Upright> {
  const into = new Map<Upright, Upright>();
  // Monotonic stack: uprights to the right that no nearer one hides; bottoms grow from the end to the front.
  const stack: { upright: Upright; top: number; bottom: number }[] = [];
  for (const upright of uprights.toReversed()) {
    const { top, bottom } = extentOf(upright);
    const out = bareLine(upright) ? exitHeight(upright.start!, rows, heightOf) : undefined;
    const met = out === undefined ? undefined : firstReaching(stack, out);
    if (met && met.upright.is === "path" && joinsLike(upright as Path, met.upright, out!)) {
      into.set(upright, met.upright);
      continue;
    }
    while (stack.length > 0 && stack.at(-1)!.bottom <= bottom) stack.pop();
    stack.push({ upright, top, bottom });
  }
  return into;

  /** True if the line meets the other path below its last icon, and both join the same target. */
  function joinsLike(path: Path, other: Path, out: number): boolean {
    if (other.end?.kind !== "join" || other.end.to !== path.end!.to || out >= joinHeight(other.end, rows, heightOf))
      return false;
    const last = other.nodes.at(-1);
    return last ? out > rows.top[last.number]! + heightOf(last) : out > exitHeight(other.start!, rows, heightOf);
  }
}

const bareLine = (upright: Upright): upright is Path =>
  upright.is === "path" &&
  upright.nodes.length === 0 &&
  upright.start?.port === "right" &&
  upright.end?.kind === "join";

function firstReaching(
  stack: readonly { upright: Upright; top: number; bottom: number }[],
  height: number,
): { upright: Upright; top: number; bottom: number } | undefined {
  let low = 0;
  let high = stack.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stack[middle]!.bottom >= height) low = middle + 1;
    else high = middle;
  }
  const met = stack[low - 1];
  return met && met.top < height ? met : undefined;
}
