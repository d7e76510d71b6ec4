/** Adjacency list: for each node the numbers of its successors. Node 0 is the entry. */
export type Graph = readonly (readonly number[])[];

/** Reached nodes in reverse post-order: a topological order if back edges are ignored. */
export function reversePostOrder(graph: Graph): number[] {
  const seen = new Uint8Array(graph.length);
  const post: number[] = [];
  // Exits are visited from last to first, so that the first exit comes first in the result.
  const stack: { number: number; left: number }[] = [{ number: 0, left: graph[0]!.length }];
  seen[0] = 1;
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = graph[top.number]![--top.left];
    if (next === undefined) {
      post.push(top.number);
      stack.pop();
    } else if (!seen[next]) {
      seen[next] = 1;
      stack.push({ number: next, left: graph[next]!.length });
    }
  }
  return post.toReversed();
}

/**
 * The immediate dominator of every reached node; node 0 is its own, unreached nodes have -1. The semi-NCA algorithm:
 * semi-dominators with path compression, then nearest common ancestors.
 */
export function dominators(graph: Graph, reached: number): Int32Array {
  const size = graph.length;
  const count = reached;
  // Depth-first numbers and their spanning tree: the rest works on these numbers.
  const dfs = new Int32Array(size).fill(-1);
  const vertex = new Int32Array(count);
  const parent = new Int32Array(count);
  let numbered = 0;
  const stack: { number: number; next: readonly number[]; at: number }[] = [];
  const enter = (number: number, from: number): void => {
    dfs[number] = numbered;
    vertex[numbered] = number;
    parent[numbered++] = from;
    stack.push({ number, next: graph[number]!, at: 0 });
  };
  enter(0, 0);
  const entering: number[][] = Array.from({ length: count }, () => []);
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = top.next[top.at++];
    if (next === undefined) stack.pop();
    else {
      if (dfs[next]! < 0) enter(next, dfs[top.number]!);
      entering[dfs[next]!]!.push(dfs[top.number]!);
    }
  }
  const semi = Int32Array.from({ length: count }, (_, i) => i);
  const best = Int32Array.from({ length: count }, (_, i) => i);
  const ancestor = new Int32Array(count).fill(-1);
  const evaluate = (start: number): number => {
    if (ancestor[start]! < 0) return best[start]!;
    const path: number[] = [];
    for (let at = start; ancestor[ancestor[at]!]! >= 0; at = ancestor[at]!) path.push(at);
    for (const at of path.toReversed()) {
      const above = ancestor[at]!;
      if (semi[best[above]!]! < semi[best[at]!]!) best[at] = best[above]!;
      ancestor[at] = ancestor[above]!;
    }
    return best[start]!;
  };
  for (let at = count - 1; at > 0; at--) {
    for (const from of entering[at]!) semi[at] = Math.min(semi[at]!, semi[evaluate(from)]!);
    ancestor[at] = parent[at]!;
  }
  const above = new Int32Array(count);
  for (let at = 1; at < count; at++) {
    let candidate = parent[at]!;
    while (candidate > semi[at]!) candidate = above[candidate]!;
    above[at] = candidate;
  }
  const result = new Int32Array(size).fill(-1);
  for (let at = 0; at < count; at++) result[vertex[at]!] = vertex[above[at]!]!;
  return result;
}
