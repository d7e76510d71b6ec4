import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { DrawnLine, Picture, PlacedIcon, Point } from "../../../../src/drakon/draw/picture.ts";
import type { EditLine, ExitRef } from "../../../../src/drakon/edit/operation.ts";
import { sockets } from "../../../../src/drakon/edit/sockets.ts";
import { sharedEnd, withoutEnd } from "./polyline.ts";

/** A part of a drawing that can be selected: a box, or a line on which icons can be inserted. */
export type DiagramPlace = BoxPlace | LinePlace;

export interface BoxPlace {
  readonly kind: "icon" | "header" | "params" | "address";
  readonly key: string;
  /** The icon; for an address, the branch that it leads to; undefined for a silhouette's header. */
  readonly icon: string | undefined;
  readonly type: string;
  readonly text: string;
  /** For an address: the lines that end there. */
  readonly line: EditLine;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LinePlace {
  readonly kind: "line";
  readonly key: string;
  readonly line: EditLine;
  readonly target: string;
  readonly label: "yes" | "no" | undefined;
  readonly points: readonly Point[];
}

/** Minimum size of a box, for fingers. */
const LEAST = 22;

/** Everything that can be selected in a drawing, in reading order: each icon, then the lines that leave it. */
export function placesIn(diagram: Diagram, picture: Picture): readonly DiagramPlace[] {
  const lines = linePlaces(diagram, picture);
  const places: DiagramPlace[] = [];
  for (const placed of picture.icons.toSorted(byReading)) {
    const box = boxPlace(diagram, picture, placed);
    if (!box) continue;
    places.push(box);
    if (box.kind === "address" || box.icon === undefined) continue;
    places.push(...(lines.get(box.icon) ?? []));
  }
  return places;
}

/** The header first, then in the order in which the drawing was laid out, which follows the flow. */
const byReading = (a: PlacedIcon, b: PlacedIcon): number => rank(a) - rank(b) || a.key - b.key;
const rank = ({ box }: PlacedIcon): number => (box.outline === "header" ? 0 : box.outline === "params" ? 1 : 2);

function boxPlace(diagram: Diagram, picture: Picture, placed: PlacedIcon): BoxPlace | undefined {
  const { box, icon, refersTo, key } = placed;
  const place = { ...room(placed), line: [] };
  if (box.outline === "header")
    return { kind: "header", key: "header", icon, type: "header", text: diagram.name, ...place };
  if (box.outline === "params")
    return { kind: "params", key: "params", icon: undefined, type: "params", text: diagram.params, ...place };
  const own = diagram.icons.get(icon ?? "");
  if (own) return { kind: "icon", key: `icon ${own.id}`, icon: own.id, type: own.type, text: said(own), ...place };
  const branch = box.outline === "address" ? diagram.icons.get(refersTo ?? "") : undefined;
  if (!branch) return undefined;
  const line = linksInto(picture, key);
  const name = `address ${line.map(named).join(" ")}`;
  return { ...place, kind: "address", key: name, icon: branch.id, type: "address", text: branch.text, line };
}

const said = ({ text, secondary }: { text: string; secondary: string | undefined }): string =>
  [secondary, text].filter(Boolean).join(": ");

function room({ x, y, box }: PlacedIcon): Pick<BoxPlace, "x" | "y" | "width" | "height"> {
  const [width, height] = [Math.max(LEAST, box.width), Math.max(LEAST, box.height)];
  return { x: x - (width - box.width) / 2, y: y - (height - box.height) / 2, width, height };
}

const named = ({ icon, exit }: ExitRef): string => `${icon}.${exit}`;

function linksInto(picture: Picture, key: number): EditLine {
  const links: ExitRef[] = [];
  const into = [key];
  for (let to = into.pop(); to !== undefined; to = into.pop()) {
    for (const line of picture.lines) {
      if (line.to !== to) continue;
      if (line.fromIcon !== undefined && (line.exit === "one" || line.exit === "two"))
        links.push({ icon: line.fromIcon, exit: line.exit });
      else if (line.fromIcon === undefined) into.push(line.from);
    }
  }
  return links;
}

/** Lines by the icon that they leave. A line after a join belongs to the last icon before it. */
function linePlaces(diagram: Diagram, picture: Picture): Map<string, LinePlace[]> {
  const first = new Map<string, DrawnLine>();
  const next = new Map<number, DrawnLine>();
  for (const line of picture.lines) {
    if (line.fromIcon === undefined) next.set(line.from, line);
    else if (line.exit !== undefined) first.set(`${line.fromIcon}.${line.exit}`, line);
  }
  const all = sockets(diagram);
  const ends = new Map<string, readonly Point[]>();
  const joined: LinePlace[] = [];
  for (const { line, target, joined: behindJoin } of all) {
    if (!behindJoin) continue;
    for (const group of drawnTogether(line, (link) => polylineOf(first, next, link))) {
      const points = sharedEnd(group.map((link) => polylineOf(first, next, link)));
      if (points.length < 2) continue;
      for (const link of group) ends.set(named(link), points);
      const key = `join ${group.map(named).join(" ")}`;
      joined.push({ kind: "line", key, line: group, target, label: undefined, points });
    }
  }
  const found = new Map<string, LinePlace[]>();
  const put = (icon: string, place: LinePlace): void => void found.set(icon, [...(found.get(icon) ?? []), place]);
  for (const { line, target, joined: behindJoin } of all) {
    const [link] = line;
    if (behindJoin || !link) continue;
    const way = polylineOf(first, next, link);
    const end = ends.get(named(link));
    const points = end ? withoutEnd(way, end) : way;
    if (points.length < 2) continue;
    const label = first.get(named(link))?.label;
    put(link.icon, { kind: "line", key: `line ${named(link)}`, line, target, label, points });
  }
  for (const place of joined) put(place.line.at(-1)!.icon, place);
  return found;
}

/** Groups the links of a join by the address where they end: only those with the same one are drawn as one line. */
function drawnTogether(line: EditLine, way: (link: ExitRef) => readonly Point[]): readonly EditLine[] {
  const groups = new Map<string, ExitRef[]>();
  for (const link of line) {
    const end = way(link).at(-1);
    const place = `${end?.x} ${end?.y}`;
    groups.set(place, [...(groups.get(place) ?? []), link]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** The corners of a line from its icon to its target, through the points where lines join. */
function polylineOf(
  first: ReadonlyMap<string, DrawnLine>,
  next: ReadonlyMap<number, DrawnLine>,
  link: ExitRef,
): Point[] {
  let line = first.get(named(link));
  const points = [...(line?.points ?? [])];
  for (let steps = 0; line && line.toIcon === undefined && steps < 8; steps++) {
    line = next.get(line.to);
    if (line) points.push(...line.points.slice(1));
  }
  return points;
}
