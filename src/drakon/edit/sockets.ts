import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { type Survey, survey } from "../structure/survey.ts";
import { lineExits } from "./draft.ts";
import type { EditLine, ExitRef } from "./operation.ts";

/** A place where something can be inserted. */
export interface Socket {
  readonly line: EditLine;
  readonly target: IconId;
  /** Behind a join: the line carries several ways. */
  readonly joined: boolean;
}

/**
 * Every line of a diagram on which an icon can be put: each exit by itself, and behind each join all ways that meet there. Ways
 * that come back to a loop do not meet those that come into it; those of different branches and processes never meet.
 */
export function sockets(diagram: Diagram): Socket[] {
  const seen = survey(diagram);
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

/** The branch and the process that the exits of an icon lie in. */
function room(seen: Survey, icon: Icon): (IconId | undefined)[] {
  const context = seen.reached.get(icon.id)!;
  if (icon.type === "parbegin") return [context.branch, icon.id];
  const { process } = context;
  return [context.branch, process && seen.processes.get(process.head)?.[process.index]?.id];
}

/** Exits that lead back up. In a legal diagram any walk finds the same ones. */
function backExits(diagram: Diagram, seen: Survey): Set<string> {
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
