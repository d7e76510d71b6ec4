import { useCallback, useEffect, useState } from "react";

/** Until when this browser has told what happened, and when somebody last looked. */
interface LastVisit {
  readonly from: string;
  readonly until: string;
  readonly at: number;
}

const KEY = "garden-bloom.looked";
/** Who comes back within this time still looks at the same news; after it, what was shown is old. */
const AWAY_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * From where on the audit is news to this reader: where the last visit ended. A visit goes on while somebody moves between pages and
 * comes back; `seen` ends it at once.
 */
export function useLastVisit(): {
  readonly from: string;
  readonly shown: (until: string) => void;
  readonly seen: (() => void) | undefined;
} {
  const [looked, setLooked] = useState(startVisit);
  useEffect(() => {
    const leave = (): void => {
      if (document.hidden) store({ ...(stored() ?? looked), at: Date.now() });
    };
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [looked]);
  const shown = useCallback(
    (until: string) =>
      setLooked((before) => (before.until === until ? before : store({ ...before, until, at: Date.now() }))),
    [],
  );
  const { from, until } = looked;
  return {
    from,
    shown,
    seen: from === until ? undefined : () => setLooked(store({ from: until, until, at: Date.now() })),
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
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<LastVisit> | null;
    if (typeof read?.from !== "string" || typeof read.until !== "string" || typeof read.at !== "number")
      return undefined;
    return { from: read.from, until: read.until, at: read.at };
  } catch {
    return undefined;
  }
}

function store(looked: LastVisit): LastVisit {
  try {
    localStorage.setItem(KEY, JSON.stringify(looked));
  } catch {
    // A browser that keeps nothing tells the last day each time.
  }
  return looked;
}
