import type { Diagram, Icon } from "./diagram.ts";
import { type Finding, finding } from "./finding.ts";
import type { IconId } from "./icon-id.ts";
import { roleOf } from "./icon-types.ts";
import { type Survey, sameContext } from "./survey.ts";

/**
 * Which `loopend` belongs to which `loopbegin`. The file does not say; the drawing does: the end hangs on the same vertical
 * line. So the way straight down is tried first, and only where that leaves the loop (an exit drawn downwards) any other way.
 */
export function pairLoops(diagram: Diagram, seen: Survey): { ends: ReadonlyMap<IconId, Icon>; findings: Finding[] } {
  const ends = new Map<IconId, Icon>();
  const taken = new Set<IconId>();
  const findings: Finding[] = [];
  const reached = [...seen.reached.keys()].map((id) => diagram.icons.get(id)!);
  const starts = reached.filter(({ type }) => type === "loopbegin");
  // Inner loops are discovered after outer ones; they are paired first, so that the outer search can step over them.
  for (const start of starts.toReversed()) {
    const end = straightDown(start) ?? anyWay(start);
    if (!end) {
      findings.push(finding("E-LOOP-UNPAIRED", { icon: start.id, iconText: start.text }));
      continue;
    }
    ends.set(start.id, end);
    taken.add(end.id);
  }
  for (const icon of reached) {
    if (icon.type === "loopend" && !taken.has(icon.id))
      findings.push(finding("E-LOOP-UNPAIRED", { icon: icon.id, iconText: icon.text }));
  }
  return { ends, findings };

  function isFreeEnd(icon: Icon, start: Icon): boolean {
    return (
      icon.type === "loopend" &&
      !taken.has(icon.id) &&
      sameContext(seen.reached.get(icon.id)!, seen.reached.get(start.id)!)
    );
  }

  /** Where an icon leads, with inner loops and parallel blocks stepped over. */
  function exits(icon: Icon): (IconId | undefined)[] {
    switch (roleOf(icon.type)) {
      case "loopbegin":
        return [ends.get(icon.id)?.one];
      case "parbegin":
        return [seen.parallelEnds.get(icon.id)?.one];
      case "select":
        return (seen.cases.get(icon.id) ?? []).map(({ one }) => one);
      case "question":
        return [icon.one, icon.two];
      case "end":
      case "branch":
      case "loopend":
        return [];
      default:
        return icon.final ? [] : [icon.one];
    }
  }

  function straightDown(start: Icon): Icon | undefined {
    const passed = new Set<IconId>();
    for (let id = start.one; id !== undefined && !passed.has(id); ) {
      passed.add(id);
      const icon = diagram.icons.get(id);
      if (!icon) return undefined;
      if (isFreeEnd(icon, start)) return icon;
      id = exits(icon)[0];
    }
    return undefined;
  }

  function anyWay(start: Icon): Icon | undefined {
    const passed = new Set<IconId>();
    let front = [start.one];
    while (front.length > 0) {
      const next: (IconId | undefined)[] = [];
      for (const id of front) {
        const icon = id === undefined || passed.has(id) ? undefined : diagram.icons.get(id);
        if (!icon) continue;
        passed.add(icon.id);
        if (isFreeEnd(icon, start)) return icon;
        next.push(...exits(icon));
      }
      front = next;
    }
    return undefined;
  }
}
