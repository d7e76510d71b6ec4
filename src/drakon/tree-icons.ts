import type { IconId } from "./icon-id.ts";
import type { Block, Condition, Duration, Tree, TreeNode } from "./tree.ts";

/**
 * Calls `list` for every icon of a tree, in an order that is the same for trees of the same form. Uses a work list instead of
 * recursion. Lower ends of loops and blocks come after their bodies.
 */
export function listTree(tree: Tree, list: (id: IconId, beside?: Duration) => void): void {
  const work: (() => void)[] = [];
  // Pushed one by one: a block may hold more nodes than a call takes arguments.
  const later = (parts: readonly (() => void)[]): void => {
    for (const part of parts.toReversed()) work.push(part);
  };
  const block = (nodes: Block) => (): void => later(nodes.map((node) => () => put(node)));
  const headed =
    ({ icon, body }: { readonly icon: IconId; readonly body: Block }) =>
    (): void => {
      list(icon);
      block(body)();
    };
  later(tree.branches.map(headed));
  for (let next = work.pop(); next; next = work.pop()) next();

  function put(node: TreeNode): void {
    switch (node.node) {
      case "step":
        return list(node.icon, node.duration);
      case "if":
        for (const { icon, duration } of questionsIn(node.condition)) list(icon, duration);
        return later([block(node.yes), block(node.no)]);
      case "select":
        list(node.icon, node.duration);
        return later([...node.cases, ...(node.otherwise ? [node.otherwise] : [])].map(headed));
      case "for-each":
        list(node.icon);
        return later([block(node.body), () => list(node.endIcon)]);
      case "loop":
        return headed(node)();
      case "block":
        return later([block(node.body)]);
      case "parallel":
        return later([...node.processes.map(headed), () => list(node.endIcon)]);
      default:
    }
  }
}

/** Questions of a condition in evaluation order. */
export function questionsIn(condition: Condition): Extract<Condition, { is: "question" }>[] {
  const questions: Extract<Condition, { is: "question" }>[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") questions.push(next);
    else if (next.is === "not") work.push(next.of);
    else for (const part of next.of.toReversed()) work.push(part);
  }
  return questions;
}
