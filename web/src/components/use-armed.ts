import { useContext, useEffect, useState } from "react";
import { isReleased, onPresses } from "./held-presses.ts";
import { ArrivedContext } from "./use-arrived.ts";

/** A change cannot be decided within this time after a person sees it for the first time. */
export const ARM_MS = 800;

/**
 * False until `shown` has been painted and then no key and no pointer was pressed for `ARM_MS`: a key that is held, a double click and
 * keys typed ahead do not decide on something that was not read. Another `shown` starts anew; undefined is never armed.
 */
export function useArmed(shown: string | undefined): boolean {
  const [armed, setArmed] = useState<string>();
  // The first page is hidden while its answers come: that time is not reading.
  const hasArrived = useContext(ArrivedContext);
  useEffect(() => {
    if (shown === undefined || !hasArrived) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      stopListening();
      cancelAnimationFrame(frame);
    };
    const wait = (): void => {
      clearTimeout(timer);
      if (!isReleased()) return;
      timer = setTimeout(() => {
        stop();
        setArmed(shown);
      }, ARM_MS);
    };
    const stopListening = onPresses(wait);
    // The second frame begins after the first was painted. A hidden tab paints nothing and stays disarmed.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(wait);
    });
    return () => {
      stop();
      setArmed(undefined);
    };
  }, [shown, hasArrived]);
  return armed !== undefined && armed === shown;
}
