import { dominators, type Graph, reversePostOrder } from "./graph.ts";

/**
 * Topological order, dominators and loops of a control flow, as structuring and comparison need them. Computed in nearly linear time and
 * without recursion.
 */
export interface FlowOrder {
  /** Reached nodes in topological order, back edges ignored. */
  readonly order: readonly number[];
  /** Position in `order`, or -1. */
  readonly position: Int32Array;
  /** Immediate dominator; the entry is its own. */
  readonly dominator: Int32Array;
  /** True if every path to `lower` passes `upper`. */
  readonly dominates: (upper: number, lower: number) => boolean;
  /** Number of forward edges into a node. */
  readonly entries: Int32Array;
  /** Head of the innermost loop around a node, or -1. A head lies in its own loop. */
  readonly loop: Int32Array;
  /** For a loop head: the head of the loop around it, or -1. */
  readonly outerLoop: Int32Array;
  readonly inLoop: (head: number, number: number) => boolean;
  /** Back edges to a dominator of their origin. */
  readonly backs: readonly (readonly [from: number, to: number])[];
  /** Back edges to a node that does not dominate their origin: a jump into a loop. */
  readonly intrusions: readonly (readonly [from: number, to: number])[];
}

export function flowOrder(graph: Graph): FlowOrder {
  const order = reversePostOrder(graph);
  const size = graph.length;
  const position = new Int32Array(size).fill(-1);
  for (const [at, number] of order.entries()) position[number] = at;
  const dominator = dominators(graph, order.length);
  const dominates = intervals(order, (number) => (number === order[0] ? -1 : dominator[number]!), size);
  const entries = new Int32Array(size);
  const backs: [number, number][] = [];
  const intrusions: [number, number][] = [];
  for (const from of order) {
    for (const to of graph[from]!) {
      if (position[to]! > position[from]!) entries[to]!++;
      else if (dominates(to, from)) backs.push([from, to]);
      else intrusions.push([from, to]);
    }
  }
  const { loop, outerLoop } = loops(graph, order, position, backs);
  const heads = order.filter((number) => loop[number] === number);
  const around = intervals(heads, (head) => outerLoop[head]!, size);
  const inLoop = (head: number, number: number): boolean => loop[number]! >= 0 && around(head, loop[number]!);
  return { order, position, dominator, dominates, entries, loop, outerLoop, inLoop, backs, intrusions };
}

/** Returns an ancestor test in constant time, for any tree whose parents precede their children in `order`. */
function intervals(
  order: readonly number[],
  parentOf: (number: number) => number,
  size: number,
): (upper: number, lower: number) => boolean {
  const children: number[][] = Array.from({ length: size }, () => []);
  const roots: number[] = [];
  for (const number of order) {
    const parent = parentOf(number);
    if (parent < 0) roots.push(number);
    else children[parent]!.push(number);
  }
  const first = new Int32Array(size).fill(-1);
  const last = new Int32Array(size).fill(-2);
  let clock = 0;
  for (const root of roots) {
    const stack = [{ number: root, at: 0 }];
    first[root] = clock++;
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const child = children[top.number]![top.at++];
      if (child === undefined) {
        last[top.number] = clock - 1;
        stack.pop();
      } else {
        first[child] = clock++;
        stack.push({ number: child, at: 0 });
      }
    }
  }
  return (upper, lower) => first[upper]! <= first[lower]! && first[lower]! <= last[upper]!;
}

function loops(
  graph: Graph,
  order: readonly number[],
  position: Int32Array,
  backs: readonly (readonly [number, number])[],
): { loop: Int32Array; outerLoop: Int32Array } {
  const size = graph.length;
  const before: number[][] = Array.from({ length: size }, () => []);
  for (const from of order) for (const to of graph[from]!) if (position[to]! > position[from]!) before[to]!.push(from);
  const tails = new Map<number, number[]>();
  for (const [from, to] of backs) {
    const known = tails.get(to);
    if (known) known.push(from);
    else tails.set(to, [from]);
  }
  const loop = new Int32Array(size).fill(-1);
  const outerLoop = new Int32Array(size).fill(-1);
  // Inner loops first. A finished loop is merged into its head (union-find) and skipped as one node.
  const piece = Int32Array.from({ length: size }, (_, i) => i);
  const pieceOf = (start: number): number => {
    let root = start;
    while (piece[root] !== root) root = piece[root]!;
    for (let at = start; piece[at] !== root; ) [piece[at], at] = [root, piece[at]!];
    return root;
  };
  for (const head of order.toReversed()) {
    const from = tails.get(head);
    if (!from) continue;
    const work = from.map(pieceOf);
    loop[head] = head;
    for (let number = work.pop(); number !== undefined; number = work.pop()) {
      if (number === head || pieceOf(number) === head) continue;
      if (loop[number] === number) outerLoop[number] = head;
      else if (loop[number]! < 0) loop[number] = head;
      piece[number] = head;
      for (const earlier of before[number]!) work.push(pieceOf(earlier));
    }
  }
  return { loop, outerLoop };
}
