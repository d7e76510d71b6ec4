import { canonicalId } from "../base/canonical.ts";
import type { IconId } from "./icon-id.ts";
import type { Block, Condition, Duration, Tree, TreeNode } from "./tree.ts";

/**
 * The meaning of a diagram as a flat list of words, independent of layout, ids, order of keys, HTML formatting and orientation
 * of questions. Flat, so that a tree of ten thousand nested questions can be hashed too. The name and the description are left
 * out: renaming a procedure does not change its behaviour.
 */
export function canonicalForm(tree: Tree): string[] {
  const words: string[] = ["drakon 1", "params", tree.params];
  const numbers = new Map<IconId, number>(tree.branches.map(({ icon }, index) => [icon, index]));
  for (const { name, body } of tree.branches) {
    words.push("branch", tree.silhouette ? name : "");
    for (const word of blockWords(body, numbers)) words.push(word);
    words.push("end");
  }
  return words;
}

/** The canonical form of one block. `branches`: the number of each branch by its icon. */
export function blockWords(block: Block, branches: ReadonlyMap<IconId, number>): string[] {
  const words: string[] = [];
  const work: (string[] | TreeNode)[] = [];
  const later = (...items: (string[] | Block)[]): void => {
    for (const item of items.toReversed()) {
      if (item.length === 0) continue;
      if (typeof item[0] === "string") work.push(item as string[]);
      else for (let i = item.length - 1; i >= 0; i--) work.push(item[i] as TreeNode);
    }
  };
  later(block);
  for (let next = work.pop(); next; next = work.pop()) {
    if (Array.isArray(next)) words.push(...next);
    else put(next);
  }
  return words;

  function put(node: TreeNode): void {
    switch (node.node) {
      case "step":
        words.push("step", node.kind, node.text, ...optional("upper", node.secondary), ...duration(node));
        return;
      case "if":
        words.push("if", ...conditionWords(node.condition));
        return later(["then"], node.yes, ["else"], node.no, ["end"]);
      case "select":
        words.push("select", node.text, ...duration(node));
        return later(
          ...node.cases.flatMap(({ text, body }) => [["case", text], body]),
          ...(node.otherwise ? [["otherwise"], node.otherwise.body] : []),
          ["end"],
        );
      case "for-each":
        words.push("for-each", node.text, ...optional("below", node.endText || undefined), ...label(node.label));
        return later(node.body, ["end"]);
      case "loop":
        words.push("loop", ...label(node.label));
        return later(node.body, ["end"]);
      case "block":
        words.push("block", ...label(node.label));
        return later(node.body, ["end"]);
      case "parallel":
        words.push("parallel");
        return later(...node.processes.flatMap(({ text, body }) => [["process", text], body]), ["end"]);
      case "break":
      case "next":
      case "leave":
        words.push(node.node, ...label(node.label));
        return;
      case "return":
        words.push("return");
        return;
      case "go":
        words.push("go", String(branches.get(node.branch)));
    }
  }
}

/** The content address of a behaviour: the git blob id of its canonical form. */
export const behaviourId = (tree: Tree): string => canonicalId(canonicalForm(tree));

/** The behaviour of a diagram together with the diagrams that it calls, by name. Without any it is that of the diagram alone. */
export const programBehaviourId = (tree: Tree, called: ReadonlyMap<string, Tree>): string =>
  canonicalId([
    ...canonicalForm(tree),
    ...[...called]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, one]) => ["diagram", name, ...canonicalForm(one)]),
  ]);

const optional = (word: string, value: string | undefined): string[] => (value === undefined ? [] : [word, value]);
const duration = ({ duration: beside }: { readonly duration?: Duration }): string[] => optional("for", beside?.text);
const label = (value: number | undefined): string[] =>
  optional("label", value === undefined ? undefined : String(value));

/** In prefix order with counts instead of brackets, so that no text can imitate the structure. */
function conditionWords(condition: Condition): string[] {
  const words: string[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") words.push("question", next.text, ...duration(next));
    else if (next.is === "not") {
      words.push("not");
      work.push(next.of);
    } else {
      words.push(next.is, String(next.of.length));
      work.push(...next.of.toReversed());
    }
  }
  return words;
}
