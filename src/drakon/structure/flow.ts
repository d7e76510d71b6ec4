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
  const source: FlowSource = {
    diagram,
    seen,
    loopEnds,
    loopStarts: new Map([...loopEnds].map(([start, end]) => [end.id, start])),
    work: [],
  };
  const flows = seen.branches.map((branch) => new FlowBuilder(source, false).build(branch.one!));
  for (let next = source.work.pop(); next; next = source.work.pop()) next();
  return flows;
}

interface FlowSource {
  readonly diagram: Diagram;
  readonly seen: DiagramSurvey;
  readonly loopEnds: ReadonlyMap<IconId, Icon>;
  /** The first icon of a loop, by the id of its last. */
  readonly loopStarts: ReadonlyMap<IconId, IconId>;
  /** Parallel processes that are still to be built: blocks may be nested very deeply. */
  readonly work: (() => void)[];
}

/** Numbers nodes on first sight and fills them in from a work list: recursion would overflow on a long chain. */
class FlowBuilder {
  readonly #source: FlowSource;
  readonly #inProcess: boolean;
  readonly #nodes: FlowNode[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #todo: { readonly icon: Icon; readonly number: number }[] = [];

  constructor(source: FlowSource, inProcess: boolean) {
    this.#source = source;
    this.#inProcess = inProcess;
  }

  build(entry: IconId): ControlFlow {
    this.#numberOf(entry);
    for (let next = this.#todo.pop(); next; next = this.#todo.pop()) this.#nodes[next.number] = this.#nodeOf(next.icon);
    return { nodes: this.#nodes };
  }

  #numberOf(id: IconId | undefined): number {
    const icon = this.#source.diagram.icons.get(id ?? "")!;
    switch (roleOf(icon.type)) {
      case "end":
        return this.#terminal("return", { kind: "return" });
      case "branch":
        return this.#terminal(`go ${icon.id}`, { kind: "go", branch: icon.id });
      case "parend":
        return this.#terminal("process-end", { kind: "process-end" });
      case "loopend":
        return this.#numberOf(this.#source.loopStarts.get(icon.id));
      default: {
        const known = this.#numbers.get(`icon ${icon.id}`);
        if (known !== undefined) return known;
        const number = this.#nodes.push({ kind: "return" }) - 1; // a placeholder until it is filled in
        this.#numbers.set(`icon ${icon.id}`, number);
        this.#todo.push({ icon, number });
        return number;
      }
    }
  }

  #terminal(key: string, node: FlowNode): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#nodes.length);
    return this.#nodes.push(node) - 1;
  }

  /** The node after an icon; for a final icon the end of the flow. */
  #after(icon: Icon): number {
    if (!icon.final) return this.#numberOf(icon.one);
    const kind = this.#inProcess ? "process-end" : "return";
    return this.#terminal(kind, { kind });
  }

  #nodeOf(icon: Icon): FlowNode {
    const { seen, loopEnds } = this.#source;
    switch (roleOf(icon.type)) {
      case "question": {
        const [down, right] = [this.#numberOf(icon.one), this.#numberOf(icon.two)];
        const condition: Condition = { is: "question", icon: icon.id, text: icon.text, ...this.#durationOf(icon) };
        return { kind: "ask", condition, yes: icon.yesIsDown ? down : right, no: icon.yesIsDown ? right : down };
      }
      case "select": {
        const all = seen.cases.get(icon.id)!.map((one) => ({ icon: one, to: this.#after(one) }));
        const last = all.at(-1)!;
        const hasDefault = last.icon.text.trim() === "";
        const cases = hasDefault ? all.slice(0, -1) : all;
        return {
          kind: "select",
          icon,
          beside: this.#durationOf(icon),
          cases,
          otherwise: hasDefault ? last : undefined,
        };
      }
      case "loopbegin": {
        const end = loopEnds.get(icon.id)!;
        return { kind: "for-each", icon, end, body: this.#numberOf(icon.one), done: this.#after(end) };
      }
      case "arrow-loop":
        return { kind: "arrow", icon, next: this.#numberOf(icon.one) };
      case "parbegin": {
        const end = seen.parallelEnds.get(icon.id)!;
        const processes = seen.processes.get(icon.id)!.map((process) => this.#processOf(process));
        return { kind: "parallel", processes, end, next: this.#after(end) };
      }
      default:
        return { kind: "step", step: this.#stepOf(icon), next: this.#after(icon) };
    }
  }

  #processOf(icon: Icon): { icon: Icon; flow: ControlFlow } {
    const flow: ControlFlow = { nodes: [] };
    const source = this.#source;
    source.work.push(() => flow.nodes.push(...new FlowBuilder(source, true).build(icon.one!).nodes));
    return { icon, flow };
  }

  #stepOf(icon: Icon): Step {
    return {
      node: "step",
      kind: icon.type,
      icon: icon.id,
      text: icon.text,
      ...(icon.secondary !== undefined && icon.secondary !== "" && { secondary: icon.secondary }),
      ...this.#durationOf(icon),
    };
  }

  #durationOf(icon: Icon): { duration?: Duration } {
    const beside = icon.side === undefined ? undefined : this.#source.diagram.icons.get(icon.side);
    return beside?.type === "duration" ? { duration: { icon: beside.id, text: beside.text } } : {};
  }
}
