import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import { applyOperation } from "../../../../src/drakon/edit/apply-operation.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import type { Text } from "../../words/say.ts";
import { lineMoves, type Move } from "./moves.ts";
import type { Place } from "./places.ts";

type PlaceMove = Extract<Move, { needs: "place" }>;
type TextMove = Extract<Move, { needs: "text" }>;

/** Something that is on its way to a place: under a finger, or waiting for a place to be chosen. */
export interface Carried {
  readonly name: Text;
  readonly hint: Text;
  /** The place that it was taken from; new icons come from nowhere. */
  readonly from: string | undefined;
  /** What it would do there; undefined where it cannot be put at all. */
  readonly at: (place: Place) => Landing | undefined;
}

/** What is done at once, or after a text was written. */
export type Landing = { readonly operation: EditOperation } | { readonly move: TextMove };

/** A place that is taken elsewhere: a step to another line, the end of a line to another icon or back up, an address to a branch. */
export function carriedPlace(name: string, place: Place, moves: readonly PlaceMove[]): Carried | undefined {
  const [first] = moves;
  if (!first) return undefined;
  return {
    name: { en: name, uk: name },
    hint: moves.length === 1 ? first.hint : { en: lines(moves, "en"), uk: lines(moves, "uk") },
    from: place.key,
    at: (to) => {
      if (to.key === place.key) return undefined;
      for (const move of moves) {
        const operation = move.operationAt(to);
        if (operation) return { operation };
      }
      return undefined;
    },
  };
}

const lines = (moves: readonly PlaceMove[], of: "en" | "uk"): string => moves.map(({ hint }) => hint[of]).join(" ");

/** A new icon, by the name of the move that puts one on a line. */
export function carriedIcon(diagram: Diagram, id: string, name: Text): Carried {
  return {
    name,
    hint: words.line,
    from: undefined,
    at: (to) => {
      const move = to.kind === "line" ? lineMoves(diagram, to).find((each) => each.id === id) : undefined;
      if (move?.needs === "text") return { move };
      return move?.needs === "nothing" ? { operation: move.operation } : undefined;
    },
  };
}

/** Why it cannot land there, tried on a copy. */
export function refusalOf(diagram: Diagram, landing: Landing): EditRefused | undefined {
  const operation = "operation" in landing ? landing.operation : landing.move.attempt;
  const tried = operation && applyOperation(diagram, operation);
  return tried?.kind === "refused" ? tried : undefined;
}

/** The place that is meant by a point: the one it is in, or the nearest within reach. */
export function nearest(places: readonly Place[], point: Point, reach: number): Place | undefined {
  let best: Place | undefined;
  let least = reach;
  for (const place of places) {
    const away = distance(place, point);
    if (away < least || (away === least && best === undefined)) [best, least] = [place, away];
  }
  return best;
}

function distance(place: Place, { x, y }: Point): number {
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

/** Lines of a drawing are upright or level: each of their parts is a box without breadth. */
const toBox = (left: number, top: number, right: number, bottom: number, x: number, y: number): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

const words = {
  line: { en: "Choose the line that it shall stand on.", uk: "Виберіть лінію, на якій вона стоятиме." },
} as const satisfies Record<string, Text>;
