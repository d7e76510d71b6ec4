import { Minus, Plus } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { useKeys } from "./use-keys.ts";

/** The position of both drawings: moved by `x` and `y` pixels from the middle of the top edge, and scaled. */
interface PairView {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The shared movement of the drawings of a pair. */
export interface PairMove {
  readonly pan: (dx: number, dy: number) => void;
  /** Zooms about a point, in pixels from the middle of the top edge. */
  readonly zoom: (factor: number, x: number, y: number) => void;
  /** Tells the sizes of a drawing and of its frame, and the element to move. Once every drawing has, both fit. */
  readonly measure: (name: string, drawing: DrawnSize, frame: DrawnSize, picture: HTMLElement) => void;
}

interface DrawnSize {
  readonly width: number;
  readonly height: number;
}

const LEAST = 0.1;
const MOST = 4;
const STEP = 1.25;
const MARGIN = 24;
/** The farthest that a tap moves. */
const TAP_PX = 4;

interface Measured {
  readonly drawing: DrawnSize;
  readonly frame: DrawnSize;
  readonly picture: HTMLElement;
}

/** Two drawings beside each other that move and zoom together. `0` fits both into their frames. */
export function DiagramPair({ children }: { readonly children: (move: PairMove) => ReactNode }) {
  const t = useT();
  const { move, fit, half, percent } = usePairView();
  useKeys({ "0": fit, "+": () => move.zoom(STEP, 0, half()), "-": () => move.zoom(1 / STEP, 0, half()) });
  return (
    <div className="diagram-pair">
      {children(move)}
      <div className="pair-tools" role="group" aria-label={t(words.zoom)}>
        <Button tone="icon small ghost" aria-label={t(words.out)} onClick={() => move.zoom(1 / STEP, 0, half())}>
          <Minus size={16} aria-hidden="true" />
        </Button>
        <Button tone="small ghost" title={`${t(words.fit)} (0)`} onClick={fit}>
          {percent === undefined ? t(words.fit) : `${percent} %`}
        </Button>
        <Button tone="icon small ghost" aria-label={t(words.in)} onClick={() => move.zoom(STEP, 0, half())}>
          <Plus size={16} aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}

/** The position of both drawings. It is written to the elements once per frame, without a render: large drawings stay smooth. */
function usePairView() {
  const [percent, setPercent] = useState<number>();
  const sizes = useRef(new Map<string, Measured>());
  const moved = useRef<PairView>(undefined);
  const frame = useRef(0);
  const apply = useCallback((): void => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      const view = moved.current ?? fitOf([...sizes.current.values()]);
      if (!view) return;
      for (const { picture } of sizes.current.values())
        picture.style.transform = `translate(calc(-50% + ${view.x}px), ${view.y}px) scale(${view.scale})`;
      setPercent(moved.current && Math.round(view.scale * 100));
    });
  }, []);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const move = useMemo<PairMove>(() => {
    const change = (next: (before: PairView) => PairView): void => {
      const before = moved.current ?? fitOf([...sizes.current.values()]);
      if (before) moved.current = next(before);
      apply();
    };
    return {
      pan: (dx, dy) => change((before) => ({ ...before, x: before.x + dx, y: before.y + dy })),
      zoom: (factor, x, y) =>
        change((before) => {
          const scale = Math.min(MOST, Math.max(LEAST, before.scale * factor));
          const by = scale / before.scale;
          return { scale, x: x - (x - before.x) * by, y: y - (y - before.y) * by };
        }),
      measure(name, drawing, seen, picture) {
        sizes.current.set(name, { drawing, frame: seen, picture });
        apply();
      },
    };
  }, [apply]);
  return {
    move,
    percent,
    fit: (): void => {
      moved.current = undefined;
      apply();
    },
    /** Half of the lower frame: zooming by a button keeps the middle. */
    half: (): number => Math.min(...[...sizes.current.values()].map((one) => one.frame.height), 10_000) / 2,
  };
}

/** The largest scale, at most 1, at which every drawing fits into its frame. */
function fitOf(sizes: readonly { readonly drawing: DrawnSize; readonly frame: DrawnSize }[]): PairView | undefined {
  if (sizes.length === 0) return undefined;
  const scale = Math.min(
    1,
    ...sizes.map(({ drawing, frame }) =>
      Math.min((frame.width - MARGIN) / drawing.width, (frame.height - MARGIN) / drawing.height),
    ),
  );
  return { x: 0, y: MARGIN / 2, scale: Math.max(LEAST, scale) };
}

