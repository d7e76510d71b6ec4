import { memo, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Picture } from "../../../../src/drakon/draw/picture.ts";
import type { Finding } from "../../../../src/drakon/finding.ts";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";
import { nearestPlace } from "./drag-item.ts";
import { iconTypeLabel } from "./icon-labels.ts";
import { centre } from "./neighbours.ts";
import type { DiagramPlace } from "./places.ts";
import { pathOf, REACH, reachOf } from "./polyline.ts";
import { usePan } from "./use-pan.ts";
import { isIn, LARGE, slicedIcons, useVisibleSlices, type VisibleSlices } from "./visible-part.ts";

export interface CanvasProps {
  readonly svg: string;
  readonly picture: Picture;
  readonly places: readonly DiagramPlace[];
  readonly chosen: DiagramPlace | undefined;
  /** The selected steps. */
  readonly steps: readonly string[];
  /** Drop targets during a drag. */
  readonly targets: ReadonlySet<string> | undefined;
  /** The drop target under the pointer. */
  readonly over: { readonly key: string; readonly isRefused: boolean } | undefined;
  readonly findings: readonly Finding[];
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onSelect: (key: string, isMore: boolean) => void;
  readonly onHold: (event: React.PointerEvent, key: string) => void;
  readonly onOpen: () => void;
  readonly onKey: (event: React.KeyboardEvent) => void;
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The list of places. It has the focus. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly children: ReactNode;
}

/** The drawing, and over it a list box of everything that can be selected. The list box keeps the focus when the drawing changes. */
export function Canvas(props: CanvasProps) {
  const { svg, picture, places, chosen, findings, zoom, steps, targets, over, frame, list } = props;
  const t = useT();
  usePan(frame, zoom, props.onZoom);
  useScrollIntoView(frame, chosen, zoom);
  const worst = useMemo(() => worstByIcon(findings), [findings]);
  const names = useMemo(() => {
    const boxes = new Map(places.flatMap((place) => boxName(place)));
    return new Map(places.map((place) => [place.key, placeName(place, boxes, t)]));
  }, [places, t]);
  const slices = useVisibleSlices(frame, zoom, places.length > LARGE);
  const shown = useMemo(
    () => (slices ? places.filter((place) => place === chosen || isPlaceIn(slices, place)) : places),
    [places, slices, chosen],
  );
  const size = { width: picture.width * zoom, height: picture.height * zoom };
  return (
    <div ref={frame} className="diagram-frame">
      <div className="diagram-sheet" style={size}>
        <Drawn svg={svg} slices={slices} isFar={zoom < FAR} />
        <div
          ref={list}
          role="listbox"
          tabIndex={0}
          aria-multiselectable="true"
          aria-label={t(words.list)}
          aria-activedescendant={chosen && idOf(chosen)}
          className={`diagram-places ${targets ? "picking" : ""}`}
          onKeyDown={props.onKey}
          onPointerDown={(event) => {
            const key = placeAt(event, places, zoom);
            if (key !== undefined) props.onHold(event, key);
          }}
          onClick={(event) => {
            const key = placeAt(event, places, zoom);
            if (key !== undefined) props.onSelect(key, event.shiftKey);
          }}
          onDoubleClick={props.onOpen}
        >
          <svg role="presentation" viewBox={`0 0 ${picture.width} ${picture.height}`}>
            {shown.map((place) => (
              <Spot
                key={place.key}
                place={place}
                name={names.get(place.key)!}
                mark={place.kind === "line" ? undefined : worst.get(place.icon ?? "")}
                isChosen={
                  place === chosen || (place.kind === "icon" && steps.length > 1 && steps.includes(place.icon!))
                }
                state={
                  over?.key === place.key ? (over.isRefused ? "no" : "yes") : targets?.has(place.key) ? "open" : ""
                }
              />
            ))}
          </svg>
        </div>
        {props.children}
      </div>
    </div>
  );
}

/** Below this zoom no text can be read, and none is drawn. */
const FAR = 0.22;

const isPlaceIn = (slices: VisibleSlices, place: DiagramPlace): boolean => {
  if (place.kind !== "line") return isIn(slices, place.y, place.y + place.height);
  const ends = place.points.map(({ y }) => y);
  return isIn(slices, Math.min(...ends), Math.max(...ends));
};

interface DrawnProps {
  readonly svg: string;
  /** The visible part of a large drawing. */
  readonly slices: VisibleSlices | undefined;
  readonly isFar: boolean;
}

const Drawn = memo(({ svg, slices, isFar }: DrawnProps) => {
  const sheet = useRef<HTMLDivElement>(null);
  const groups = useRef<ReadonlyMap<number, SVGGElement>>(new Map());
  const isLarge = slices !== undefined;
  useLayoutEffect(() => {
    const drawn = sheet.current?.querySelector("svg");
    // A changed drawing is new markup: its icons are sliced again.
    groups.current = svg !== "" && isLarge && drawn ? slicedIcons(drawn) : new Map();
  }, [svg, isLarge]);
  useLayoutEffect(() => {
    if (!slices || svg === "") return;
    for (const [slice, group] of groups.current) {
      const isShown = slice >= slices.from - 1 && slice <= slices.to;
      if (isShown) group.removeAttribute("display");
      else group.setAttribute("display", "none");
    }
  }, [svg, slices]);
  return (
    // Hidden from screen readers, because the list box describes it.
    <div ref={sheet} className={`diagram-drawing ${isFar ? "far" : ""}`} aria-hidden="true">
      <DrawnMarkup svg={svg} />
    </div>
  );
});

/** Rendered again only for another drawing: the groups that were made in it stay. Safe: our own renderer escapes every text. */
const DrawnMarkup = memo(({ svg }: { readonly svg: string }) => <div dangerouslySetInnerHTML={{ __html: svg }} />);

