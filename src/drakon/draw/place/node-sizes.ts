import type { Diagram, Icon } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";
import type { DrawingWords } from "../drawing-words.ts";
import { even, hasRoomBeside, type IconBox, iconBox, outlineOf } from "../measure/icon-box.ts";
import { drawnExits } from "../skeleton/drawn-exits.ts";
import type { DrawnNode } from "../skeleton/skeleton.ts";

/** Space of a node: to both sides of its vertical, and downwards. */
export interface NodeSize {
  readonly box: IconBox;
  /** The duration at its left. */
  readonly beside: { readonly icon: Icon; readonly box: IconBox } | undefined;
  readonly left: number;
  readonly right: number;
  /** Includes the stop bar below the outline. */
  readonly height: number;
}

export const BESIDE_GAP = 10;
/** Height of the stop bar below a final icon. */
export const STOP_HEIGHT = 16;
/** Overhang of the bars of a parallel block. */
export const BAR_OVERHANG = 14;
const LABEL_ROOM = 34;

export type SizeOf = (node: DrawnNode) => NodeSize;

/** Sizes by icon. Cached: texts are measured once for all layout attempts. */
export function nodeSizes(diagram: Diagram, maxWidth: number, words: DrawingWords): SizeOf {
  const known = new Map<string, NodeSize>();
  levelCases();
  return (node) => {
    const key = node.icon ? `icon ${node.icon.id}` : `${node.shape} ${node.refersTo ?? ""}`;
    const size = known.get(key) ?? (node.icon ? ofIcon(node.icon) : ofShape(node));
    known.set(key, size);
    return size;
  };

  /** All cases of a select get the height of the tallest one. */
  function levelCases(): void {
    for (const select of diagram.icons.values()) {
      if (select.type !== "select") continue;
      const cases = drawnExits(diagram, select, new Set())
        .map(({ to }) => diagram.icons.get(to ?? ""))
        .filter((icon): icon is Icon => icon?.type === "case" && !icon.final);
      const all = cases.map((icon) => ({ icon, size: ofIcon(icon) }));
      let height = 0;
      for (const { size } of all) height = Math.max(height, size.height);
      for (const { icon, size } of all) known.set(`icon ${icon.id}`, withHeight(size, height));
    }
  }

  function ofIcon(icon: Icon): NodeSize {
    const outline = outlineOf(icon);
    const text = icon.type === "end" && icon.text.trim() === "" ? words.end : icon.text;
    const plain = iconBox(outline, text, icon.secondary, maxWidth);
    const beside = durationOf(icon);
    const box = beside && beside.box.height > plain.height ? { ...plain, height: beside.box.height } : plain;
    const half = box.width / 2;
    const left = beside ? half + BESIDE_GAP + beside.box.width : half;
    return {
      box,
      beside,
      left,
      right: icon.type === "question" ? half + LABEL_ROOM : half,
      height: box.height + (icon.final ? STOP_HEIGHT : 0),
    };
  }

  function durationOf(icon: Icon): NodeSize["beside"] {
    const beside = icon.side === undefined || !hasRoomBeside(icon) ? undefined : diagram.icons.get(icon.side);
    if (beside?.type !== "duration") return undefined;
    return { icon: beside, box: iconBox("duration", beside.text, undefined, maxWidth / 2) };
  }

  function ofShape({ shape, refersTo }: DrawnNode): NodeSize {
    const box = shapeBox(shape, refersTo);
    return { box, beside: undefined, left: box.width / 2, right: box.width / 2, height: box.height };
  }

  function shapeBox(shape: DrawnNode["shape"], refersTo: IconId | undefined): IconBox {
    if (shape === "meeting" || shape === "turn") return iconBox("point", "", undefined, maxWidth);
    if (shape === "missing") return iconBox("missing", "?", undefined, maxWidth);
    const target = diagram.icons.get(refersTo ?? "");
    if (shape === "address") return iconBox("address", target?.text ?? "", undefined, maxWidth);
    if (target?.type === "end") return iconBox("end", target.text.trim() || words.end, undefined, maxWidth);
    return iconBox("elsewhere", `→ ${target?.text.trim() || target?.type || "?"}`, undefined, maxWidth);
  }
}

/** The same size with another height; used to align rows. */
export const withHeight = (size: NodeSize, height: number): NodeSize => ({
  ...size,
  box: { ...size.box, height: even(height) },
  height: even(height),
});

/** The same size with a wider box. */
export function withWidth(size: NodeSize, width: number): NodeSize {
  const more = (width - size.box.width) / 2;
  return { ...size, box: { ...size.box, width }, left: size.left + more, right: size.right + more };
}