/** One drawing of a pair. Dragging moves both, the wheel zooms both about the pointer, two fingers do both. */
export function MovedDrawing(props: {
  readonly name: string;
  readonly svg: string;
  readonly move: PairMove;
  /** Called when an icon is selected, by pointer or keyboard. */
  readonly onIcon?: ((icon: string) => void) | undefined;
}) {
  const { name, svg, move, onIcon } = props;
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const { measure } = move;
  useEffect(() => {
    // The observer may report once more between the removal of the frame and the end of this effect.
    const seen = frame.current!;
    const told = (): void => {
      const box = picture.current?.querySelector("svg")?.viewBox.baseVal;
      const { clientWidth: width, clientHeight: height } = seen;
      if (box && box.width > 0 && width > 0) measure(name, box, { width, height }, picture.current!);
    };
    const sizes = new ResizeObserver(told);
    sizes.observe(seen);
    told();
    return () => sizes.disconnect();
  }, [name, svg, measure]);
  const choose = (target: EventTarget | null): void => {
    const icon = (target as Element | null)?.closest("[data-icon]")?.getAttribute("data-icon");
    if (icon) onIcon?.(icon);
  };
  usePointerMoves(frame, move, choose);
  return (
    <figure className="moved-drawing" ref={frame}>
      <figcaption>{name}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the icons are focusable; this handles their keys */}
      <div
        ref={picture}
        className="moved-picture"
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === " ") choose(event.target);
        }}
        // Safe: our own renderer escapes every text of the diagram.
        dangerouslySetInnerHTML={{ __html: svg }}
      />
    </figure>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Follows the pointers and the wheel over a frame. */
function usePointerMoves(
  frame: React.RefObject<HTMLElement | null>,
  move: PairMove,
  onTap: (target: EventTarget | null) => void,
): void {
  const now = useRef({ ...move, onTap });
  now.current = { ...move, onTap };
  useEffect(() => {
    const place = frame.current!;
    const down = new Map<number, Point>();
    const from = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top, width } = place.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top };
    };
    // The captured pointer hides the icon from a click: a press that does not move is a tap on the icon under it.
    let tap: { readonly target: EventTarget | null; readonly at: Point } | undefined;
    const press = (event: PointerEvent): void => {
      tap = down.size === 0 ? { target: event.target, at: from(event) } : undefined;
      down.set(event.pointerId, from(event));
      place.setPointerCapture(event.pointerId);
    };
    const drag = (event: PointerEvent): void => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const after = from(event);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, after);
      if (!other) return now.current.pan(after.x - before.x, after.y - before.y);
      const reach = (one: Point): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      now.current.zoom(reach(after) / reach(before), (after.x + other.x) / 2, (after.y + other.y) / 2);
    };
    const release = (event: PointerEvent): void => {
      down.delete(event.pointerId);
      const end = from(event);
      if (tap && event.type === "pointerup" && Math.hypot(end.x - tap.at.x, end.y - tap.at.y) < TAP_PX)
        now.current.onTap(tap.target);
      tap = undefined;
    };
    const wheel = (event: WheelEvent): void => {
      // A plain wheel scrolls the page; with a key it zooms, as in a map.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { x, y } = from(event);
      now.current.zoom(Math.exp(-event.deltaY / 300), x, y);
    };
    place.addEventListener("pointerdown", press);
    place.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"] as const) place.addEventListener(end, release);
    place.addEventListener("wheel", wheel, { passive: false });
    return () => {
      place.removeEventListener("pointerdown", press);
      place.removeEventListener("pointermove", drag);
      for (const end of ["pointerup", "pointercancel"] as const) place.removeEventListener(end, release);
      place.removeEventListener("wheel", wheel);
    };
  }, [frame]);
}

const words = {
  zoom: { en: "Zoom", uk: "Масштаб" },
  fit: { en: "Fit", uk: "Умістити" },
  in: { en: "Zoom in", uk: "Більше" },
  out: { en: "Zoom out", uk: "Менше" },
} as const satisfies Record<string, Text>;
