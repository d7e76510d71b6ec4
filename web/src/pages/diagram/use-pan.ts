import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

export const LEAST_ZOOM = 0.1;
export const MOST_ZOOM = 3;
export const clampZoom = (zoom: number): number => Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));

/** A zooming gesture has ended after this time without an event. */
const REST_MS = 120;

/** Pans and zooms: dragging the background, pinching, Ctrl and the wheel. The point under the pointer stays in place. */
export function usePan(frame: RefObject<HTMLDivElement | null>, zoom: number, onZoom: (zoom: number) => void): void {
  const held = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const shown = useRef(zoom);
  const latest = useRef(onZoom);
  latest.current = onZoom;

  useLayoutEffect(() => {
    const seen = frame.current;
    const factor = zoom / shown.current;
    shown.current = zoom;
    if (!seen || factor === 1) return;
    const sheet = seen.firstElementChild as HTMLElement | null;
    if (sheet) {
      sheet.style.removeProperty("transform");
      sheet.classList.remove("zooming");
    }
    const { x, y } = held.current ?? { x: seen.clientWidth / 2, y: seen.clientHeight / 2 };
    held.current = undefined;
    seen.scrollTo({ left: (seen.scrollLeft + x) * factor - x, top: (seen.scrollTop + y) * factor - y });
  }, [frame, zoom]);

  useEffect(() => {
    const seen = frame.current;
    if (!seen) return undefined;
    // During the gesture the drawing is scaled as a picture; it is laid out anew once, when the gesture rests.
    let scaled: { zoom: number; readonly x: number; readonly y: number } | undefined;
    let resting: number | undefined;
    const settle = (): void => {
      if (!scaled) return;
      held.current = { x: scaled.x, y: scaled.y };
      const { zoom: wanted } = scaled;
      scaled = undefined;
      if (wanted === shown.current) seen.firstElementChild?.classList.remove("zooming");
      latest.current(wanted);
    };
    const zoomAt = (factor: number, clientX: number, clientY: number): void => {
      const sheet = seen.firstElementChild as HTMLElement | null;
      if (!sheet) return;
      if (!scaled) {
        const { left, top } = seen.getBoundingClientRect();
        const drawn = sheet.getBoundingClientRect();
        scaled = { zoom: shown.current, x: clientX - left, y: clientY - top };
        sheet.style.transformOrigin = `${clientX - drawn.left}px ${clientY - drawn.top}px`;
        sheet.classList.add("zooming");
      }
      scaled.zoom = clampZoom(scaled.zoom * factor);
      sheet.style.transform = `scale(${scaled.zoom / shown.current})`;
      clearTimeout(resting);
      resting = window.setTimeout(settle, REST_MS);
    };
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
    };
    let spread: number | undefined;
    const touch = (event: TouchEvent): void => {
      const [a, b] = event.touches;
      if (!a || !b) {
        spread = undefined;
        return;
      }
      event.preventDefault();
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread !== undefined) zoomAt(now / spread, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      spread = now;
    };
    let from: { readonly x: number; readonly y: number } | undefined;
    const down = (event: PointerEvent): void => {
      const onSomething = (event.target as Element).closest("[data-place], form");
      if (event.pointerType !== "mouse" || event.button > 1 || (onSomething && event.button === 0)) return;
      from = { x: event.clientX + seen.scrollLeft, y: event.clientY + seen.scrollTop };
      seen.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent): void => {
      if (from) seen.scrollTo({ left: from.x - event.clientX, top: from.y - event.clientY });
    };
    const up = (): void => {
      from = undefined;
    };
    seen.addEventListener("wheel", wheel, { passive: false });
    seen.addEventListener("touchmove", touch, { passive: false });
    seen.addEventListener("touchend", touch);
    seen.addEventListener("pointerdown", down);
    seen.addEventListener("pointermove", move);
    seen.addEventListener("pointerup", up);
    seen.addEventListener("pointercancel", up);
    return () => {
      clearTimeout(resting);
      seen.removeEventListener("wheel", wheel);
      seen.removeEventListener("touchmove", touch);
      seen.removeEventListener("touchend", touch);
      seen.removeEventListener("pointerdown", down);
      seen.removeEventListener("pointermove", move);
      seen.removeEventListener("pointerup", up);
      seen.removeEventListener("pointercancel", up);
    };
  }, [frame]);
}
