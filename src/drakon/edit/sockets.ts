import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { type DiagramSurvey, surveyDiagram } from "../structure/survey.ts";
import { lineExits } from "./draft.ts";
import type { EditLine, ExitRef } from "./operation.ts";

/** A line on which an icon can be inserted. */
export interface Socket {
  readonly line: EditLine;
  readonly target: IconId;
  /** True after a join: the line carries several exits. */
  readonly joined: boolean;
}

/**
 * Every line on which an icon can be inserted: each exit alone, and after each join all exits that meet there. Back edges of
 * a loop do not join its entries; exits of different branches or processes never join.
 */
export function sockets(diagram: Diagram): Socket[] {
  const seen = surveyDiagram(diagram);
  const backs = backExits(diagram, seen);
  const joins = new Map<string, { target: IconId; links: ExitRef[] }>();
  const found: Socket[] = [];
  for (const id of seen.reached.keys()) {
    const icon = diagram.icons.get(id)!;
    if (icon.final) continue;
    for (const exit of lineExits(icon)) {
      const target = icon[exit];
      if (target === undefined || !diagram.icons.has(target)) continue;
      const link: ExitRef = { icon: id, exit };
      found.push({ line: [link], target, joined: false });
      const key = JSON.stringify([target, backs.has(`${exit} ${id}`), ...room(seen, icon)]);
      const join = joins.get(key);
      if (join) join.links.push(link);
      else joins.set(key, { target, links: [link] });
    }
  }
  for (const { target, links } of joins.values())
    if (links.length > 1) found.push({ line: links, target, joined: true });
  return found;
}

/** The branch and the process of an icon's exits. */
function room(seen: DiagramSurvey, icon: Icon): (IconId | undefined)[] {
  const context = seen.reached.get(icon.id)!;
  if (icon.type === "parbegin") return [context.branch, icon.id];
  const { process } = context;
  return [context.branch, process && seen.processes.get(process.head)?.[process.index]?.id];
}

/** Exits that lead back up. In a valid diagram they do not depend on the search order. */
function backExits(diagram: Diagram, seen: DiagramSurvey): Set<string> {
  const backs = new Set<string>();
  const state = new Map<IconId, "open" | "done">();
  for (const branch of seen.branches) {
    const stack: { icon: Icon; exits: ("one" | "two")[] }[] = [];
    const enter = (icon: Icon): void => {
      state.set(icon.id, "open");
      stack.push({ icon, exits: icon.final ? [] : ["two", "one"] });
    };
    enter(branch);
    while (stack.length > 0) {
      const { icon, exits } = stack.at(-1)!;
      const exit = exits.pop();
      const next = exit && diagram.icons.get(icon[exit] ?? "");
      if (!exit) {
        state.set(icon.id, "done");
        stack.pop();
      } else if (next && roleOf(next.type) !== "branch") {
        if (state.get(next.id) === "open") backs.add(`${exit} ${icon.id}`);
        else if (!state.has(next.id)) enter(next);
      }
    }
  }
  return backs;
}
