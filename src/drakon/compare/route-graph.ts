import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import type { DiagramSurvey } from "../structure/survey.ts";

/** The id of an icon, or one of the places that are no icon of their own: the constants below, and the end of a process. */
export type Place = IconId;

export const START = "\u0000start";
/** All `end` icons are one place. */
export const END = "\u0000end";
/** The target of an exit that is missing or leads to no icon; only in diagrams with errors. */
export const NOWHERE = "\u0000nowhere";

export const processEnd = (block: IconId): Place => `\u0000process ${block}`;
/** The parallel block whose process ends at this place. */
export const blockEnding = (place: Place): IconId | undefined =>
  place.startsWith("\u0000process ") ? place.slice("\u0000process ".length) : undefined;

/** `item`: a round of a loop begins; `done`: no item is left; `again`: from the lower end of a loop to its head. */
export type ExitLabel = "start" | "next" | "yes" | "no" | "case" | "process" | "item" | "done" | "again";

export interface RouteExit {
  readonly label: ExitLabel;
  readonly to: Place;
}

/**
 * The ways through a diagram, without its layout: for each icon its labelled exits. A question has "yes" and "no" whatever the
 * orientation; `final` leads to the end; a parallel block is one place, named by its `parend`, with an exit to each process.
 * Works for diagrams with errors too.
 */
export interface RouteGraph {
  readonly diagram: Diagram;
  readonly exits: ReadonlyMap<Place, readonly RouteExit[]>;
  /** Places that can be reached from the start. */
  readonly reached: ReadonlySet<Place>;
  /** The lower end of each for-each. */
  readonly loopEnds: ReadonlyMap<IconId, IconId>;
  /** The select of each case. */
  readonly selects: ReadonlyMap<IconId, IconId>;
  /** The block, as a place, of each process. */
  readonly blocks: ReadonlyMap<IconId, IconId>;
  /** The branch that an icon belongs to. */
  readonly branchOf: (icon: IconId) => IconId | undefined;
}

export function routeGraph(diagram: Diagram, survey: DiagramSurvey): RouteGraph {
  const ends = pairLoops(diagram, survey).ends;
  const loopEnds = new Map([...ends].map(([begin, end]) => [begin, end.id]));
  const loopBegins = new Map([...loopEnds].map(([begin, end]) => [end, begin]));
  const selects = new Map([...survey.cases].flatMap(([select, cases]) => cases.map(({ id }) => [id, select] as const)));
  const blockOf = (head: IconId): IconId => survey.parallelEnds.get(head)?.id ?? head;
  const blocks = new Map(
    [...survey.processes].flatMap(([head, processes]) => processes.map(({ id }) => [id, blockOf(head)] as const)),
  );
  const heads = new Map([...survey.processes.keys()].map((head) => [blockOf(head), head]));
  const exits = new Map<Place, readonly RouteExit[]>();
  const entry = survey.branches[0];
  exits.set(START, [{ label: "start", to: entry?.id ?? NOWHERE }]);
  for (const id of survey.reached.keys()) {
    const icon = diagram.icons.get(id)!;
    const found = exitsOf(icon);
    if (found) exits.set(id, found);
  }
  for (const [block, head] of heads) {
    const end = diagram.icons.get(block);
    const processes = survey.processes.get(head)!.map(({ id }): RouteExit => ({ label: "process", to: id }));
    const after = end?.type === "parend" ? [{ label: "next" as const, to: below(end) }] : [];
    if (block !== head) exits.set(block, [...processes, ...after]);
  }
  return {
    diagram,
    exits,
    reached: reachedFrom(exits),
    loopEnds,
    selects,
    blocks,
    branchOf: (icon) => survey.reached.get(icon)?.branch,
  };

  function place(id: IconId | undefined, from: IconId): Place {
    const icon = id === undefined ? undefined : diagram.icons.get(id);
    if (!icon) return NOWHERE;
    const process = blocks.has(from) ? { head: headOf(from) } : survey.reached.get(from)?.process;
    switch (roleOf(icon.type)) {
      case "end":
        return END;
      case "parend":
        return processEnd(process ? blockOf(process.head) : icon.id);
      case "parbegin":
        return blocks.get(icon.id) ?? icon.id;
      default:
        return icon.id;
    }
  }

  function headOf(process: IconId): IconId {
    return heads.get(blocks.get(process)!) ?? process;
  }

  /** The place below an icon; for a final icon the end of the procedure or of its process. */
  function below(icon: Icon): Place {
    if (!icon.final) return place(icon.one, icon.id);
    const process = survey.reached.get(icon.id)?.process;
    return process ? processEnd(blockOf(process.head)) : END;
  }

  function exitsOf(icon: Icon): RouteExit[] | undefined {
    switch (roleOf(icon.type)) {
      case "question": {
        const [down, right] = [place(icon.one, icon.id), place(icon.two, icon.id)];
        const [yes, no] = icon.yesIsDown ? [down, right] : [right, down];
        return [
          { label: "yes", to: yes },
          { label: "no", to: no },
        ];
      }
      case "select":
        return (survey.cases.get(icon.id) ?? []).map(({ id }) => ({ label: "case", to: id }));
      case "loopbegin": {
        const end = ends.get(icon.id);
        return [
          { label: "item", to: place(icon.one, icon.id) },
          { label: "done", to: end ? below(end) : NOWHERE },
        ];
      }
      case "loopend":
        return [{ label: "again", to: loopBegins.get(icon.id) ?? NOWHERE }];
      case "parbegin":
        return [{ label: "next", to: place(icon.one, icon.id) }];
      case "end":
      case "parend":
      case "duration":
      case "none":
        return undefined;
      default:
        return [{ label: "next", to: below(icon) }];
    }
  }
}

const reachedFrom = (exits: RouteGraph["exits"]): Set<Place> => placesBehind({ exits }, START).add(START);

/** The places that some way leads to from a place. The place itself is among them only if it lies on a loop. */
export function placesBehind({ exits }: Pick<RouteGraph, "exits">, from: Place): Set<Place> {
  const reached = new Set<Place>();
  const work: Place[] = [from];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    for (const { to } of exits.get(at) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      work.push(to);
    }
  }
  return reached;
}

/** The place behind loop arrows, which mean nothing by themselves. A ring of arrows leads nowhere. */
export function behindArrows({ diagram, exits }: RouteGraph, from: Place): Place {
  const passed = new Set<Place>();
  let at = from;
  while (diagram.icons.get(at)?.type === "arrow-loop") {
    if (passed.has(at)) return NOWHERE;
    passed.add(at);
    at = exits.get(at)?.[0]?.to ?? NOWHERE;
  }
  return at;
}
