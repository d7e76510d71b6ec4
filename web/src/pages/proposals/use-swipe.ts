import { type RefObject, useEffect, useRef } from "react";

export type SwipeSide = "left" | "right";

/** A finger must move a row by this much. */
const ENOUGH_PX = 96;
/** Less than this is a tap. */
const SLACK_PX = 12;

/**
 * Follows a finger that moves a row sideways. `onSwipe` is called when it is lifted far enough from where it began; the row goes back to
 * its place in any case, because a swipe only asks. The tap that the browser would make of it is dropped.
 */
export function useSwipe(row: RefObject<HTMLElement | null>, onSwipe: ((side: SwipeSide) => void) | undefined): void {
  const act = useRef(onSwipe);
  act.current = onSwipe;
  const isOn = onSwipe !== undefined;
  useEffect(() => {
    const place = row.current;
    if (!place || !isOn) return;
    let from: { readonly id: number; readonly x: number; readonly y: number } | undefined;
    let moved = 0;
    const show = (by: number): void => {
      moved = by;
      place.style.setProperty("--swipe", `${by}px`);
      if (by === 0) delete place.dataset["swipe"];
      else place.dataset["swipe"] = by > 0 ? "right" : "left";
    };
    const begin = (event: PointerEvent): void => {
      if (event.pointerType === "touch") from = { id: event.pointerId, x: event.clientX, y: event.clientY };
    };
    const move = (event: PointerEvent): void => {
      if (from?.id !== event.pointerId) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (moved === 0 && (Math.abs(dx) < SLACK_PX || Math.abs(dy) > Math.abs(dx))) return;
      show(dx);
    };
    const end = (event: PointerEvent): void => {
      if (from?.id !== event.pointerId) return;
      from = undefined;
      if (event.type === "pointerup" && Math.abs(moved) >= ENOUGH_PX) act.current?.(moved > 0 ? "right" : "left");
      show(0);
    };
    const drop = (event: Event): void => {
      if (place.dataset["swipe"] !== undefined) event.preventDefault();
    };
    const events = { pointerdown: begin, pointermove: move, pointerup: end, pointercancel: end } as const;
    for (const [name, listener] of Object.entries(events)) place.addEventListener(name, listener as EventListener);
    place.addEventListener("dragstart", drop);
    return () => {
      for (const [name, listener] of Object.entries(events)) place.removeEventListener(name, listener as EventListener);
      place.removeEventListener("dragstart", drop);
    };
  }, [row, isOn]);
}
