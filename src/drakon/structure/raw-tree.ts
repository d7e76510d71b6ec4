import type { Icon } from "../diagram/diagram.ts";
import type { Condition, Duration, Step } from "../tree.ts";
import type { FlowNode } from "./flow.ts";

/**
 * A tree under construction: blocks are mutable arrays, and exits refer to the node that they leave or repeat. `finish-tree`
 * turns it into the final tree, with as few labels as possible.
 */
export type RawNode =
  | { readonly raw: "step"; readonly step: Step }
  | { readonly raw: "if"; readonly condition: Condition; readonly yes: RawNode[]; readonly no: RawNode[] }
  | {
      readonly raw: "select";
      readonly icon: Icon;
      readonly beside: { readonly duration?: Duration };
      readonly cases: readonly { readonly icon: Icon; readonly body: RawNode[] }[];
      readonly otherwise: { readonly icon: Icon; readonly body: RawNode[] } | undefined;
    }
  | RawLoop
  | {
      readonly raw: "parallel";
      readonly end: Icon;
      readonly processes: readonly { readonly icon: Icon; readonly body: RawNode[] }[];
    }
  | RawBlock
  | RawExit
  | { readonly raw: "return" }
  | { readonly raw: "go"; readonly branch: string };

export interface RawLoop {
  readonly raw: "loop";
  readonly node: Extract<FlowNode, { kind: "for-each" | "arrow" }>;
  readonly body: RawNode[];
}

/** Leaving it continues after it. */
export interface RawBlock {
  readonly raw: "block";
  readonly body: RawNode[];
}

type RawExit = { readonly raw: "leave"; readonly block: RawBlock } | { readonly raw: "next"; readonly loop: RawLoop };

/** The blocks directly inside a node. */
export function rawBlocks(node: RawNode): RawNode[][] {
  switch (node.raw) {
    case "if":
      return [node.yes, node.no];
    case "select":
      return [...node.cases, ...(node.otherwise ? [node.otherwise] : [])].map(({ body }) => body);
    case "loop":
    case "block":
      return [node.body];
    case "parallel":
      return node.processes.map(({ body }) => body);
    default:
      return [];
  }
}
