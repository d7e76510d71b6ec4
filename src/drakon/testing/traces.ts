import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Block, Condition, Tree } from "../tree.ts";

/**
 * Two walks of one diagram that must leave the same trace: over the drawn icons and over the tree. Only control flow is followed;
 * an oracle decides by the icon and the number of its visits.
 */
export type Oracle = (icon: IconId, visit: number, choices: number) => number;

const LIMIT = 3000;

class Trace {
  readonly events: string[] = [];
  readonly #visits = new Map<IconId, number>();
  readonly #oracle: Oracle;

  constructor(oracle: Oracle) {
    this.#oracle = oracle;
  }

  add(event: string): void {
    if (this.events.length >= LIMIT) throw new Full();
    this.events.push(event);
  }

  ask(icon: IconId, choices: number): number {
    const visit = (this.#visits.get(icon) ?? 0) + 1;
    this.#visits.set(icon, visit);
    const answer = this.#oracle(icon, visit, choices);
    this.add(`${icon}=${answer}`);
    return answer;
  }
}

/** The trace is long enough to compare. */
class Full extends Error {}

function traced(oracle: Oracle, walk: (trace: Trace) => void): string[] {
  const trace = new Trace(oracle);
  try {
    walk(trace);
    trace.add("stop");
  } catch (error) {
    if (!(error instanceof Full)) throw error;
  }
  return trace.events;
}

export function graphTrace(diagram: Diagram, oracle: Oracle): string[] {
  const seen = surveyDiagram(diagram);
  const { ends } = pairLoops(diagram, seen);
  const starts = new Map([...ends].map(([start, end]) => [end.id, start]));
  const icon = (id: IconId | undefined): Icon => diagram.icons.get(id!)!;
  return traced(oracle, (trace) => {
    walk(icon(seen.branches[0]!.id), undefined);

    /** Follows the icons to the end or to `stop`. Returns false at the end of the procedure. */
    function walk(from: Icon, stop: IconId | undefined): boolean {
      for (let at = from; ; ) {
        if (at.id === stop) return true;
        switch (roleOf(at.type)) {
          case "end":
            return false;
          case "branch":
            trace.add(`branch ${at.id}`);
            at = icon(at.one);
            break;
          case "question":
            at = icon((trace.ask(at.id, 2) === 1) === at.yesIsDown ? at.one : at.two);
            break;
          case "select": {
            const cases = seen.cases.get(at.id)!;
            const chosen = cases[trace.ask(at.id, cases.length)]!;
            if (chosen.final) return false;
            at = icon(chosen.one);
            break;
          }
          case "loopbegin":
            if (trace.ask(at.id, 2) === 1) at = icon(at.one);
            else if (ends.get(at.id)!.final) return false;
            else at = icon(ends.get(at.id)!.one);
            break;
          case "loopend":
            at = icon(starts.get(at.id));
            break;
          case "arrow-loop":
            trace.add(`arrow ${at.id}`);
            at = icon(at.one);
            break;
          case "parbegin": {
            const end = seen.parallelEnds.get(at.id)!;
            for (const process of seen.processes.get(at.id)!) {
              trace.add(`process ${process.id}`);
              walk(icon(process.one), end.id);
            }
            if (end.final) return false;
            at = icon(end.one);
            break;
          }
          default:
            trace.add(at.id);
            if (at.final) return false;
            at = icon(at.one);
        }
      }
    }
  });
}

/** The exit that left a block; undefined if it ran to its end. */
type Left =
  | undefined
  | { readonly to: "return" }
  | { readonly to: "go"; readonly branch: IconId }
  | { readonly to: "break" | "next" | "leave"; readonly label: number | undefined };

export function treeTrace(tree: Tree, oracle: Oracle): string[] {
  return traced(oracle, (trace) => {
    for (let branch = tree.branches[0]!; ; ) {
      trace.add(`branch ${branch.icon}`);
      const left = block(branch.body);
      if (left?.to !== "go") return;
      branch = tree.branches.find(({ icon }) => icon === left.branch)!;
    }

    function block(nodes: Block): Left {
      for (const node of nodes) {
        switch (node.node) {
          case "step":
            trace.add(node.icon);
            break;
          case "if": {
            const left = block(holds(node.condition) ? node.yes : node.no);
            if (left) return left;
            break;
          }
          case "select": {
            const arms = [...node.cases, ...(node.otherwise ? [node.otherwise] : [])];
            const left = block(arms[trace.ask(node.icon, arms.length)]!.body);
            if (left) return left;
            break;
          }
          case "for-each":
          case "loop":
            for (;;) {
              if (node.node === "loop") trace.add(`arrow ${node.icon}`);
              else if (trace.ask(node.icon, 2) === 0) break;
              const left = block(node.body);
              const mine = left && "label" in left && (left.label === undefined || left.label === node.label);
              if (left && !(mine && left.to !== "leave")) return left;
              if (left?.to === "break") break;
            }
            break;
          case "block": {
            const left = block(node.body);
            if (left && !(left.to === "leave" && left.label === node.label)) return left;
            break;
          }
          case "parallel":
            for (const process of node.processes) {
              trace.add(`process ${process.icon}`);
              block(process.body);
            }
            break;
          case "break":
          case "next":
          case "leave":
            return { to: node.node, label: node.label };
          case "return":
            return { to: "return" };
          case "go":
            return { to: "go", branch: node.branch };
        }
      }
      return undefined;
    }

    function holds(condition: Condition): boolean {
      switch (condition.is) {
        case "question":
          return trace.ask(condition.icon, 2) === 1;
        case "not":
          return !holds(condition.of);
        case "and":
          return condition.of.every(holds);
        case "or":
          return condition.of.some(holds);
      }
    }
  });
}
