import type { Diagram } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";
import type { DrawingWords } from "../drawing-words.ts";
import { type IconBox, iconBox } from "../measure/icon-box.ts";
import type { DrawnLine, IconMark, PictureNote, PlacedIcon } from "../picture.ts";
import type { SizeOf } from "../place/node-sizes.ts";
import type { PlacedBlock } from "../place/place-block.ts";
import type { DrawnNode } from "../skeleton/skeleton.ts";
import { drawnLines, keyCount, placedIcons } from "./route-lines.ts";

export const PARAMS_GAP = 28;

export interface Assembly {
  readonly diagram: Diagram;
  readonly name: string;
  readonly words: DrawingWords;
  readonly maxWidth: number;
  readonly sizeOf: SizeOf;
  /** Questions with swapped exits. */
  readonly turned: ReadonlySet<IconId>;
  readonly aligned: boolean;
}

/** Accumulates the parts of a picture. */
export interface Parts {
  readonly icons: PlacedIcon[];
  readonly lines: DrawnLine[];
  readonly notes: PictureNote[];
  /** Durations already placed; a second icon that refers to one gets a copy. */
  readonly durations: Set<IconId>;
  nextKey: number;
}

export const addBlock = (
  parts: Parts,
  block: PlacedBlock,
  x: number,
  y: number,
  marksOf: (node: DrawnNode) => readonly IconMark[] = () => [],
): number => {
  const at = { x, y, key: parts.nextKey };
  for (const icon of placedIcons(block, at, marksOf)) {
    const shown = icon.box.outline === "duration" && icon.icon !== undefined && parts.durations.has(icon.icon);
    if (icon.box.outline === "duration" && icon.icon !== undefined) parts.durations.add(icon.icon);
    parts.icons.push(shown ? { ...icon, icon: undefined, refersTo: icon.icon } : icon);
  }
  for (const line of drawnLines(block, at)) parts.lines.push(line);
  parts.nextKey += keyCount(block);
  return at.key;
};

export interface Header {
  readonly box: IconBox;
  readonly params: IconBox | undefined;
}

export function headerOf({ diagram, name, words, maxWidth }: Assembly): Header {
  const box = iconBox("header", name.trim() || words.unnamed, undefined, Math.max(maxWidth, 280));
  const params = diagram.params.trim() === "" ? undefined : iconBox("params", diagram.params, undefined, 320);
  return { box, params };
}

/** Adds the parameter box beside the header, with the line between them. */
export function addParams(parts: Parts, { box, params }: Header, headerKey: number, x: number, y: number): void {
  if (!params) return;
  const key = parts.nextKey++;
  const middle = y + box.height / 2;
  const left = x + box.width / 2 + PARAMS_GAP;
  const top = Math.max(y, middle - params.height / 2);
  parts.icons.push({ key, box: params, x: left, y: top, icon: undefined, refersTo: undefined, marks: new Set() });
  const points = [
    { x: x + box.width / 2, y: middle },
    { x: left, y: middle },
  ];
  const ends = { from: headerKey, to: key, fromIcon: undefined, exit: undefined, toIcon: undefined };
  parts.lines.push({ ...ends, points, arrow: false, weight: "plain", label: undefined, bridges: [] });
}
