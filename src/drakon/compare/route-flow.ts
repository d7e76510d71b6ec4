import type { IconId } from "../icon-id.ts";
import { type FlowOrder, flowOrder } from "../structure/flow-order.ts";
import type { ExitLabel, Place, RouteGraph } from "./route-graph.ts";
import { START } from "./route-graph.ts";

/** A route graph with numbered nodes and its dominators and loops. Each answer of a question is a node of its own. */
export interface RouteFlow {
  readonly order: FlowOrder;
  readonly numberOf: (place: Place) => number | undefined;
  /** The heads of the loops around a place, innermost first. */
  readonly loopsAround: (place: Place) => readonly string[];
  /** The node of one answer of a question. */
  readonly answerOf: (icon: IconId, answer: ExitLabel) => number | undefined;
  /** The question and the answer of a node, or the icon of a case; undefined for other nodes. */
  readonly guardAt: (number: number) => Guard | undefined;
  /** True if some way leads from the icon back to it. */
  readonly repeats: (icon: IconId) => boolean;
}

export interface Guard {
  readonly icon: IconId;
  readonly answer: "yes" | "no" | "case";
}

export function routeFlow({ diagram, exits, reached }: RouteGraph): RouteFlow {
  const numbers = new Map<string, number>();
  const keys: string[] = [];
  const guards: (Guard | undefined)[] = [];
  const graph: number[][] = [];
  const number = (key: string, guard?: Guard): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, graph.length);
    guards.push(guard);
    keys.push(key);
    return graph.push([]) - 1;
  };
  number(START);
  for (const place of reached) {
    const from = number(place, diagram.icons.get(place)?.type === "case" ? { icon: place, answer: "case" } : undefined);
    for (const { label, to } of exits.get(place) ?? []) {
      const guard = diagram.icons.get(to)?.type === "case" ? { icon: to, answer: "case" as const } : undefined;
      const target = number(to, guard);
      if (label === "yes" || label === "no") {
        const answer = number(answerKey(place, label), { icon: place, answer: label });
        graph[from]!.push(answer);
        graph[answer]!.push(target);
      } else graph[from]!.push(target);
    }
  }
  const order = flowOrder(graph);
  const cyclic = onCycles(graph);
  return {
    order,
    numberOf: (place) => numbers.get(place),
    loopsAround: (place) => {
      const heads: string[] = [];
      for (let head = order.loop[numbers.get(place) ?? -1] ?? -1; head >= 0; head = order.outerLoop[head]!)
        if (keys[head] !== place) heads.push(keys[head]!);
      return heads;
    },
    answerOf: (icon, answer) => numbers.get(answerKey(icon, answer)),
    guardAt: (at) => guards[at],
    repeats: (icon) => {
      const at = numbers.get(icon);
      return at !== undefined && cyclic[at] === 1;
    },
  };
}

const answerKey = (icon: IconId, label: ExitLabel): string => `\u0001${label} ${icon}`;

/** Marks nodes on a cycle: Tarjan's strongly connected components with an explicit stack. */
function onCycles(graph: readonly (readonly number[])[]): Uint8Array {
  const size = graph.length;
  const found = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const open = new Uint8Array(size);
  const cyclic = new Uint8Array(size);
  const component: number[] = [];
  let clock = 0;
  const stack: { number: number; at: number }[] = [];
  const enter = (number: number): void => {
    found[number] = low[number] = clock++;
    open[number] = 1;
    component.push(number);
    stack.push({ number, at: 0 });
  };
  enter(0);
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = graph[top.number]![top.at++];
    if (next !== undefined) {
      if (found[next]! < 0) enter(next);
      else if (open[next]) low[top.number] = Math.min(low[top.number]!, found[next]!);
      if (next === top.number) cyclic[next] = 1;
      continue;
    }
    stack.pop();
    const above = stack.at(-1);
    if (above) low[above.number] = Math.min(low[above.number]!, low[top.number]!);
    if (low[top.number] !== found[top.number]) continue;
    const alone = component.at(-1) === top.number;
    for (let member = component.pop()!; ; member = component.pop()!) {
      open[member] = 0;
      if (!alone) cyclic[member] = 1;
      if (member === top.number) break;
    }
  }
  return cyclic;
}
