import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { dominators, type Graph, reversePostOrder } from "./graph.ts";
import { cycleFindings, loopLineFindings } from "./loop-lines.ts";
import { type DiagramSurvey, sameContext } from "./survey.ts";

/**
 * Finds the `loopend` of every `loopbegin`: the file does not say. An end belongs to the innermost `loopbegin` that dominates
 * it, inner ends before outer ones; this does not depend on the orientation of questions. Only where two ends lie side by side
 * and either could be meant, the drawing decides: the end hangs straight below its beginning.
 */
export function pairLoops(
  diagram: Diagram,
  seen: DiagramSurvey,
): { ends: ReadonlyMap<IconId, Icon>; findings: Finding[] } {
  const pairing = new LoopPairing(diagram, seen);
  const { ends } = pairing;
  return { ends, findings: pairing.run() };
}

class LoopPairing {
  readonly ends = new Map<IconId, Icon>();
  readonly #diagram: Diagram;
  readonly #seen: DiagramSurvey;
  readonly #icons: readonly Icon[];
  readonly #paired = new Set<IconId>();

  constructor(diagram: Diagram, seen: DiagramSurvey) {
    this.#diagram = diagram;
    this.#seen = seen;
    this.#icons = [...seen.reached.keys()].map((id) => diagram.icons.get(id)!);
  }

  run(): Finding[] {
    if (this.#icons.some(({ type }) => type === "loopbegin" || type === "loopend")) {
      this.#pairByDominance();
      this.#pairByDrawing();
    }
    const unpaired = this.#icons.filter(
      ({ id, type }) => (type === "loopbegin" && !this.ends.has(id)) || (type === "loopend" && !this.#paired.has(id)),
    );
    if (this.ends.size === 0 && unpaired.length === 0) return [];
    const passage = { icons: this.#icons, ...this.#passage() };
    // A line back to an icon hides the lower end of the loops around it: that line is the fault, not the loops.
    const cycles = unpaired.length > 0 ? cycleFindings(passage) : undefined;
    return [
      ...(cycles?.findings ?? []),
      ...unpaired
        .filter(({ id, type }) => !(type === "loopbegin" && cycles?.isAround(id)))
        .map(({ id, text }) => finding("E-LOOP-UNPAIRED", { icon: id, iconText: text })),
      ...loopLineFindings(passage, this.ends),
    ];
  }

  #pair(begin: Icon, end: Icon): void {
    this.ends.set(begin.id, end);
    this.#paired.add(end.id);
  }

  #pairByDominance(): void {
    const { graph, numberOf } = this.#passage();
    const order = reversePostOrder(graph);
    const iconAt = (number: number): Icon => this.#icons[number - 1]!;
    const isA = (type: string, number: number): boolean => number > 0 && iconAt(number).type === type;
    const dominator = dominators(graph, order.length);
    // The nearest dominating `loopbegin` of each node. Paired ones are skipped, with path compression.
    const above = new Int32Array(graph.length);
    for (const number of order.slice(1)) {
      const parent = dominator[number]!;
      above[number] = isA("loopbegin", parent) ? parent : above[parent]!;
    }
    const open = (from: number): number => {
      let found = above[from]!;
      while (found > 0 && this.ends.has(iconAt(found).id)) found = above[found]!;
      for (let at = from; at !== found && above[at] !== found; ) [at, above[at]] = [above[at]!, found];
      return found;
    };
    const work = order.filter((number) => isA("loopend", number)).toReversed();
    for (let end = work.pop(); end !== undefined; end = work.pop()) {
      const begin = this.#paired.has(iconAt(end).id) ? 0 : open(end);
      if (begin === 0) continue;
      const below = this.#straightBelow(iconAt(begin));
      const other = below && numberOf.get(below.id)!;
      if (!other || other === end || open(other) !== begin || leadsTo(graph, end, other)) {
        this.#pair(iconAt(begin), iconAt(end));
      } else {
        this.#pair(iconAt(begin), below);
        work.push(end); // it lies beside that end, so it belongs to an outer loop
      }
    }
  }

  /** The rest is invalid. Pairing it by the drawing allows a better finding: an edge leads into the loop. */
  #pairByDrawing(): void {
    const { reached } = this.#seen;
    for (const begin of this.#icons.toReversed()) {
      const end = begin.type === "loopbegin" && !this.ends.has(begin.id) ? this.#straightBelow(begin) : undefined;
      if (end && sameContext(reached.get(begin.id)!, reached.get(end.id)!)) this.#pair(begin, end);
    }
  }

  /** All reached icons as one graph without the back edges of loops; parallel blocks are skipped as one node. */
  #passage(): { graph: Graph; numberOf: ReadonlyMap<IconId, number> } {
    const numberOf = new Map(this.#icons.map(({ id }, index) => [id, index + 1]));
    const number = (id: IconId | undefined): number[] => {
      const found = id === undefined ? undefined : numberOf.get(id);
      return found === undefined || roleOf(this.#diagram.icons.get(id!)!.type) === "branch" ? [] : [found];
    };
    const processes = [...this.#seen.processes.values()].flat();
    const roots = [...this.#seen.branches, ...processes].flatMap(({ one }) => number(one));
    return { graph: [roots, ...this.#icons.map((icon) => this.#exits(icon).flatMap(number))], numberOf };
  }

  #exits(icon: Icon): (IconId | undefined)[] {
    if (icon.final && icon.type !== "loopend") return []; // the line below a final loopend still shows the outer loop
    switch (roleOf(icon.type)) {
      case "parbegin":
        return [this.#seen.parallelEnds.get(icon.id)?.one];
      case "select":
        return (this.#seen.cases.get(icon.id) ?? []).map(({ one }) => one);
      case "question":
        return icon.yesIsDown ? [icon.one, icon.two] : [icon.two, icon.one];
      case "end":
      case "branch":
      case "case":
      case "parend":
      case "duration":
        return [];
      default:
        return [icon.one];
    }
  }

  /** The target of the line below an icon; a loop that is paired already is skipped. */
  #downFrom(icon: Icon): IconId | undefined {
    if (icon.type === "question") return icon.one;
    if (icon.type === "loopbegin" && this.ends.has(icon.id)) return this.ends.get(icon.id)!.one;
    return this.#exits(icon)[0];
  }

  /** The first unpaired end on the line straight down. */
  #straightBelow(begin: Icon): Icon | undefined {
    const passed = new Set<IconId>();
    for (let id = begin.one; id !== undefined && !passed.has(id); ) {
      passed.add(id);
      const icon = this.#diagram.icons.get(id);
      if (!icon) return undefined;
      if (icon.type === "loopend" && !this.#paired.has(icon.id)) return icon;
      id = this.#downFrom(icon);
    }
    return undefined;
  }
}

function leadsTo(graph: Graph, from: number, to: number): boolean {
  const passed = new Set([from]);
  const work = [from];
  for (let number = work.pop(); number !== undefined; number = work.pop()) {
    if (number === to) return true;
    for (const next of graph[number]!) {
      if (passed.has(next)) continue;
      passed.add(next);
      work.push(next);
    }
  }
  return false;
}
