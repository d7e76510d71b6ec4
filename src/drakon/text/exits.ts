import type { Block, Exit, Label, TreeNode } from "../tree.ts";

export const isExit = (node: TreeNode): node is Exit => ["break", "next", "leave", "return", "go"].includes(node.node);

/** The exit of a block that does nothing else. */
export function isExitOnly(block: Block): Exit | undefined {
  const [only] = block;
  return block.length === 1 && only && isExit(only) ? only : undefined;
}

export const isSteps = (block: Block): boolean => block.every(({ node }) => node === "step");

/** The exit of a block that does some steps, or none, and leaves. */
export function exitAfterSteps(block: Block): Exit | undefined {
  const last = block.at(-1);
  return last && isExit(last) && isSteps(block.slice(0, -1)) ? last : undefined;
}

const exitKey = (exit: Exit): string =>
  exit.node === "go" ? `go ${exit.branch}` : exit.node === "return" ? "return" : `${exit.node} ${exit.label ?? ""}`;

export const sameExit = (a: Exit, b: Exit): boolean => exitKey(a) === exitKey(b);

/** True if every path through a block ends with an exit. Loops count as left. */
export function diverges(block: Block): boolean {
  const open: Block[] = [block];
  for (let next = open.pop(); next; next = open.pop()) {
    const last = next.at(-1);
    if (last?.node === "if") open.push(last.yes, last.no);
    else if (last?.node === "select" && last.otherwise)
      for (const { body } of [...last.cases, last.otherwise]) open.push(body);
    else if (!last || !isExit(last)) return false;
  }
  return true;
}

/**
 * The end or branch that more lines of a branch lead to than to any other; undefined if there is no such one. `structure` puts it at
 * the end of the branch.
 */
export function mostEnteredExit(body: Block): Exit | undefined {
  const found = new Map<string, { readonly exit: Exit; lines: number }>();
  new LineCount((exit, lines) => {
    const known = found.get(exitKey(exit));
    if (known) known.lines += lines;
    else found.set(exitKey(exit), { exit, lines });
  }).run(body);
  const [first, second] = [...found.values()].toSorted((a, b) => b.lines - a.lines);
  return first && first.lines > (second?.lines ?? 0) ? first.exit : undefined;
}

interface CountedBlock {
  readonly block: Block;
  /** The innermost loop around it. */
  readonly loop: TreeNode | undefined;
}

/** Counts the lines that lead to each exit of a branch. */
class LineCount {
  readonly #found: (exit: Exit, lines: number) => void;
  /** Lines that leave a block at its end. */
  readonly #leaving = new Map<Block, number>();
  /** Lines that break off a loop or leave a labelled block, by the node or by its label. */
  readonly #broken = new Map<TreeNode | Label | undefined, number>();

  constructor(found: (exit: Exit, lines: number) => void) {
    this.#found = found;
  }

  run(body: Block): void {
    const all: CountedBlock[] = [{ block: body, loop: undefined }];
    for (const { block, loop } of all) {
      for (const node of block) {
        const inner = node.node === "loop" || node.node === "for-each" ? node : loop;
        for (const inside of innerBlocks(node)) all.push({ block: inside, loop: inner });
      }
    }
    // Inner blocks first.
    for (const one of all.toReversed()) this.#count(one);
  }

  #count({ block, loop }: CountedBlock): void {
    let lines = 1;
    for (const node of block) {
      if (!isExit(node)) {
        lines = this.#after(node);
        continue;
      }
      if (node.node === "return" || node.node === "go") this.#found(node, lines);
      else if (node.node !== "next") {
        const target = node.label ?? loop;
        this.#broken.set(target, (this.#broken.get(target) ?? 0) + lines);
      }
      lines = 0;
    }
    this.#leaving.set(block, lines);
  }

  #after(node: Exclude<TreeNode, Exit>): number {
    const label = node.node === "block" || node.node === "loop" || node.node === "for-each" ? node.label : undefined;
    const broken = (this.#broken.get(node) ?? 0) + (label === undefined ? 0 : (this.#broken.get(label) ?? 0));
    const leaving = innerBlocks(node).reduce((sum, block) => sum + (this.#leaving.get(block) ?? 0), 0);
    switch (node.node) {
      case "if":
      case "select":
        return leaving;
      case "block":
        return leaving + broken;
      case "loop":
        return broken;
      case "for-each":
        return 1 + broken;
      default:
        return 1;
    }
  }
}

/** Blocks inside a node. */
export const blocksInside = (node: TreeNode): readonly Block[] =>
  node.node === "parallel" ? node.processes.map(({ body }) => body) : innerBlocks(node);

/** Blocks inside a node; not those of processes, whose exits end the process. */
function innerBlocks(node: TreeNode): readonly Block[] {
  switch (node.node) {
    case "if":
      return [node.yes, node.no];
    case "select":
      return [...node.cases, ...(node.otherwise ? [node.otherwise] : [])].map(({ body }) => body);
    case "for-each":
    case "loop":
    case "block":
      return [node.body];
    default:
      return [];
  }
}
