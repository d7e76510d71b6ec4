import type { IconId } from "../icon-id.ts";
import type { IconBox } from "./measure/icon-box.ts";

/** A finished drawing, before it is written as SVG: everything has its place, nothing is styled. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly icons: readonly PlacedIcon[];
  readonly lines: readonly DrawnLine[];
  readonly notes: readonly PictureNote[];
}

export interface PlacedIcon {
  /** Names the thing within the picture; lines refer to it. */
  readonly key: number;
  readonly box: IconBox;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
  /** The icon that is placed here. Every reachable icon is named by exactly one thing. */
  readonly icon: IconId | undefined;
  /** The icon that this stands for: of an address, its branch. */
  readonly refersTo: IconId | undefined;
  readonly marks: ReadonlySet<IconMark>;
}

/** Nothing leads to it; nothing is executed behind it; it leads, or is led to, from a later branch. */
export type IconMark = "unreachable" | "final" | "backward";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnLine {
  /** Keys of what it connects. Lines that share an end may touch. */
  readonly from: number;
  readonly to: number;
  readonly fromIcon: IconId | undefined;
  readonly exit: "one" | "two" | undefined;
  readonly toIcon: IconId | undefined;
  /** Corners, from source to target. Neighbours share one coordinate. */
  readonly points: readonly Point[];
  readonly arrow: boolean;
  readonly weight: "main" | "plain" | "bar";
  readonly label: "yes" | "no" | undefined;
  /** Where it passes over other lines, on its horizontal parts. */
  readonly bridges: readonly Point[];
}

export interface PictureNote {
  readonly x: number;
  readonly y: number;
  readonly text: "unreachable";
}
