import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import type { Condition, Duration, Step } from "../tree.ts";
import type { DiagramSurvey } from "./survey.ts";

/** Control flow graph of one branch, or of one process of a parallel block. Nodes are numbered; 0 is the entry. */
export interface ControlFlow {
  readonly nodes: FlowNode[];
}

export type FlowNode =
  | { readonly kind: "step"; readonly step: Step; next: number }
  /** Questions joined by "and" and "or" are one node. */
  | { readonly kind: "ask"; condition: Condition; yes: number; no: number }
  | {
      readonly kind: "select";
      readonly icon: Icon;
      readonly beside: { readonly duration?: Duration };
      readonly cases: readonly { readonly icon: Icon; readonly to: number }[];
      readonly otherwise: { readonly icon: Icon; readonly to: number } | undefined;
    }
  /** `loopend` is not a node: edges to it lead back here. */
  | { readonly kind: "for-each"; readonly icon: Icon; readonly end: Icon; body: number; done: number }
  | { readonly kind: "arrow"; readonly icon: Icon; next: number }
  | {
      readonly kind: "parallel";
      readonly processes: readonly { readonly icon: Icon; readonly flow: ControlFlow }[];
      readonly end: Icon;
      next: number;
    }
  | { readonly kind: "return" }
  | { readonly kind: "go"; readonly branch: IconId }
  /** The common end of a process. */
  | { readonly kind: "process-end" };

export const successors = (node: FlowNode): number[] => {
  switch (node.kind) {
    case "step":
    case "arrow":
    case "parallel":
      return [node.next];
    case "ask":
      return [node.yes, node.no];
    case "select":
      return [...node.cases, ...(node.otherwise ? [node.otherwise] : [])].map(({ to }) => to);
    case "for-each":
      return [node.body, node.done];
    case "return":
    case "go":
    case "process-end":
      return [];
  }
};

/** The icon to name in findings about a node; of a condition its first question. */
export const iconOf = (node: FlowNode): IconId | undefined => {
  switch (node.kind) {
    case "step":
      return node.step.icon;
    case "ask": {
      let condition = node.condition;
      while (condition.is !== "question") condition = condition.is === "not" ? condition.of : condition.of[0]!;
      return condition.icon;
    }
    case "select":
    case "for-each":
    case "arrow":
      return node.icon.id;
    case "parallel":
      return node.processes[0]!.icon.id;
    default:
      return undefined;
  }
};

/** The flows of all branches. The survey and the loop pairs must be free of errors. */
export function flowsOf(diagram: Diagram, seen: DiagramSurvey, loopEnds: ReadonlyMap<IconId, Icon>): ControlFlow[] {
  const startOfEnd = new Map<IconId, IconId>([...loopEnds].map(([start, end]) => [end.id, start]));
  const work: (() => void)[] = [];
  const flows = seen.branches.map((branch) => build(branch.one!));
  for (let next = work.pop(); next; next = work.pop()) next();
  return flows;

  /** Numbers nodes on first sight and fills them in from a work list: recursion would overflow on a long chain. */
  function build(entry: IconId, inProcess = false): ControlFlow {
    const flow: ControlFlow = { nodes: [] };
    const numbers = new Map<string, number>();
    const todo: { icon: Icon; number: number }[] = [];
    const fixed = (key: string, node: FlowNode): number => {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, flow.nodes.length);
      return flow.nodes.push(node) - 1;
    };
    const numberOf = (id: IconId | undefined): number => {
      const icon = diagram.icons.get(id ?? "")!;
      switch (roleOf(icon.type)) {
        case "end":
          return fixed("return", { kind: "return" });
        case "branch":
          return fixed(`go ${icon.id}`, { kind: "go", branch: icon.id });
        case "parend":
          return fixed("process-end", { kind: "process-end" });
        case "loopend":
          return numberOf(startOfEnd.get(icon.id));
        default: {
          const known = numbers.get(`icon ${icon.id}`);
          if (known !== undefined) return known;
          const number = flow.nodes.push({ kind: "return" }) - 1; // a placeholder until it is filled in
          numbers.set(`icon ${icon.id}`, number);
          todo.push({ icon, number });
          return number;
        }
      }
    };
    const stop = (): number =>
      inProcess ? fixed("process-end", { kind: "process-end" }) : fixed("return", { kind: "return" });
    numberOf(entry);
    for (let next = todo.pop(); next; next = todo.pop()) flow.nodes[next.number] = nodeOf(next.icon, numberOf, stop);
    return flow;
  }

  function nodeOf(icon: Icon, numberOf: (id: IconId | undefined) => number, stop: () => number): FlowNode {
    switch (roleOf(icon.type)) {
      case "question": {
        const [down, right] = [numberOf(icon.one), numberOf(icon.two)];
        const condition: Condition = { is: "question", icon: icon.id, text: icon.text, ...durationOf(icon) };
        return { kind: "ask", condition, yes: icon.yesIsDown ? down : right, no: icon.yesIsDown ? right : down };
      }
      case "select": {
        const all = seen.cases.get(icon.id)!.map((one) => ({ icon: one, to: one.final ? stop() : numberOf(one.one) }));
        const last = all.at(-1)!;
        const open = last.icon.text.trim() === "";
        return {
          kind: "select",
          icon,
          beside: durationOf(icon),
          cases: open ? all.slice(0, -1) : all,
          otherwise: open ? last : undefined,
        };
      }
      case "loopbegin": {
        const end = loopEnds.get(icon.id)!;
        return {
          kind: "for-each",
          icon,
          end,
          body: numberOf(icon.one),
          done: end.final ? stop() : numberOf(end.one),
        };
      }
      case "arrow-loop":
        return { kind: "arrow", icon, next: numberOf(icon.one) };
      case "parbegin": {
        const end = seen.parallelEnds.get(icon.id)!;
        const processes = seen.processes.get(icon.id)!.map((process) => {
          const flow: ControlFlow = { nodes: [] };
          work.push(() => flow.nodes.push(...build(process.one!, true).nodes));
          return { icon: process, flow };
        });
        return {
          kind: "parallel",
          processes,
          end,
          next: end.final ? stop() : numberOf(end.one),
        };
      }
      default:
        return {
          kind: "step",
          step: stepOf(icon),
          next: icon.final ? stop() : numberOf(icon.one),
        };
    }
  }

  function stepOf(icon: Icon): Step {
    return {
      node: "step",
      kind: icon.type,
      icon: icon.id,
      text: icon.text,
      ...(icon.secondary !== undefined && icon.secondary !== "" && { secondary: icon.secondary }),
      ...durationOf(icon),
    };
  }

  function durationOf(icon: Icon): { duration?: Duration } {
    const beside = icon.side === undefined ? undefined : diagram.icons.get(icon.side);
    return beside?.type === "duration" ? { duration: { icon: beside.id, text: beside.text } } : {};
  }
}
