import type { DrawnNode, Skeleton } from "../skeleton/skeleton.ts";

/**
 * A line that joins from the right encloses the area between it and its target. Nodes without a successor in that area must
 * stay above the line; no edge enforces this, so it needs a constraint of its own.
 */
export function deadEndsInside({ nodes, edges }: Skeleton): { from: DrawnNode; to: DrawnNode }[] {
  const leadsOn = new Uint8Array(nodes.length);
  for (const { from, kind } of edges) if (kind !== "back") leadsOn[from.number] = 1;
  const ends = nodes
    .filter(({ number, shape }) => !leadsOn[number] && shape !== "address")
    .toSorted((a, b) => a.from - b.from);
  const joins = edges
    .filter(({ kind }) => kind === "join")
    .map(({ clock, to }) => ({ since: to.until, until: clock, to }))
    .filter(({ since, until }) => since < until)
    .toSorted((a, b) => a.until - a.since - (b.until - b.since));
  // The smallest region wins; larger regions skip nodes that are taken.
  const skip = Int32Array.from({ length: ends.length + 1 }, (_, at) => at);
  const free = (start: number): number => {
    let at = start;
    while (skip[at] !== at) at = skip[at]!;
    for (let i = start; i !== at; ) [skip[i], i] = [at, skip[i]!];
    return at;
  };
  const links: { from: DrawnNode; to: DrawnNode }[] = [];
  for (const { since, until, to } of joins) {
    for (let at = free(firstAfter(ends, since)); at < ends.length && ends[at]!.from < until; at = free(at)) {
      links.push({ from: ends[at]!, to });
      skip[at] = at + 1;
    }
  }
  return links;
}

function firstAfter(ends: readonly DrawnNode[], clock: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]!.from > clock) high = middle;
    else low = middle + 1;
  }
  return low;
}
