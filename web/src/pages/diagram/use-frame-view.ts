import { type RefObject, useEffect, useRef } from "react";

/**
 * Calls `read` with the element when it is shown, after each change of `again`, and while it is scrolled or resized, at most once per
 * frame. Not while `isOff`.
 */
export function useFrameView(
  frame: RefObject<HTMLElement | null>,
  again: number,
  read: (seen: HTMLElement) => void,
  isOff = false,
): void {
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const seen = frame.current;
    if (!seen || isOff) return undefined;
    let asked: number | undefined;
    const now = (): void => {
      asked = undefined;
      latest.current(seen);
    };
    const later = (): void => {
      asked ??= requestAnimationFrame(now);
    };
    const observer = new ResizeObserver(later);
    observer.observe(seen);
    seen.addEventListener("scroll", later, { passive: true });
    later();
    return () => {
      if (asked !== undefined) cancelAnimationFrame(asked);
      observer.disconnect();
      seen.removeEventListener("scroll", later);
    };
  }, [frame, again, isOff]);
}
