import { useCallback, useSyncExternalStore } from "react";

/** How far the guide has led in this browser: what cannot be read from the garden itself. */
export interface Guided {
  readonly isOff: boolean;
  readonly hasWatched: boolean;
  readonly hasSeen: boolean;
}

const KEY = "garden-bloom.guide";
const listeners = new Set<() => void>();
let now = stored();

/** The guide's memory, the same for everybody on the page: Settings bring back what was hidden. */
export function useGuided(): [Guided, (more: Partial<Guided>) => void] {
  const guided = useSyncExternalStore(listen, () => now);
  const note = useCallback((more: Partial<Guided>) => {
    now = { ...now, ...more };
    try {
      localStorage.setItem(KEY, JSON.stringify(now));
    } catch {
      // A browser that keeps nothing begins the guide again next time.
    }
    for (const listener of listeners) listener();
  }, []);
  return [guided, note];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function stored(): Guided {
  const read = parsed();
  return { isOff: read.isOff === true, hasWatched: read.hasWatched === true, hasSeen: read.hasSeen === true };
}

function parsed(): Partial<Record<keyof Guided, unknown>> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as ReturnType<typeof parsed>;
  } catch {
    return {}; // then it begins at its beginning
  }
}
