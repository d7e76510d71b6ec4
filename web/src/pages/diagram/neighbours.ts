import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import type { ExitRef } from "../../../../src/drakon/edit/operation.ts";
import type { DiagramPlace, LinePlace } from "./places.ts";
import { middleOf } from "./polyline.ts";

export type Direction = "up" | "down" | "left" | "right";

/** The place that an arrow key selects: up and down along the flow, left and right to the nearest place. */
export function neighbour(
  diagram: Diagram,
  places: readonly DiagramPlace[],
  from: DiagramPlace,
  direction: Direction,
): DiagramPlace | undefined {
  if (direction === "down") return below(diagram, places, from);
  if (direction === "up") return above(diagram, places, from);
  const out = direction === "right" && from.kind === "icon" && from.type === "question";
  const exit = out ? places.find(({ key }) => key === `line ${from.icon}.two`) : undefined;
  return exit ?? beside(places, from, direction === "right" ? 1 : -1);
}

function below(diagram: Diagram, places: readonly DiagramPlace[], from: DiagramPlace): DiagramPlace | undefined {
  if (from.kind === "line") {
    const join = from.line.length === 1 ? joinOf(places, from.line[0]!) : undefined;
    return join ?? targetOf(places, from);
  }
  if (from.kind === "address") return undefined;
  const start = from.icon ?? firstBranch(diagram);
  const line = places.find(({ key }) => key === `line ${start}.one`);
  if (from.kind !== "icon" && from.icon === undefined) return places.find(({ key }) => key === `icon ${start}`);
  return line ?? places.find(({ key }) => key === `icon ${diagram.icons.get(start ?? "")?.one}`);
}

const firstBranch = (diagram: Diagram): string | undefined =>
  [...diagram.icons.values()]
    .filter(({ type }) => type === "branch")
    .toSorted((a, b) => (a.branchId ?? 0) - (b.branchId ?? 0))[0]?.id;

const isLink = (a: ExitRef, b: ExitRef): boolean => a.icon === b.icon && a.exit === b.exit;
const carries = ({ line }: DiagramPlace, link: ExitRef): boolean => line.some((each) => isLink(each, link));
const joinOf = (places: readonly DiagramPlace[], link: ExitRef): DiagramPlace | undefined =>
  places.find((place) => place.kind === "line" && place.line.length > 1 && carries(place, link));

function targetOf(places: readonly DiagramPlace[], { line, target }: LinePlace): DiagramPlace | undefined {
  const address = places.find((place) => place.kind === "address" && carries(place, line[0]!));
  return address ?? places.find((place) => place.kind !== "line" && place.kind !== "address" && place.icon === target);
}

function above(diagram: Diagram, places: readonly DiagramPlace[], from: DiagramPlace): DiagramPlace | undefined {
  if (from.kind === "line") {
    const [link] = from.line;
    if (!link) return undefined;
    const own = from.line.length > 1 ? places.find(({ key }) => key === `line ${link.icon}.${link.exit}`) : undefined;
    return own ?? places.find((place) => place.kind !== "line" && place.kind !== "address" && place.icon === link.icon);
  }
  const into = places.filter(
    (place): place is LinePlace =>
      place.kind === "line" &&
      (from.kind === "address" ? carries(from, place.line[0]!) : place.target === from.icon && from.icon !== undefined),
  );
  const line = into.find((place) => place.line.length > 1) ?? into[0];
  if (line && (from.kind === "address" || from.type !== "branch")) return line;
  const before = [...diagram.icons.values()].find(({ one, two }) => one === from.icon || two === from.icon);
  if (from.type === "branch") return places.find(({ kind }) => kind === "header");
  return before && places.find(({ key }) => key === `icon ${before.id}`);
}

/** The nearest place on that side. Vertical distance counts three times. */
function beside(places: readonly DiagramPlace[], from: DiagramPlace, side: 1 | -1): DiagramPlace | undefined {
  const start = centre(from);
  let best: DiagramPlace | undefined;
  let least = Infinity;
  for (const place of places) {
    if (place === from) continue;
    const { x, y } = centre(place);
    const away = (x - start.x) * side;
    const cost = away + 3 * Math.abs(y - start.y);
    if (away > 8 && cost < least) [best, least] = [place, cost];
  }
  return best;
}

export const centre = (place: DiagramPlace): Point =>
  place.kind === "line" ? middleOf(place.points) : { x: place.x + place.width / 2, y: place.y + place.height / 2 };
