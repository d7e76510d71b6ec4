import type { IconId } from "../icon-id.ts";
import type { IconBox } from "./measure/icon-box.ts";

/** A finished layout: every icon and line has its position; styles are added when it is written as SVG. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly icons: readonly PlacedIcon[];
  readonly lines: readonly DrawnLine[];
  readonly notes: readonly PictureNote[];
}

export interface PlacedIcon {
  /** Unique within the picture; lines refer to it. */
  readonly key: number;
  readonly box: IconBox;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
  /** The icon drawn here. Every icon of the control flow is drawn exactly once. */
  readonly icon: IconId | undefined;
  /** The icon that this shape refers to; for an address, its branch. */
  readonly refersTo: IconId | undefined;
  readonly marks: ReadonlySet<IconMark>;
}

/**
 * `unreachable`: no line leads to it. `final`: execution stops here. `backward`: an address of an earlier branch, or the head
 * of a branch that such an address refers to.
 */
export type IconMark = "unreachable" | "final" | "backward";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnLine {
  /** Keys of the two icons. Lines that share an end may touch. */
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
  /** Points on horizontal segments where it crosses other lines. */
  readonly bridges: readonly Point[];
}

export interface PictureNote {
  readonly x: number;
  readonly y: number;
  readonly text: "unreachable";
}
