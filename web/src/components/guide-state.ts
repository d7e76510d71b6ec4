import { useCallback, useSyncExternalStore } from "react";
import { storedJson, storeJson } from "../browser-storage.ts";

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
    storeJson(KEY, now);
    for (const listener of listeners) listener();
  }, []);
  return [guided, note];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function stored(): GuideState {
  const read = (storedJson(KEY) ?? {}) as Partial<Record<keyof GuideState, unknown>>;
  return { isOff: read.isOff === true, hasWatched: read.hasWatched === true, hasSeen: read.hasSeen === true };
}
