import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import { applyOperation } from "../../../../src/drakon/edit/apply-operation.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { PlaceCommand, TextCommand } from "./command.ts";
import { lineCommands } from "./line-commands.ts";
import type { DiagramPlace } from "./places.ts";

/** Something being dragged, or picked up and waiting for a place to be selected. */
export interface DragItem {
  readonly name: Text;
  readonly hint: Text;
  /** The place that it was taken from; undefined for a new icon. */
  readonly from: string | undefined;
  /** Returns the effect of dropping it there; undefined where it cannot be dropped. */
  readonly dropAt: (place: DiagramPlace) => Drop | undefined;
}

/** Done at once, or after a text was written. */
export type Drop = { readonly operation: EditOperation } | { readonly command: TextCommand };

/** A place that is moved: a step to another line, the end of a line to another icon or back up, an address to a branch. */
export function dragItemOfPlace(
  name: string,
  place: DiagramPlace,
  commands: readonly PlaceCommand[],
): DragItem | undefined {
  const [first] = commands;
  if (!first) return undefined;
  return {
    name: { en: name, uk: name },
    hint: commands.length === 1 ? first.hint : { en: hints(commands, "en"), uk: hints(commands, "uk") },
    from: place.key,
    dropAt: (to) => {
      if (to.key === place.key) return undefined;
      for (const command of commands) {
        const operation = command.operationAt(to);
        if (operation) return { operation };
      }
      return undefined;
    },
  };
}

const hints = (commands: readonly PlaceCommand[], of: "en" | "uk"): string =>
  commands.map(({ hint }) => hint[of]).join(" ");

/** A new icon, by the id of the command that inserts it. */
export function dragItemOfNewIcon(diagram: Diagram, id: string, name: Text): DragItem {
  return {
    name,
    hint: words.line,
    from: undefined,
    dropAt: (to) => {
      const command = to.kind === "line" ? lineCommands(diagram, to).find((each) => each.id === id) : undefined;
      if (command?.needs === "text") return { command };
      return command?.needs === "nothing" ? { operation: command.operation } : undefined;
    },
  };
}

/** Returns why the drop is refused, tried on a copy. */
export function dropRefusal(diagram: Diagram, drop: Drop): EditRefused | undefined {
  const operation = "operation" in drop ? drop.operation : drop.command.attempt;
  const tried = operation && applyOperation(diagram, operation);
  return tried?.kind === "refused" ? tried : undefined;
}

/** The place at a point: the one that contains it, or the nearest within reach. */
export function nearestPlace(places: readonly DiagramPlace[], point: Point, reach: number): DiagramPlace | undefined {
  let best: DiagramPlace | undefined;
  let least = reach;
  for (const place of places) {
    const away = distance(place, point);
    if (away < least || (away === least && best === undefined)) [best, least] = [place, away];
  }
  return best;
}

function distance(place: DiagramPlace, { x, y }: Point): number {
  if (place.kind !== "line") return toBox(place.x, place.y, place.x + place.width, place.y + place.height, x, y);
  let least = Infinity;
  for (let at = 1; at < place.points.length; at++) {
    const [from, to] = [place.points[at - 1]!, place.points[at]!];
    const away = toBox(
      Math.min(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.x, to.x),
      Math.max(from.y, to.y),
      x,
      y,
    );
    least = Math.min(least, away);
  }
  return least;
}

/** Distance to a rectangle. Lines are vertical or horizontal: each of their parts is a rectangle without width. */
const toBox = (left: number, top: number, right: number, bottom: number, x: number, y: number): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

const words = {
  line: { en: "Select the line to put it on.", uk: "Виберіть лінію, на якій вона стоятиме." },
} as const satisfies Record<string, Text>;
