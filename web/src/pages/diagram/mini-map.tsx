import { memo, type RefObject, useMemo, useState } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { DiagramPlace } from "./places.ts";
import { useFrameView } from "./use-frame-view.ts";

const WIDTH = 132;
const HEIGHT = 104;

interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The whole drawing, small, with the visible part. A click scrolls there. Hidden where everything is visible. */
export function MiniMap(props: {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly picture: { readonly width: number; readonly height: number };
  readonly places: readonly DiagramPlace[];
  readonly zoom: number;
}) {
  const { frame, picture, places, zoom } = props;
  const t = useT();
  const view = useView(frame, zoom);
  const scale = Math.min(WIDTH / picture.width, HEIGHT / picture.height);
  const boxes = useMemo(
    () =>
      places
        .flatMap((place) =>
          place.kind === "line" ? [] : [`M${place.x} ${place.y}h${place.width}v${place.height}h${-place.width}z`],
        )
        .join(""),
    [places],
  );
  if (!view || (view.width >= picture.width && view.height >= picture.height)) return null;
  const go = (event: React.PointerEvent<SVGSVGElement>): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / scale, (event.clientY - top) / scale];
    frame.current?.scrollTo({ left: (x - view.width / 2) * zoom, top: (y - view.height / 2) * zoom });
  };
  return (
    // Only for the pointer: the keyboard moves along the drawing itself, which scrolls.
    <svg
      className="mini-map"
      width={picture.width * scale}
      height={picture.height * scale}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      role="img"
      aria-label={t(words.map)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      <Boxes d={boxes} />
      <rect className="view" {...view} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

const Boxes = memo(({ d }: { readonly d: string }) => <path className="boxes" d={d} />);

/** The visible part of the drawing, in its own units. Follows scrolling once per frame. */
function useView(frame: RefObject<HTMLDivElement | null>, zoom: number): View | undefined {
  const [view, setView] = useState<View>();
  useFrameView(frame, zoom, ({ scrollLeft, scrollTop, clientWidth, clientHeight }) =>
    setView({ x: scrollLeft / zoom, y: scrollTop / zoom, width: clientWidth / zoom, height: clientHeight / zoom }),
  );
  return view;
}

const words = { map: { en: "Overview of the diagram", uk: "Огляд діаграми" } } as const satisfies Record<string, Text>;
