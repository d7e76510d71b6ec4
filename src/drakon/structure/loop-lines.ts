import type { Icon } from "../diagram/diagram.ts";
import { type Finding, type FindingCode, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { flowOrder } from "./flow-order.ts";
import type { Graph } from "./graph.ts";

/** The icons of a diagram as a graph without the back edges of for-each loops; node 0 is the start, node n the icon n − 1. */
export interface LoopPassage {
  readonly icons: readonly Icon[];
  readonly graph: Graph;
  readonly numberOf: ReadonlyMap<IconId, number>;
}

/**
 * Errors of lines at the ends of for-each loops, which the control flow cannot show because it merges both ends into one node: a
 * line from outside to the lower end would enter the loop in the text and skip it in the drawing; a line from inside to the head
 * would be the next item in the text and a restart in the drawing.
 */
export function loopLineFindings(passage: LoopPassage, ends: ReadonlyMap<IconId, Icon>): Finding[] {
  const { icons, graph, numberOf } = passage;
  const { dominates } = flowOrder(graph);
  const entering = entriesOf(graph);
  const findings: Finding[] = [];
  const iconAt = (number: number): Icon => icons[number - 1]!;
  for (const [begin, end] of ends) {
    const [head, lower] = [numberOf.get(begin), numberOf.get(end.id)];
    if (head === undefined || lower === undefined) continue;
    const strangers = entering[lower]!.filter((from) => from > 0 && !dominates(head, from));
    // An icon of the body that a line from outside leads to is found in the control flow, at that line.
    const body = strangers.length > 0 ? between(graph, head, lower) : undefined;
    for (const from of strangers) if (!body?.has(from)) findings.push(...bothEnds("E-LOOP-ENTRY", iconAt(from), end));
    for (const from of entering[head]!)
      if (from > 0 && dominates(head, from) && !dominates(lower, from))
        findings.push(...bothEnds("E-LOOP-RESTART", iconAt(from), iconAt(head)));
  }
  return findings;
}

/** Lines back to an icon that is neither a loop arrow nor the head of a loop, each with the icons that dominate it. */
export function cycleFindings(passage: LoopPassage): {
  readonly findings: Finding[];
  readonly isAround: (icon: IconId) => boolean;
} {
  const { icons, graph, numberOf } = passage;
  const { backs, dominates } = flowOrder(graph);
  const lines = backs.filter(([, to]) => to > 0 && !["arrow-loop", "loopbegin"].includes(icons[to - 1]!.type));
  return {
    findings: lines.flatMap(([from, to]) => bothEnds("E-CYCLE-NO-ARROW", icons[from - 1]!, icons[to - 1]!)),
    isAround: (icon) => lines.some(([, to]) => dominates(numberOf.get(icon) ?? -1, to)),
  };
}

const bothEnds = (code: FindingCode, from: Icon, to: Icon): Finding[] => [
  finding(code, { icon: to.id, iconText: to.text, detail: from.id }),
  finding(code, { icon: from.id, iconText: from.text, detail: to.id, isOrigin: true }),
];

function entriesOf(graph: Graph): number[][] {
  const entering: number[][] = graph.map(() => []);
  for (const [from, out] of graph.entries()) for (const to of out) entering[to]!.push(from);
  return entering;
}

/** Nodes that can be reached from `head` without passing `lower`. */
function between(graph: Graph, head: number, lower: number): Set<number> {
  const found = new Set([lower]);
  const work = [head];
  for (let number = work.pop(); number !== undefined; number = work.pop()) {
    if (found.has(number)) continue;
    found.add(number);
    work.push(...graph[number]!);
  }
  return found;
}
