import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import type { Text } from "../../i18n/use-t.ts";
import { type DragItem, dropRefusal, nearestPlace } from "./drag-item.ts";
import type { DiagramPlace } from "./places.ts";
import type { EditorState } from "./use-editor-state.ts";

/** The drag in progress. */
export interface Drag {
  readonly item: DragItem;
  /** The place where it would be dropped now. */
  readonly over: DiagramPlace | undefined;
  readonly refusal: Text | undefined;
}

export interface DragOptions {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly ghost: RefObject<HTMLDivElement | null>;
  readonly editor: EditorState;
  readonly zoom: number;
  readonly onDrop: (item: DragItem, place: DiagramPlace) => void;
}

/** Pixels that a pointer may move before a press becomes a drag. */
const SHAKE = 6;
/** A finger that rests this long picks up what is under it; one that moves before scrolls. */
const HOLD_MS = 350;
/** Distance from the edge of the frame at which it scrolls during a drag. */
const EDGE = 40;
/** Distance from a line at which it is still a drop target. */
const REACH = 36;

/**
 * Dragging with mouse, pen and finger. `hold` starts it on a pointer-down; its second argument is asked for the item when the pointer
 * moves. Escape, and releasing over nothing, cancel it.
 */
export function useDrag(options: DragOptions): {
  readonly drag: Drag | undefined;
  readonly hold: (event: React.PointerEvent, itemNow: () => DragItem | undefined) => void;
} {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef(options);
  latest.current = options;
  const cancel = useRef<(() => void) | undefined>(undefined);
  const hold = useCallback((event: React.PointerEvent, itemNow: () => DragItem | undefined): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    cancel.current?.();
    cancel.current = startGesture(event, itemNow, latest, setDrag);
  }, []);
  useEffect(() => () => cancel.current?.(), []);
  return { drag, hold };
}

/** Follows one pointer until it is released. Returns a function that cancels the gesture. */
function startGesture(
  event: React.PointerEvent,
  itemNow: () => DragItem | undefined,
  latest: RefObject<DragOptions>,
  setDrag: (drag: Drag | undefined) => void,
): () => void {
  const start = { x: event.clientX, y: event.clientY };
  const inFrame = latest.current.frame.current?.contains(event.target as Node) ?? false;
  let held: { item: DragItem; targets: readonly DiagramPlace[]; over: DiagramPlace | undefined } | undefined;
  let at: Point = start;
  let frames = 0;

  const follow = (): void => {
    const { frame, ghost, editor, zoom } = latest.current;
    if (!held || !frame.current) return;
    ghost.current?.style.setProperty("translate", `${at.x + 12}px ${at.y + 12}px`);
    const over = placeUnder(frame.current, zoom, at, held.targets);
    if (over?.key === held.over?.key) return;
    held.over = over;
    const drop = over && held.item.dropAt(over);
    setDrag({ item: held.item, over, refusal: drop && dropRefusal(editor.diagram, drop)?.reason });
  };
  /** Scrolls for as long as the pointer rests near an edge. */
  const scroll = (): void => {
    const { frame } = latest.current;
    if (!held || !frame.current) return;
    if (scrollAtEdge(frame.current, at)) follow();
    frames = requestAnimationFrame(scroll);
  };
  const begin = (): boolean => {
    const item = itemNow();
    if (!item) return false;
    held = { item, targets: latest.current.editor.places.filter((place) => item.dropAt(place)), over: undefined };
    setDrag({ item, over: undefined, refusal: undefined });
    frames = requestAnimationFrame(scroll);
    return true;
  };
  // A finger in the drawing has to rest first; elsewhere, and with a mouse, moving is enough.
  const mustRest = event.pointerType === "touch" && inFrame;
  const timer = mustRest ? setTimeout(() => (begin() ? navigator.vibrate?.(10) : undefined), HOLD_MS) : undefined;
  const move = (now: PointerEvent): void => {
    if (now.pointerId !== event.pointerId) return;
    at = { x: now.clientX, y: now.clientY };
    if (held) follow();
    else if (Math.hypot(at.x - start.x, at.y - start.y) > SHAKE && (mustRest || !begin())) end();
  };
  const up = (now: PointerEvent): void => {
    if (now.pointerId !== event.pointerId) return;
    const dropped = held;
    end();
    if (!dropped) return;
    swallowClick();
    if (dropped.over) latest.current.onDrop(dropped.item, dropped.over);
  };
  const escape = (pressed: KeyboardEvent): void => {
    if (pressed.key !== "Escape" || !held) return;
    pressed.preventDefault();
    pressed.stopPropagation();
    end();
  };
  const preventScroll = (touch: Event): void => {
    if (held && touch.cancelable) touch.preventDefault();
  };
  const listeners = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frames);
    held = undefined;
    setDrag(undefined);
    listeners.abort();
  };
  const { signal } = listeners;
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", up, { signal });
  addEventListener("pointercancel", end, { signal });
  addEventListener("keydown", escape, { capture: true, signal });
  addEventListener("touchmove", preventScroll, { passive: false, signal });
  addEventListener("contextmenu", preventScroll, { signal });
  return end;
}

function placeUnder(
  frame: HTMLElement,
  zoom: number,
  at: Point,
  places: readonly DiagramPlace[],
): DiagramPlace | undefined {
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  if (at.x < left || at.x > right || at.y < top || at.y > bottom) return undefined;
  const sheet = frame.firstElementChild!.getBoundingClientRect();
  return nearestPlace(places, { x: (at.x - sheet.left) / zoom, y: (at.y - sheet.top) / zoom }, REACH / zoom);
}

/** Returns true if it scrolled. */
function scrollAtEdge(frame: HTMLElement, at: Point): boolean {
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  if (at.x <= left || at.x >= right || at.y <= top || at.y >= bottom) return false;
  const pull = (from: number, to: number, now: number): number =>
    now < from + EDGE ? now - from - EDGE : now > to - EDGE ? now - to + EDGE : 0;
  const [x, y] = [pull(left, right, at.x), pull(top, bottom, at.y)];
  if (x === 0 && y === 0) return false;
  frame.scrollBy(x / 3, y / 3);
  return true;
}

/** The browser sends a click after a drag: it must not select anything. */
function swallowClick(): void {
  const swallow = (click: Event): void => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
