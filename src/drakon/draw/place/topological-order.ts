import { assert } from "../../../base/assert.ts";
import type { DrawnNode } from "../skeleton/skeleton.ts";

/** A constraint: `from` stands above `to`. */
export interface RowLink {
  readonly from: DrawnNode;
  readonly to: DrawnNode;
}

/**
 * Topological order of the nodes. Constraints of the first class always hold; if later classes form a cycle (crossing lines,
 * a loop without an exit), some of the last class are dropped, then some of the class before it.
 */
export function topologicalOrder(
  nodes: readonly DrawnNode[],
  classes: readonly (readonly RowLink[])[],
): { readonly order: readonly DrawnNode[]; readonly links: readonly RowLink[] } {
  const waiting = classes.map(() => new Int32Array(nodes.length));
  const next: { to: number; rank: number }[][] = nodes.map(() => []);
  for (const [rank, links] of classes.entries()) {
    for (const { from, to } of links) {
      waiting[rank]![to.number]!++;
      next[from.number]!.push({ to: to.number, rank });
    }
  }
  const order: DrawnNode[] = [];
  const position = new Int32Array(nodes.length).fill(-1);
  const isFree = (number: number, ranks: number): boolean => {
    for (let rank = 0; rank < ranks; rank++) if (waiting[rank]![number]! > 0) return false;
    return true;
  };
  const take = (number: number): void => {
    if (position[number]! >= 0) return;
    position[number] = order.length;
    order.push(nodes[number]!);
  };
  for (const { number } of nodes) if (isFree(number, classes.length)) take(number);
  for (let at = 0, ranks = classes.length; ; ) {
    for (; at < order.length; at++) {
      for (const { to, rank } of next[order[at]!.number]!) {
        waiting[rank]![to]!--;
        if (isFree(to, ranks)) take(to);
      }
    }
    if (order.length === nodes.length) break;
    const stuck = nodes.find(({ number }) => position[number]! < 0 && isFree(number, ranks - 1));
    if (stuck) take(stuck.number);
    else ranks--;
    assert(ranks > 0, "lines that do not lead back make no circle");
  }
  const holds = ({ from, to }: RowLink): boolean => position[from.number]! < position[to.number]!;
  return { order, links: classes.flatMap((links, rank) => (rank === 0 ? links : links.filter(holds))) };
}
