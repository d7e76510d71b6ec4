import type { ControlFlow, FlowNode } from "./flow.ts";
import type { FlowOrder } from "./flow-order.ts";
import type { RawBlock, RawLoop, RawNode } from "./raw-tree.ts";

/**
 * Turns a flow into nested blocks without copying a node (after Ramsey, "Beyond Relooper"). A node with several incoming edges is
 * placed after its dominator, and jumps to it leave the block in between. Nodes that a loop leads to but does not contain are
 * placed after the loop.
 *
 * Uses a work list instead of recursion, for thousands of nested questions. Each output array belongs to one work item, so the
 * order of the items does not matter.
 */
export function nestBlocks(
  silhouette: boolean,
  flow: ControlFlow,
  order: FlowOrder,
  body: RawNode[],
  nested: (flow: ControlFlow, body: RawNode[]) => void,
): void {
  new BlockNester(flow, order, nested).run(silhouette, body);
}

/** An output array, and the node that comes after its end. */
interface Output {
  readonly out: RawNode[];
  readonly follow: number;
}

class BlockNester {
  readonly #flow: ControlFlow;
  readonly #order: FlowOrder;
  readonly #nested: (flow: ControlFlow, body: RawNode[]) => void;
  /** Nodes to place after a loop, and after a dominator. */
  readonly #afterLoop = new Map<number, number[]>();
  readonly #afterDominator = new Map<number, number[]>();
  readonly #blocks = new Map<number, RawBlock>();
  readonly #loops = new Map<number, RawLoop>();
  readonly #work: (Output & { readonly number: number })[] = [];
  /** The terminal node that is reached by falling through at the end. */
  readonly #last: number;
  #fellThrough: boolean;

  constructor(flow: ControlFlow, order: FlowOrder, nested: (flow: ControlFlow, body: RawNode[]) => void) {
    this.#flow = flow;
    this.#order = order;
    this.#nested = nested;
    this.#placeNodes();
    this.#last = this.#lastTerminal();
    this.#fellThrough = this.#last === 0; // the flow consists of its end
  }

  run(silhouette: boolean, body: RawNode[]): void {
    this.#emit(0, { out: this.#insideProcess(body), follow: this.#last });
    for (let next = this.#work.pop(); next; next = this.#work.pop()) this.#emit(next.number, next);
    const end = this.#flow.nodes[this.#last];
    // A primitive ends with its text; a branch of a silhouette states its target.
    if (this.#fellThrough && end?.kind === "go") body.push({ raw: "go", branch: end.branch });
    if (this.#fellThrough && end?.kind === "return" && silhouette) body.push({ raw: "return" });
  }

  /** A process ends with its text: an early exit leaves a block around all of it. */
  #insideProcess(body: RawNode[]): RawNode[] {
    if (this.#flow.nodes[this.#last]?.kind !== "process-end") return body;
    const block: RawBlock = { raw: "block", body: [] };
    this.#blocks.set(this.#last, block);
    body.push(block);
    return block.body;
  }

  /** Places every node that cannot follow its only predecessor directly: after a loop, or after its dominator. */
  #placeNodes(): void {
    const { order, dominator, entries, loop, outerLoop, inLoop } = this.#order;
    const add = (map: Map<number, number[]>, key: number, value: number): void => {
      const list = map.get(key);
      if (list) list.push(value);
      else map.set(key, [value]);
    };
    for (const number of order.slice(1)) {
      if (this.#isTerminal(number)) continue;
      const above = dominator[number]!;
      let left = -1;
      for (let head = loop[above]!; head >= 0 && !inLoop(head, number); head = outerLoop[head]!) left = head;
      if (left >= 0) add(this.#afterLoop, left, number);
      else if (entries[number]! > 1) add(this.#afterDominator, above, number);
    }
  }

  #isTerminal(number: number): boolean {
    const { kind } = this.#flow.nodes[number]!;
    return kind === "return" || kind === "go" || kind === "process-end";
  }

  /** The terminal node with the most incoming edges; -1 if there is none. */
  #lastTerminal(): number {
    const { order, entries, position } = this.#order;
    const ends = order.filter((number) => this.#isTerminal(number));
    return ends.toSorted((a, b) => entries[b]! - entries[a]! || position[a]! - position[b]!)[0] ?? -1;
  }

  /** Opens a block for every node placed after this one, innermost first in order; returns the output inside. */
  #open(numbers: readonly number[] | undefined, output: Output): Output {
    const { position } = this.#order;
    let inside = output;
    for (const number of (numbers ?? []).toSorted((a, b) => position[b]! - position[a]!)) {
      const block: RawBlock = { raw: "block", body: [] };
      this.#blocks.set(number, block);
      inside.out.push(block);
      this.#work.push({ number, out: inside.out, follow: inside.follow });
      inside = { out: block.body, follow: number };
    }
    return inside;
  }

  #emit(number: number, output: Output): void {
    const node = this.#flow.nodes[number]!;
    const outside = this.#open(this.#afterLoop.get(number), output);
    if (node.kind === "for-each" || node.kind === "arrow") return this.#emitLoop(number, node, outside);
    const { out, follow } = this.#open(this.#afterDominator.get(number), outside);
    switch (node.kind) {
      case "step":
        out.push({ raw: "step", step: node.step });
        return this.#jump(number, node.next, { out, follow });
      case "ask": {
        const branch = { raw: "if" as const, condition: node.condition, yes: [], no: [] };
        out.push(branch);
        this.#jump(number, node.yes, { out: branch.yes, follow });
        return this.#jump(number, node.no, { out: branch.no, follow });
      }
      case "select": {
        const arm = <Arm>(one: Arm): Arm & { readonly body: RawNode[] } => ({ ...one, body: [] });
        const cases = node.cases.map(arm);
        const otherwise = node.otherwise && arm(node.otherwise);
        out.push({ raw: "select", icon: node.icon, beside: node.beside, cases, otherwise });
        for (const { to, body } of otherwise ? [...cases, otherwise] : cases)
          this.#jump(number, to, { out: body, follow });
        return;
      }
      case "parallel": {
        const processes = node.processes.map((process) => ({ ...process, body: [] as RawNode[] }));
        out.push({ raw: "parallel", end: node.end, processes });
        for (const process of processes) this.#nested(process.flow, process.body);
        return this.#jump(number, node.next, { out, follow });
      }
      default:
        return;
    }
  }

  #emitLoop(number: number, node: Extract<FlowNode, { kind: "for-each" | "arrow" }>, outside: Output): void {
    const loop: RawLoop = { raw: "loop", node, body: [] };
    this.#loops.set(number, loop);
    outside.out.push(loop);
    if (node.kind === "for-each") this.#jump(number, node.done, outside);
    const inside = this.#open(this.#afterDominator.get(number), { out: loop.body, follow: number });
    this.#jump(number, node.kind === "for-each" ? node.body : node.next, inside);
  }

  /** Continues at a node: by falling through, by an exit, or by emitting it here, its only place. */
  #jump(from: number, to: number, { out, follow }: Output): void {
    const { position } = this.#order;
    if (to === follow) {
      if (to === this.#last) this.#fellThrough = true;
      return;
    }
    const node = this.#flow.nodes[to]!;
    if (node.kind === "return") out.push({ raw: "return" });
    else if (node.kind === "go") out.push({ raw: "go", branch: node.branch });
    else if (position[to]! <= position[from]!) out.push({ raw: "next", loop: this.#loops.get(to)! });
    else if (this.#blocks.has(to)) out.push({ raw: "leave", block: this.#blocks.get(to)! });
    else this.#work.push({ number: to, out, follow });
  }
}
