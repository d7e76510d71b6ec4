import { type DrawnEdge, type DrawnNode, isWithin, type Skeleton } from "../skeleton/skeleton.ts";

/** Edges that leave loops, each with the head of the outermost loop that it leaves. */
export function enclosingLoops(skeleton: Skeleton): { readonly exits: readonly { head: DrawnNode; to: DrawnNode }[] } {
  const { innermost, outer } = membership(skeleton);
  const depths = new Map<DrawnNode, number>();
  for (const head of [...outer.keys()].toSorted((a, b) => a.from - b.from)) {
    const around = outer.get(head);
    depths.set(head, around ? (depths.get(around) ?? 0) + 1 : 1);
  }
  const depth = (head: DrawnNode | undefined): number => (head ? depths.get(head)! : 0);
  const exits: { head: DrawnNode; to: DrawnNode }[] = [];
  for (const { from, to, kind } of skeleton.edges) {
    if (kind === "back") continue;
    let inside = innermost[from.number];
    let target = innermost[to.number];
    let left: DrawnNode | undefined;
    while (inside !== target) {
      if (depth(inside) >= depth(target)) {
        left = inside;
        inside = outer.get(inside!);
      } else target = outer.get(target!);
    }
    if (left) exits.push({ head: left, to });
  }
  return { exits };
}

/** Loop nesting by union-find: inner loops first; a finished loop is represented by its head. */
function membership({ nodes, edges }: Skeleton): {
  readonly innermost: readonly (DrawnNode | undefined)[];
  readonly outer: ReadonlyMap<DrawnNode, DrawnNode | undefined>;
} {
  const before: DrawnNode[][] = nodes.map(() => []);
  const tails = new Map<DrawnNode, DrawnNode[]>();
  const note = ({ from, to, kind }: DrawnEdge): void => {
    if (kind !== "back") before[to.number]!.push(from);
    else if (tails.has(to)) tails.get(to)!.push(from);
    else tails.set(to, [from]);
  };
  for (const edge of edges) note(edge);
  const innermost: (DrawnNode | undefined)[] = nodes.map(() => undefined);
  const outer = new Map<DrawnNode, DrawnNode | undefined>();
  const piece = [...nodes];
  const pieceOf = (start: DrawnNode): DrawnNode => {
    let root = start;
    while (piece[root.number] !== root) root = piece[root.number]!;
    for (let at = start; at !== root; ) [piece[at.number], at] = [root, piece[at.number]!];
    return root;
  };
  for (const head of [...tails.keys()].toSorted((a, b) => b.from - a.from)) {
    outer.set(head, undefined);
    innermost[head.number] = head;
    const work = tails.get(head)!.map(pieceOf);
    for (let node = work.pop(); node; node = work.pop()) {
      // A jump into the loop from outside is not part of it.
      if (pieceOf(node) === head || !isWithin(node, head)) continue;
      if (innermost[node.number] === node) outer.set(node, head);
      else innermost[node.number] ??= head;
      piece[node.number] = head;
      for (const earlier of before[node.number]!) work.push(pieceOf(earlier));
    }
  }
  return { innermost, outer };
}
