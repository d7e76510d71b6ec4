import { useCallback, useSyncExternalStore } from "react";

/** The guide's progress that cannot be derived from the garden's data. Stored in this browser. */
export interface GuideState {
  readonly isOff: boolean;
  readonly hasWatched: boolean;
  readonly hasSeen: boolean;
}

const KEY = "garden-bloom.guide";
const listeners = new Set<() => void>();
let now = stored();

/** The guide's state, shared by all components: Settings can show a hidden guide again. */
export function useGuideState(): [GuideState, (more: Partial<GuideState>) => void] {
  const guided = useSyncExternalStore(listen, () => now);
  const note = useCallback((more: Partial<GuideState>) => {
    now = { ...now, ...more };
    try {
      localStorage.setItem(KEY, JSON.stringify(now));
    } catch {
      // Storage is disabled: the guide starts again next time.
    }
    for (const listener of listeners) listener();
  }, []);
  return [guided, note];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function stored(): GuideState {
  const read = parsed();
  return { isOff: read.isOff === true, hasWatched: read.hasWatched === true, hasSeen: read.hasSeen === true };
}

function parsed(): Partial<Record<keyof GuideState, unknown>> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as ReturnType<typeof parsed>;
  } catch {
    return {}; // the guide starts from the beginning
  }
}
