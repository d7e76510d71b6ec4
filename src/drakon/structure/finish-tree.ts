import type { Block, Label, TreeNode } from "../tree.ts";
import { flattened, not } from "./conditions.ts";
import { type RawBlock, type RawLoop, type RawNode, rawBlocks } from "./raw-tree.ts";

/**
 * Turns a raw tree into the final one with the simplest possible exits: leaving a block that ends with a loop, from inside that
 * loop, becomes a break, and a block without exits is dissolved. Labels are numbered in order of appearance.
 */
export function finishTree(raw: RawNode[]): Block {
  const { exits, labels } = resolve(raw);
  const finished = new Map<RawNode[], TreeNode[]>();
  // Innermost blocks first: the list has parents before children.
  for (const block of allBlocks(raw).toReversed()) finished.set(block, block.flatMap(finish));
  return finished.get(raw)!;

  function inside(block: RawNode[]): TreeNode[] {
    return finished.get(block)!;
  }

  function finish(node: RawNode): TreeNode[] {
    switch (node.raw) {
      case "step":
        return [node.step];
      case "if": {
        const [yes, no] = [inside(node.yes), inside(node.no)];
        const condition = flattened(node.condition);
        if (yes.length === 0 && no.length > 0) return [{ node: "if", condition: not(condition), yes: no, no: [] }];
        return [{ node: "if", condition, yes, no }];
      }
      case "select":
        return [
          {
            node: "select",
            icon: node.icon.id,
            text: node.icon.text,
            ...node.beside,
            cases: node.cases.map(({ icon, body }) => ({ icon: icon.id, text: icon.text, body: inside(body) })),
            ...(node.otherwise && { otherwise: { icon: node.otherwise.icon.id, body: inside(node.otherwise.body) } }),
          },
        ];
      case "loop": {
        const label = labels.get(node);
        const named = label === undefined ? {} : { label };
        const body = inside(node.body);
        if (node.node.kind === "arrow") return [{ node: "loop", icon: node.node.icon.id, ...named, body }];
        const { icon, end } = node.node;
        return [
          { node: "for-each", icon: icon.id, endIcon: end.id, text: icon.text, endText: end.text, ...named, body },
        ];
      }
      case "parallel":
        return [
          {
            node: "parallel",
            processes: node.processes.map(({ icon, body }) => ({ icon: icon.id, text: icon.text, body: inside(body) })),
            endIcon: node.end.id,
          },
        ];
      case "block": {
        const label = labels.get(node);
        return label === undefined ? inside(node.body) : [{ node: "block", label, body: inside(node.body) }];
      }
      case "leave":
      case "next": {
        const exit = exits.get(node)!;
        const label = labels.get(exit.of);
        if (exit.how === "leave") return [{ node: "leave", label: label! }];
        return [{ node: exit.how, ...(exit.far && { label: label! }) }];
      }
      case "return":
        return [{ node: "return" }];
      case "go":
        return [{ node: "go", branch: node.branch }];
    }
  }
}

interface Resolved {
  readonly how: "break" | "next" | "leave";
  readonly of: RawLoop | RawBlock;
  /** Another loop lies between, so the exit needs a label. */
  readonly far: boolean;
}

/** The final form of each exit, and the labels of the loops and blocks that exits name. */
function resolve(raw: RawNode[]): { exits: Map<RawNode, Resolved>; labels: Map<RawNode, Label> } {
  const exits = new Map<RawNode, Resolved>();
  const named = new Set<RawNode>();
  const open: RawLoop[] = [];
  const opened = new Set<RawLoop>();
  walk(raw, {
    enter(node) {
      if (node.raw === "loop") {
        open.push(node);
        opened.add(node);
      }
      if (node.raw !== "leave" && node.raw !== "next") return;
      const ending = node.raw === "leave" ? node.block.body.at(-1) : undefined;
      const loop = node.raw === "next" ? node.loop : ending?.raw === "loop" && opened.has(ending) ? ending : undefined;
      const far = loop !== undefined && open.at(-1) !== loop;
      if (node.raw === "leave" && !loop) exits.set(node, { how: "leave", of: node.block, far: false });
      else exits.set(node, { how: node.raw === "next" ? "next" : "break", of: loop!, far });
      if (!loop && node.raw === "leave") named.add(node.block);
      if (loop && far) named.add(loop);
    },
    exit(node) {
      if (node.raw !== "loop") return;
      open.pop();
      opened.delete(node);
    },
  });
  const labels = new Map<RawNode, Label>();
  walk(raw, {
    enter: (node) => {
      if (named.has(node)) labels.set(node, labels.size + 1);
    },
  });
  return { exits, labels };
}

function walk(root: RawNode[], visit: { enter(node: RawNode): void; exit?(node: RawNode): void }): void {
  interface Level {
    readonly owner: RawNode | undefined;
    readonly blocks: readonly RawNode[][];
    block: number;
    at: number;
  }
  const stack: Level[] = [{ owner: undefined, blocks: [root], block: 0, at: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const block = top.blocks[top.block];
    const node = block?.[top.at++];
    if (node) {
      visit.enter(node);
      stack.push({ owner: node, blocks: rawBlocks(node), block: 0, at: 0 });
    } else if (block) {
      top.block++;
      top.at = 0;
    } else {
      stack.pop();
      if (top.owner) visit.exit?.(top.owner);
    }
  }
}

/** Every block of a tree, parents before children. */
function allBlocks(root: RawNode[]): RawNode[][] {
  const found = [root];
  for (let i = 0; i < found.length; i++) for (const node of found[i]!) found.push(...rawBlocks(node));
  return found;
}
