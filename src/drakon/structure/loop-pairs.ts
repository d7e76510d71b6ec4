import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { dominators, type Graph, reversePostOrder } from "./graph.ts";
import { type DiagramSurvey, sameContext } from "./survey.ts";

/**
 * Which `loopend` belongs to which `loopbegin`: the file does not say. An end belongs to the innermost beginning that every way
 * to it passes, inner ends before outer ones; that does not depend on how questions are turned. Only where two ends lie side by
 * side, so that either could be meant, the drawing decides: the end hangs straight below its beginning.
 */
export function pairLoops(
  diagram: Diagram,
  seen: DiagramSurvey,
): { ends: ReadonlyMap<IconId, Icon>; findings: Finding[] } {
  const icons = [...seen.reached.keys()].map((id) => diagram.icons.get(id)!);
  const ends = new Map<IconId, Icon>();
  const taken = new Set<IconId>();
  if (icons.some(({ type }) => type === "loopbegin" || type === "loopend")) pair();
  const unpaired = icons.filter(
    ({ id, type }) => (type === "loopbegin" && !ends.has(id)) || (type === "loopend" && !taken.has(id)),
  );
  const findings = unpaired.map(({ id, text }) => finding("E-LOOP-UNPAIRED", { icon: id, iconText: text }));
  return { ends, findings };

  function pair(): void {
    const { graph, numberOf } = passage();
    const order = reversePostOrder(graph);
    const dominator = dominators(graph, order.length);
    const iconAt = (number: number): Icon => icons[number - 1]!;
    const isA =
      (type: string) =>
      (number: number): boolean =>
        number > 0 && iconAt(number).type === type;
    // The nearest beginning above each node; paired ones are stepped over, and the way is shortened as one goes.
    const above = new Int32Array(graph.length);
    for (const number of order.slice(1)) {
      const parent = dominator[number]!;
      above[number] = isA("loopbegin")(parent) ? parent : above[parent]!;
    }
    const open = (from: number): number => {
      let found = above[from]!;
      while (found > 0 && ends.has(iconAt(found).id)) found = above[found]!;
      for (let at = from; at !== found && above[at] !== found; ) [at, above[at]] = [above[at]!, found];
      return found;
    };
    const join = (begin: number, end: Icon): void => {
      ends.set(iconAt(begin).id, end);
      taken.add(end.id);
    };
    const work = order.filter(isA("loopend")).toReversed();
    for (let end = work.pop(); end !== undefined; end = work.pop()) {
      const begin = taken.has(iconAt(end).id) ? 0 : open(end);
      if (begin === 0) continue;
      const below = straightBelow(iconAt(begin));
      const other = below && numberOf.get(below.id)!;
      if (!other || other === end || open(other) !== begin || leadsTo(graph, end, other)) {
        join(begin, iconAt(end));
      } else {
        join(begin, below);
        work.push(end); // it lies beside that one, and belongs further out
      }
    }
    // What is left is wrong in some way. Paired by the drawing, it can be said in which: a way leads into the loop.
    for (const begin of icons.toReversed()) {
      const end = begin.type === "loopbegin" && !ends.has(begin.id) ? straightBelow(begin) : undefined;
      if (end && sameContext(seen.reached.get(begin.id)!, seen.reached.get(end.id)!))
        join(numberOf.get(begin.id)!, end);
    }
  }

  /** Everything that was reached as one graph, in which loops do not go round and parallel blocks are stepped over. */
  function passage(): { graph: Graph; numberOf: ReadonlyMap<IconId, number> } {
    const numberOf = new Map(icons.map(({ id }, index) => [id, index + 1]));
    const number = (id: IconId | undefined): number[] => {
      const found = id === undefined ? undefined : numberOf.get(id);
      return found === undefined || roleOf(diagram.icons.get(id!)!.type) === "branch" ? [] : [found];
    };
    const processes = [...seen.processes.values()].flat();
    const roots = [...seen.branches, ...processes].flatMap(({ one }) => number(one));
    return { graph: [roots, ...icons.map((icon) => exits(icon).flatMap(number))], numberOf };
  }

  function exits(icon: Icon): (IconId | undefined)[] {
    if (icon.final && icon.type !== "loopend") return []; // the line below a last loopend still shows what lies further out
    switch (roleOf(icon.type)) {
      case "parbegin":
        return [seen.parallelEnds.get(icon.id)?.one];
      case "select":
        return (seen.cases.get(icon.id) ?? []).map(({ one }) => one);
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

  /** Where the line below an icon leads; past a loop that is paired already. */
  function downFrom(icon: Icon): IconId | undefined {
    if (icon.type === "question") return icon.one;
    if (icon.type === "loopbegin" && ends.has(icon.id)) return ends.get(icon.id)!.one;
    return exits(icon)[0];
  }

  /** The first end on the way straight down that is not yet taken. */
  function straightBelow(begin: Icon): Icon | undefined {
    const passed = new Set<IconId>();
    for (let id = begin.one; id !== undefined && !passed.has(id); ) {
      passed.add(id);
      const icon = diagram.icons.get(id);
      if (!icon) return undefined;
      if (icon.type === "loopend" && !taken.has(icon.id)) return icon;
      id = downFrom(icon);
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
