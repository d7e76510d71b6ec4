import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import type { Text } from "../../words/say.ts";
import { type Carried, nearest, refusalOf } from "./carry.ts";
import type { Place } from "./places.ts";
import type { Editor } from "./use-editor.ts";

/** What is under the hand now. */
export interface Drag {
  readonly carried: Carried;
  /** Where it would land if it were let go. */
  readonly over: Place | undefined;
  readonly refusal: Text | undefined;
}

/** So far a hand shakes; what goes farther is meant. */
const SHAKE = 6;
/** A finger that rests takes hold of what is under it; one that moves before that scrolls. */
const HOLD_MS = 350;
/** Near the edge of the frame the sheet moves along. */
const EDGE = 40;
/** So far from a line it is still meant. */
const REACH = 36;

/**
 * Dragging with mouse, pen and finger. What `hold` is given says what is under the hand when it begins to move; `land` gets what was let go over
 * a place. Escape, and letting go over nothing, leave everything as it was.
 */
export function useDrag(options: {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly ghost: RefObject<HTMLDivElement | null>;
  readonly editor: Editor;
  readonly zoom: number;
  readonly land: (carried: Carried, place: Place) => void;
}): {
  readonly drag: Drag | undefined;
  readonly hold: (event: React.PointerEvent, carried: () => Carried | undefined) => void;
} {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef(options);
  latest.current = options;
  const release = useRef<(() => void) | undefined>(undefined);

  const hold = useCallback((event: React.PointerEvent, carriedNow: () => Carried | undefined): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    release.current?.();
    const start = { x: event.clientX, y: event.clientY };
    const isFinger = event.pointerType === "touch";
    const inFrame = latest.current.frame.current?.contains(event.target as Node) ?? false;
    let held: { carried: Carried; open: readonly Place[]; over: Place | undefined } | undefined;
    let at: Point = start;
    let frames = 0;

    const follow = (): void => {
      const { frame, ghost, editor, zoom } = latest.current;
      const seen = frame.current;
      if (!held || !seen) return;
      ghost.current?.style.setProperty("translate", `${at.x + 12}px ${at.y + 12}px`);
      const box = seen.getBoundingClientRect();
      const isInside = at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
      const sheet = seen.firstElementChild!.getBoundingClientRect();
      const point = { x: (at.x - sheet.left) / zoom, y: (at.y - sheet.top) / zoom };
      const over = isInside ? nearest(held.open, point, REACH / zoom) : undefined;
      if (over?.key === held.over?.key) return;
      held.over = over;
      const landing = over && held.carried.at(over);
      const refusal = landing && refusalOf(editor.diagram, landing)?.reason;
      setDrag({ carried: held.carried, over, refusal });
    };
    /** Goes on as long as the hand rests near an edge. */
    const crawl = (): void => {
      const seen = latest.current.frame.current;
      if (!held || !seen) return;
      const { left, right, top, bottom } = seen.getBoundingClientRect();
      const pull = (from: number, to: number, now: number): number =>
        now < from || now > to ? 0 : now < from + EDGE ? now - from - EDGE : now > to - EDGE ? now - to + EDGE : 0;
      const [x, y] = [pull(left, right, at.x), pull(top, bottom, at.y)];
      if ((x !== 0 || y !== 0) && at.x > left && at.x < right && at.y > top && at.y < bottom) {
        seen.scrollBy(x / 3, y / 3);
        follow();
      }
      frames = requestAnimationFrame(crawl);
    };
    const begin = (): boolean => {
      const carried = carriedNow();
      if (!carried) return false;
      held = { carried, open: latest.current.editor.places.filter((place) => carried.at(place)), over: undefined };
      setDrag({ carried, over: undefined, refusal: undefined });
      frames = requestAnimationFrame(crawl);
      return true;
    };
    // A finger in the drawing first rests; elsewhere, and with a mouse, moving is enough.
    const waits = isFinger && inFrame;
    const timer = waits ? setTimeout(() => (begin() ? navigator.vibrate?.(10) : undefined), HOLD_MS) : undefined;
    const move = (now: PointerEvent): void => {
      if (now.pointerId !== event.pointerId) return;
      at = { x: now.clientX, y: now.clientY };
      if (held) follow();
      else if (Math.hypot(at.x - start.x, at.y - start.y) > SHAKE && (waits || !begin())) end();
    };
    const up = (now: PointerEvent): void => {
      if (now.pointerId !== event.pointerId) return;
      const { land } = latest.current;
      const dropped = held;
      end();
      if (!dropped) return;
      // The click that follows is the end of this, not a wish of its own.
      const swallow = (click: Event): void => {
        click.stopPropagation();
        click.preventDefault();
      };
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
      if (dropped.over) land(dropped.carried, dropped.over);
    };
    const key = (pressed: KeyboardEvent): void => {
      if (pressed.key !== "Escape" || !held) return;
      pressed.preventDefault();
      pressed.stopPropagation();
      end();
    };
    const still = (touch: Event): void => {
      if (held && touch.cancelable) touch.preventDefault();
    };
    const end = (): void => {
      clearTimeout(timer);
      cancelAnimationFrame(frames);
      held = undefined;
      setDrag(undefined);
      release.current = undefined;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", key, { capture: true });
      removeEventListener("touchmove", still);
      removeEventListener("contextmenu", still);
    };
    release.current = end;
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    addEventListener("keydown", key, { capture: true });
    addEventListener("touchmove", still, { passive: false });
    addEventListener("contextmenu", still);
  }, []);
  useEffect(() => () => release.current?.(), []);
  return { drag, hold };
}
