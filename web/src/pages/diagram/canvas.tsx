import { memo, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Picture } from "../../../../src/drakon/draw/picture.ts";
import type { Finding } from "../../../../src/drakon/finding.ts";
import { type Text, useSay } from "../../words/say.ts";
import { nearest } from "./carry.ts";
import { centre } from "./neighbours.ts";
import type { Place } from "./places.ts";
import { typeWord } from "./type-words.ts";
import { usePan } from "./use-pan.ts";
import { pathOf, REACH, reachOf } from "./way.ts";

export interface CanvasProps {
  readonly svg: string;
  readonly picture: Picture;
  readonly places: readonly Place[];
  readonly chosen: Place | undefined;
  /** Icons that are chosen together with it. */
  readonly run: readonly string[];
  /** Where what is carried can be put; undefined while nothing is. */
  readonly open: ReadonlySet<string> | undefined;
  /** Where it would land, and whether it may. */
  readonly over: { readonly key: string; readonly isRefused: boolean } | undefined;
  readonly findings: readonly Finding[];
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onPoint: (key: string, isMore: boolean) => void;
  readonly onHold: (event: React.PointerEvent, key: string) => void;
  readonly onOpen: () => void;
  readonly onKey: (event: React.KeyboardEvent) => void;
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The list of places, which has the focus. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly children: ReactNode;
}

/** The drawing, and over it a list of everything that can be chosen. The list keeps the focus, whatever is redrawn. */
export function Canvas(props: CanvasProps) {
  const { svg, picture, places, chosen, findings, zoom, run, open, over, frame, list } = props;
  const say = useSay();
  usePan(frame, zoom, props.onZoom);
  useShown(frame, chosen, zoom);
  const worst = useMemo(() => worstByIcon(findings), [findings]);
  const names = useMemo(() => new Map(places.flatMap((place) => boxName(place))), [places]);
  const size = { width: picture.width * zoom, height: picture.height * zoom };
  return (
    <div ref={frame} className="diagram-frame">
      <div className="diagram-sheet" style={size}>
        <Drawn svg={svg} />
        <div
          ref={list}
          role="listbox"
          tabIndex={0}
          aria-multiselectable="true"
          aria-label={say(words.list)}
          aria-activedescendant={chosen && idOf(chosen)}
          className={`diagram-places ${open ? "picking" : ""}`}
          onKeyDown={props.onKey}
          onPointerDown={(event) => {
            const key = placeAt(event, places, zoom);
            if (key !== undefined) props.onHold(event, key);
          }}
          onClick={(event) => {
            const key = placeAt(event, places, zoom);
            if (key !== undefined) props.onPoint(key, event.shiftKey);
          }}
          onDoubleClick={props.onOpen}
        >
          <svg role="presentation" viewBox={`0 0 ${picture.width} ${picture.height}`}>
            {places.map((place) => (
              <Spot
                key={place.key}
                place={place}
                name={nameOf(place, names, say)}
                mark={place.kind === "line" ? undefined : worst.get(place.icon ?? "")}
                isChosen={place === chosen || (place.kind === "icon" && run.length > 1 && run.includes(place.icon!))}
                state={over?.key === place.key ? (over.isRefused ? "no" : "yes") : open?.has(place.key) ? "open" : ""}
              />
            ))}
          </svg>
        </div>
        {props.children}
      </div>
    </div>
  );
}

const Drawn = memo(({ svg }: { readonly svg: string }) => (
  // Written by our own drawing, which escapes every text of the diagram. What it shows is said by the list over it.
  <div className="diagram-drawing" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />
));

interface SpotProps {
  readonly place: Place;
  readonly name: string;
  readonly mark: Finding["severity"] | undefined;
  readonly isChosen: boolean;
  /** While something is carried: whether it can be put here. */
  readonly state: "" | "open" | "yes" | "no";
}

/** What is meant: where places lie close together, the nearest. Who clicks without pointing means the very thing. */
function placeAt(event: React.MouseEvent, places: readonly Place[], zoom: number): string | undefined {
  const touched = (event.target as Element).closest("[data-place]")?.getAttribute("data-place") ?? undefined;
  if (touched === undefined || (event.clientX === 0 && event.clientY === 0)) return touched;
  const { left, top } = event.currentTarget.getBoundingClientRect();
  const point = { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
  return nearest(places, point, REACH)?.key ?? touched;
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

/** A redrawing makes all places anew; only those that lie elsewhere are shown anew. */
const isSamePlace = (a: Place, b: Place): boolean =>
  a === b ||
  (a.key === b.key &&
    (a.kind === "line"
      ? b.kind === "line" && pathOf(a.points) === pathOf(b.points)
      : b.kind !== "line" && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height));

function Plus({ place }: { readonly place: Place }) {
  const { x, y } = centre(place);
  return (
    <g className="plus" transform={`translate(${x} ${y})`}>
      <circle r={9} />
      <path d="M-5 0H5M0-5V5" />
    </g>
  );
}

const idOf = ({ key }: Place): string => `place-${key.replaceAll(/[^\w.-]/g, (sign) => `-${sign.charCodeAt(0)}-`)}`;

const boxName = (place: Place): [string, Place][] =>
  place.kind === "line" || place.kind === "address" || place.icon === undefined ? [] : [[place.icon, place]];

type Say = ReturnType<typeof useSay>;

/** `Action: water the beds`, or `Line: rain? (yes) → water the beds`. */
export function nameOf(place: Place, boxes: ReadonlyMap<string, Place>, say: Say): string {
  if (place.kind !== "line")
    return place.text === "" ? say(typeWord(place.type)) : `${say(typeWord(place.type))}: ${place.text}`;
  const called = (icon: string): string => {
    const box = boxes.get(icon);
    return box && box.kind !== "line" ? shortened(box.text || say(typeWord(box.type))) : icon;
  };
  const answer = place.label ? ` (${say(words[place.label])})` : "";
  const from = place.line.length > 1 ? say(words.join, place.line.length) : called(place.line[0]!.icon);
  return `${say(words.line)}: ${from}${answer} → ${called(place.target)}`;
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function worstByIcon(findings: readonly Finding[]): ReadonlyMap<string, Finding["severity"]> {
  const worst = new Map<string, Finding["severity"]>();
  for (const { icon, severity } of findings)
    if (icon !== undefined && worst.get(icon) !== "error") worst.set(icon, severity);
  return worst;
}

const MARGIN = 48;

/** What is chosen is brought into view, with a little of what is around it. */
function useShown(frame: RefObject<HTMLDivElement | null>, chosen: Place | undefined, zoom: number): void {
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
  list: { en: "Drawing: icons and lines", uk: "Рисунок: ікони та лінії" },
  line: { en: "Line", uk: "Лінія" },
  join: { en: "{} ways together", uk: "{} шляхи разом" },
  yes: { en: "yes", uk: "так" },
  no: { en: "no", uk: "ні" },
} as const satisfies Record<string, Text>;