interface SpotProps {
  readonly place: DiagramPlace;
  readonly name: string;
  readonly mark: Finding["severity"] | undefined;
  readonly isChosen: boolean;
  /** During a drag: a target, or the one under the pointer (allowed or not). */
  readonly state: "" | "open" | "yes" | "no";
}

/** The place that was clicked: the nearest one where several are close. A click without coordinates (by script) means its target. */
function placeAt(event: React.MouseEvent, places: readonly DiagramPlace[], zoom: number): string | undefined {
  const touched = (event.target as Element).closest("[data-place]")?.getAttribute("data-place") ?? undefined;
  if (touched === undefined || (event.clientX === 0 && event.clientY === 0)) return touched;
  const { left, top } = event.currentTarget.getBoundingClientRect();
  const point = { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
  return nearestPlace(places, point, REACH)?.key ?? touched;
}

const Spot = memo(
  ({ place, name, mark, isChosen, state }: SpotProps) => (
    <g
      id={idOf(place)}
      role="option"
      aria-selected={isChosen}
      aria-label={name}
      data-place={place.key}
      className={`${place.kind === "line" ? "on-line" : "on-box"} ${state}`}
    >
      {place.kind === "line" ? (
        <>
          <path className="reach" d={reachOf(place.points)} />
          <path className="seen" d={pathOf(place.points)} />
          {(isChosen || state !== "") && <Plus place={place} />}
        </>
      ) : (
        <>
          <rect
            className="seen"
            x={place.x - 4}
            y={place.y - 4}
            width={place.width + 8}
            height={place.height + 8}
            rx={6}
          />
          {mark && (
            <g className={`mark ${mark}`} transform={`translate(${place.x + place.width - 2} ${place.y + 2})`}>
              <circle r={9} />
              <text textAnchor="middle" y={5}>
                !
              </text>
            </g>
          )}
        </>
      )}
    </g>
  ),
  (a, b) =>
    a.isChosen === b.isChosen &&
    a.state === b.state &&
    a.mark === b.mark &&
    a.name === b.name &&
    isSamePlace(a.place, b.place),
);

/** Every drawing creates new places; only those that moved are rendered again. */
const isSamePlace = (a: DiagramPlace, b: DiagramPlace): boolean =>
  a === b ||
  (a.key === b.key &&
    (a.kind === "line"
      ? b.kind === "line" && pathOf(a.points) === pathOf(b.points)
      : b.kind !== "line" && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height));

function Plus({ place }: { readonly place: DiagramPlace }) {
  const { x, y } = centre(place);
  return (
    <g className="plus" transform={`translate(${x} ${y})`}>
      <circle r={9} />
      <path d="M-5 0H5M0-5V5" />
    </g>
  );
}

const idOf = ({ key }: DiagramPlace): string =>
  `place-${key.replaceAll(/[^\w.-]/g, (sign) => `-${sign.charCodeAt(0)}-`)}`;

const boxName = (place: DiagramPlace): [string, DiagramPlace][] =>
  place.kind === "line" || place.kind === "address" || place.icon === undefined ? [] : [[place.icon, place]];

/** `Action: water the beds`, or `Line: rain? (yes) → water the beds`. */
export function placeName(place: DiagramPlace, boxes: ReadonlyMap<string, DiagramPlace>, t: Translate): string {
  if (place.kind !== "line")
    return place.text === "" ? t(iconTypeLabel(place.type)) : `${t(iconTypeLabel(place.type))}: ${place.text}`;
  const called = (icon: string): string => {
    const box = boxes.get(icon);
    return box && box.kind !== "line" ? shortened(box.text || t(iconTypeLabel(box.type))) : icon;
  };
  const answer = place.label ? ` (${t(words[place.label])})` : "";
  const from = place.line.length > 1 ? t(words.join, place.line.length) : called(place.line[0]!.icon);
  return `${t(words.line)}: ${from}${answer} → ${called(place.target)}`;
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function worstByIcon(findings: readonly Finding[]): ReadonlyMap<string, Finding["severity"]> {
  const worst = new Map<string, Finding["severity"]>();
  for (const { icon, severity } of findings)
    if (icon !== undefined && worst.get(icon) !== "error") worst.set(icon, severity);
  return worst;
}

const MARGIN = 48;

/** Scrolls the chosen place into view, with a margin. */
function useScrollIntoView(
  frame: RefObject<HTMLDivElement | null>,
  chosen: DiagramPlace | undefined,
  zoom: number,
): void {
  const before = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const seen = frame.current;
    if (!seen || !chosen || before.current === chosen.key) return;
    before.current = chosen.key;
    const { x, y } = centre(chosen);
    const [width, height] = chosen.kind === "line" ? [0, 0] : [chosen.width * zoom, chosen.height * zoom];
    const moved = (at: number, extent: number, from: number, size: number): number =>
      at - extent / 2 < from + MARGIN || at + extent / 2 > from + size - MARGIN ? at - size / 2 : from;
    seen.scrollTo({
      left: moved(x * zoom, width, seen.scrollLeft, seen.clientWidth),
      top: moved(y * zoom, height, seen.scrollTop, seen.clientHeight),
    });
  }, [frame, chosen, zoom]);
}

const words = {
  list: { en: "Diagram: icons and lines", uk: "Рисунок: ікони та лінії" },
  line: { en: "Line", uk: "Лінія" },
  join: { en: "{} joined lines", uk: "{} [шлях|шляхи|шляхів] разом" },
  yes: { en: "yes", uk: "так" },
  no: { en: "no", uk: "ні" },
} as const satisfies Record<string, Text>;
