import type { Condition, Tree, TreeNode } from "../tree.ts";
import { forEachHead } from "./for-each-head.ts";
import { parametersOf } from "./parameters.ts";
import { readStep } from "./read-step.ts";

/** Names that parameters, assignments, inputs and loops set anywhere in a procedure. */
export function boundNames(tree: Tree): Set<string> {
  const bound = new Set(parametersOf(tree.params));
  for (const node of everyNode(tree)) for (const name of namesSetBy(node)) bound.add(name);
  return bound;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Names that one node sets, without the nodes inside it. They do not depend on the set of bound names. */
export function namesSetBy(node: TreeNode): string[] {
  if (node.node === "for-each") {
    const head = forEachHead(node.text);
    if (head.is === "each") return [...head.names];
    return head.is === "count" ? [...head.first, ...head.next].flatMap(({ target }) => target ?? []) : [];
  }
  if (node.node !== "step") return [];
  const read = readStep(node, NO_NAMES);
  if (read.does === "statements") return read.statements.flatMap(({ target }) => target ?? []);
  return "target" in read && read.target !== undefined ? [read.target] : [];
}

/** All nodes, parents before children. Not recursive. */
export function* everyNode(tree: Tree): Generator<TreeNode> {
  const work: TreeNode[] = [];
  const later = (blocks: readonly (readonly TreeNode[])[]): void => {
    for (const block of blocks.toReversed()) for (let i = block.length - 1; i >= 0; i--) work.push(block[i]!);
  };
  later(tree.branches.map(({ body }) => body));
  for (let node = work.pop(); node; node = work.pop()) {
    yield node;
    if (node.node === "if") later([node.yes, node.no]);
    else if (node.node === "select")
      later([...node.cases.map(({ body }) => body), ...(node.otherwise ? [node.otherwise.body] : [])]);
    else if (node.node === "parallel") later(node.processes.map(({ body }) => body));
    else if (node.node === "for-each" || node.node === "loop" || node.node === "block") later([node.body]);
  }
}

/** The questions of a condition, from left to right. */
export function questionsOf(condition: Condition): Extract<Condition, { is: "question" }>[] {
  const found: Extract<Condition, { is: "question" }>[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") found.push(next);
    else if (next.is === "not") work.push(next.of);
    else for (let i = next.of.length - 1; i >= 0; i--) work.push(next.of[i]!);
  }
  return found;
}
