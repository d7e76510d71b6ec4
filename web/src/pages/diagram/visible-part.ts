import { type RefObject, useState } from "react";
import { useFrameView } from "./use-frame-view.ts";

/** Above this number of places only the visible part of a drawing is in the page: a drawing of 10,000 icons stays usable. */
export const LARGE = 2500;
/** Parts of a large drawing are shown and hidden by this height, in units of the drawing. */
export const SLICE = 1600;

export interface VisibleSlices {
  readonly from: number;
  readonly to: number;
}

/** The slices of a drawing that are visible, or about to be; undefined for one that is shown whole. Changes only at their edges. */
export function useVisibleSlices(
  frame: RefObject<HTMLDivElement | null>,
  zoom: number,
  isLarge: boolean,
): VisibleSlices | undefined {
  const [slices, setSlices] = useState<VisibleSlices>(FIRST);
  useFrameView(
    frame,
    zoom,
    ({ scrollTop, clientHeight }) => {
      const from = Math.max(0, Math.floor((scrollTop - clientHeight / 2) / zoom / SLICE));
      const to = Math.ceil((scrollTop + clientHeight * 1.5) / zoom / SLICE);
      setSlices((before) => (before.from === from && before.to === to ? before : { from, to }));
    },
    !isLarge,
  );
  return isLarge ? slices : undefined;
}

const FIRST: VisibleSlices = { from: 0, to: 2 };

export const isIn = ({ from, to }: VisibleSlices, top: number, bottom: number): boolean =>
  bottom >= from * SLICE && top <= to * SLICE;

/** Moves the icons of a large drawing into one group per slice. */
export function slicedIcons(svg: SVGSVGElement): ReadonlyMap<number, SVGGElement> {
  const groups = new Map<number, SVGGElement>();
  for (const icon of svg.querySelectorAll<SVGGElement>(":scope > [data-icon]")) {
    const y = Number(/translate\(\S+ ([\d.-]+)/.exec(icon.getAttribute("transform") ?? "")?.[1] ?? 0);
    const slice = Math.floor(y / SLICE);
    let group = groups.get(slice);
    if (!group) {
      group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      group.setAttribute("display", "none");
      svg.append(group);
      groups.set(slice, group);
    }
    group.append(icon);
  }
  return groups;
}
