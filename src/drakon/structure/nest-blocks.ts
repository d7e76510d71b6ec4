import type { ControlFlow } from "./flow.ts";
import type { FlowOrder } from "./flow-order.ts";
import type { RawBlock, RawLoop, RawNode } from "./raw-tree.ts";

/**
 * Turns a flow into nested blocks without copying a node (after Ramsey's "Beyond Relooper"). A node to which several ways
 * lead stands behind the node that dominates it, and whoever must get there early leaves the block before it. What a loop
 * leads to, and is not part of it, stands behind the loop.
 *
 * Work lies on a list, not on the call stack: three thousand nested questions are no problem. Each array is written to by
 * one piece of work at a time, so the order in which pieces are taken does not matter.
 */
export function nestBlocks(
  silhouette: boolean,
  flow: ControlFlow,
  order: FlowOrder,
  body: RawNode[],
  nested: (flow: ControlFlow, body: RawNode[]) => void,
): void {
  const { position, dominator, entries, loop, outerLoop, inLoop } = order;
  const { behind, merges } = places();
  const blocks = new Map<number, RawBlock>();
  const loops = new Map<number, RawLoop>();
  const work: { number: number; out: RawNode[]; follow: number }[] = [];

  const last = lastTerminal();
  let fellThrough = last === 0; // nothing but an ending
  emit(0, insideProcess(), last);
  for (let next = work.pop(); next; next = work.pop()) emit(next.number, next.out, next.follow);
  const ending = flow.nodes[last];
  // A primitive ends where its text ends; a branch of a silhouette says where it goes.
  if (fellThrough && ending?.kind === "go") body.push({ raw: "go", branch: ending.branch });
  if (fellThrough && ending?.kind === "return" && silhouette) body.push({ raw: "return" });

  /** All ways of a process end in one place, the end of its text: whoever must get there early leaves the whole of it. */
  function insideProcess(): RawNode[] {
    if (flow.nodes[last]?.kind !== "process-end") return body;
    const block: RawBlock = { raw: "block", body: [] };
    blocks.set(last, block);
    body.push(block);
    return block.body;
  }

  /** Where each node that cannot stand in its only predecessor's place goes: behind a loop, or behind its dominator. */
  function places(): { behind: Map<number, number[]>; merges: Map<number, number[]> } {
    const behindLoop = new Map<number, number[]>();
    const behindDominator = new Map<number, number[]>();
    const add = (map: Map<number, number[]>, key: number, value: number): void => {
      const list = map.get(key);
      if (list) list.push(value);
      else map.set(key, [value]);
    };
    for (const number of order.order.slice(1)) {
      if (isTerminal(number)) continue;
      const above = dominator[number]!;
      let left = -1;
      for (let head = loop[above]!; head >= 0 && !inLoop(head, number); head = outerLoop[head]!) left = head;
      if (left >= 0) add(behindLoop, left, number);
      else if (entries[number]! > 1) add(behindDominator, above, number);
    }
    return { behind: behindLoop, merges: behindDominator };
  }

  function isTerminal(number: number): boolean {
    const { kind } = flow.nodes[number]!;
    return kind === "return" || kind === "go" || kind === "process-end";
  }

  /** The ending that most ways lead to: it is written once, at the very end. */
  function lastTerminal(): number {
    const ends = order.order.filter(isTerminal);
    return ends.toSorted((a, b) => entries[b]! - entries[a]! || position[a]! - position[b]!)[0] ?? -1;
  }

  /** Opens a block for every node that stands behind, innermost first in order; returns where the inside goes. */
  function open(
    numbers: readonly number[] | undefined,
    out: RawNode[],
    follow: number,
  ): { out: RawNode[]; follow: number } {
    let inside = { out, follow };
    for (const number of (numbers ?? []).toSorted((a, b) => position[b]! - position[a]!)) {
      const block: RawBlock = { raw: "block", body: [] };
      blocks.set(number, block);
      inside.out.push(block);
      work.push({ number, out: inside.out, follow: inside.follow });
      inside = { out: block.body, follow: number };
    }
    return inside;
  }

  function emit(number: number, place: RawNode[], followedBy: number): void {
    const node = flow.nodes[number]!;
    let { out, follow } = open(behind.get(number), place, followedBy);
    if (node.kind === "for-each" || node.kind === "arrow") {
      const made: RawLoop = { raw: "loop", node, body: [] };
      loops.set(number, made);
      out.push(made);
      if (node.kind === "for-each") jump(number, node.done, out, follow);
      const inside = open(merges.get(number), made.body, number);
      return jump(number, node.kind === "for-each" ? node.body : node.next, inside.out, inside.follow);
    }
    ({ out, follow } = open(merges.get(number), out, follow));
    switch (node.kind) {
      case "step":
        out.push({ raw: "step", step: node.step });
        return jump(number, node.next, out, follow);
      case "ask": {
        const made = { raw: "if" as const, condition: node.condition, yes: [], no: [] };
        out.push(made);
        jump(number, node.yes, made.yes, follow);
        return jump(number, node.no, made.no, follow);
      }
      case "select": {
        const arm = (one: {
          icon: (typeof node)["icon"];
          to: number;
        }): { icon: (typeof node)["icon"]; body: RawNode[]; to: number } => ({ ...one, body: [] });
        const cases = node.cases.map(arm);
        const otherwise = node.otherwise && arm(node.otherwise);
        out.push({ raw: "select", icon: node.icon, beside: node.beside, cases, otherwise });
        for (const one of [...cases, ...(otherwise ? [otherwise] : [])]) jump(number, one.to, one.body, follow);
        return;
      }
      case "parallel": {
        const processes = node.processes.map((process) => ({ ...process, body: [] as RawNode[] }));
        out.push({ raw: "parallel", end: node.end, processes });
        for (const process of processes) nested(process.flow, process.body);
        return jump(number, node.next, out, follow);
      }
      case "process-end":
      case "return":
      case "go":
        return;
    }
  }

  /** Goes on to a node: by falling through, by an exit, or by writing it here, its only place. */
  function jump(from: number, to: number, out: RawNode[], follow: number): void {
    if (to === follow) {
      if (to === last) fellThrough = true;
      return;
    }
    const node = flow.nodes[to]!;
    if (node.kind === "return") out.push({ raw: "return" });
    else if (node.kind === "go") out.push({ raw: "go", branch: node.branch });
    else if (position[to]! <= position[from]!) out.push({ raw: "next", loop: loops.get(to)! });
    else if (blocks.has(to)) out.push({ raw: "leave", block: blocks.get(to)! });
    else work.push({ number: to, out, follow });
  }
}
