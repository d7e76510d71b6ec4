import type { Diagram, Icon } from "../diagram/diagram.ts";
import { type Finding, finding, hasErrors } from "../finding.ts";
import type { Tree } from "../tree.ts";
import { joinQuestions } from "./conditions.ts";
import { finishTree } from "./finish-tree.ts";
import { type ControlFlow, flowsOf, iconOf, successors } from "./flow.ts";
import { type FlowOrder, flowOrder } from "./flow-order.ts";
import { reversePostOrder } from "./graph.ts";
import { pairLoops } from "./loop-pairs.ts";
import { nestBlocks } from "./nest-blocks.ts";
import type { RawNode } from "./raw-tree.ts";
import { surveyDiagram } from "./survey.ts";

interface Structured {
  /** Undefined exactly if there is a finding of severity `error`. */
  readonly tree: Tree | undefined;
  readonly findings: readonly Finding[];
}

/** The meaning of a diagram as a tree, or all of its errors. Never throws. */
export function structure(diagram: Diagram): Structured {
  const seen = surveyDiagram(diagram);
  const pairs = pairLoops(diagram, seen);
  const findings = [...seen.findings, ...pairs.findings];
  if (hasErrors(findings)) return { tree: undefined, findings };
  const flows = flowsOf(diagram, seen, pairs.ends);
  const orders = new Map<ControlFlow, FlowOrder>();
  for (const flow of everyFlow(flows)) {
    joinQuestions(flow, reversePostOrder(flow.nodes.map(successors)));
    const order = flowOrder(flow.nodes.map(successors));
    orders.set(flow, order);
    findings.push(...loopFindings(diagram, flow, order));
  }
  if (hasErrors(findings)) return { tree: undefined, findings };
  const branches = flows.map((flow, index) => {
    const body: RawNode[] = [];
    const work: [ControlFlow, RawNode[]][] = [[flow, body]];
    for (let next = work.pop(); next; next = work.pop()) {
      const [one, out] = next;
      nestBlocks(flows.length > 1, one, orders.get(one)!, out, (inner, into) => work.push([inner, into]));
    }
    const icon = seen.branches[index]!;
    return { icon: icon.id, name: icon.text, body: finishTree(body) };
  });
  const { name, params, description } = diagram;
  return { tree: { name, params, description, branches, silhouette: branches.length > 1 }, findings };
}

/** All flows, including those of parallel processes at any depth. */
function everyFlow(flows: readonly ControlFlow[]): ControlFlow[] {
  const all = [...flows];
  for (let i = 0; i < all.length; i++) {
    for (const node of all[i]!.nodes) if (node.kind === "parallel") all.push(...node.processes.map(({ flow }) => flow));
  }
  return all;
}

/** Reports back edges without a loop arrow, jumps into loops, and loops without a body or an exit. */
function loopFindings(diagram: Diagram, flow: ControlFlow, order: FlowOrder): Finding[] {
  const findings: Finding[] = [];
  const about = (
    number: number,
    detail?: string,
    isOrigin = false,
  ): { icon?: string; iconText?: string; detail?: string; isOrigin: boolean } => {
    const id = iconOf(flow.nodes[number]!);
    const text = id === undefined ? undefined : diagram.icons.get(id)?.text;
    return {
      ...(id !== undefined && { icon: id }),
      ...(text !== undefined && { iconText: text }),
      ...(detail !== undefined && { detail }),
      isOrigin,
    };
  };
  for (const [from, to] of order.intrusions) {
    const ids = [iconOf(flow.nodes[from]!) ?? "", iconOf(flow.nodes[to]!) ?? ""];
    findings.push(finding("E-LOOP-ENTRY", about(to, ids[0])), finding("E-LOOP-ENTRY", about(from, ids[1], true)));
  }
  for (const [from, to] of order.backs) {
    const { kind } = flow.nodes[to]!;
    if (kind === "arrow" || kind === "for-each") continue;
    const ids = [iconOf(flow.nodes[from]!) ?? "", iconOf(flow.nodes[to]!) ?? ""];
    findings.push(
      finding("E-CYCLE-NO-ARROW", about(to, ids[0])),
      finding("E-CYCLE-NO-ARROW", about(from, ids[1], true)),
    );
  }
  const left = leftLoops(flow, order);
  for (const number of order.order) {
    const node = flow.nodes[number]!;
    if (order.loop[number] === number && !left.has(number)) findings.push(finding("W-ENDLESS", about(number)));
    if (node.kind === "for-each" && order.inLoop(number, node.done)) {
      // The exit of the loop leads back into it.
      findings.push(
        finding("E-LOOP-ENTRY", about(number, node.end.id)),
        finding("E-LOOP-ENTRY", { icon: node.end.id, detail: node.icon.id, isOrigin: true }),
      );
    }
    if (node.kind === "for-each" && node.body === number) findings.push(finding("W-LOOP-NO-BODY", about(number)));
    const each = node.kind === "ask" ? forEachAround(flow, order, number) : undefined;
    if (each && successors(node).some((to) => flow.nodes[to]!.kind === "return"))
      findings.push(finding("W-LOOP-LEFT", about(number, `"${each.text.replace(/\s+/g, " ").trim()}"`)));
  }
  return findings;
}

/** The innermost for-each around a node. */
function forEachAround(flow: ControlFlow, { loop, outerLoop }: FlowOrder, number: number): Icon | undefined {
  for (let head = loop[number]!; head >= 0; head = outerLoop[head]!) {
    const node = flow.nodes[head]!;
    if (node.kind === "for-each") return node.icon;
  }
  return undefined;
}

/** Heads of the loops that have an exit. */
function leftLoops(flow: ControlFlow, order: FlowOrder): Set<number> {
  const left = new Set<number>();
  for (const from of order.order) {
    for (const to of successors(flow.nodes[from]!)) {
      for (
        let head = order.loop[from]!;
        head >= 0 && !order.inLoop(head, to) && !left.has(head);
        head = order.outerLoop[head]!
      )
        left.add(head);
    }
  }
  return left;
}
