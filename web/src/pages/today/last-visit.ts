import { useCallback, useEffect, useState } from "react";
import { storedJson, storeJson } from "../../browser-storage.ts";

/** The range of audit keys shown as new, and the time of the last look. Stored in this browser. */
interface LastVisit {
  readonly from: string;
  readonly until: string;
  readonly at: number;
}

const KEY = "garden-bloom.looked";
/** A visit ends when the page was not visible for this long. Then everything shown before is old. */
const AWAY_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** The audit key where the last visit ended: later records are new. `markSeen` ends the visit at once. */
export function useLastVisit(): {
  readonly from: string;
  readonly markShown: (until: string) => void;
  readonly markSeen: (() => void) | undefined;
} {
  const [visit, setVisit] = useState(startVisit);
  useEffect(() => {
    const leave = (): void => {
      if (document.hidden) store({ ...(stored() ?? visit), at: Date.now() });
    };
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [visit]);
  const markShown = useCallback(
    (until: string) =>
      setVisit((before) => (before.until === until ? before : store({ ...before, until, at: Date.now() }))),
    [],
  );
  const { from, until } = visit;
  return {
    from,
    markShown,
    markSeen: from === until ? undefined : () => setVisit(store({ from: until, until, at: Date.now() })),
  };
}

function startVisit(): LastVisit {
  const at = Date.now();
  const before = stored();
  const yesterday = new Date(at - DAY_MS).toISOString().slice(0, 10);
  if (!before) return { from: yesterday, until: yesterday, at };
  return store({ ...before, from: at - before.at > AWAY_MS ? before.until : before.from, at });
}

function stored(): LastVisit | undefined {
  const { from, until, at } = (storedJson(KEY) ?? {}) as Partial<LastVisit>;
  return typeof from === "string" && typeof until === "string" && typeof at === "number"
    ? { from, until, at }
    : undefined;
}

/** Without the browser's storage each visit shows the last day. */
function store(visit: LastVisit): LastVisit {
  storeJson(KEY, visit);
  return visit;
}
