import { useCallback, useEffect, useState } from "react";

/** Until when this browser has told what happened, and when somebody last looked. */
interface Looked {
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
export function useLooked(): {
  readonly from: string;
  readonly shown: (until: string) => void;
  readonly seen: (() => void) | undefined;
} {
  const [looked, setLooked] = useState(begun);
  useEffect(() => {
    const leave = (): void => {
      if (document.hidden) keep({ ...(stored() ?? looked), at: Date.now() });
    };
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [looked]);
  const shown = useCallback(
    (until: string) =>
      setLooked((before) => (before.until === until ? before : keep({ ...before, until, at: Date.now() }))),
    [],
  );
  const { from, until } = looked;
  return {
    from,
    shown,
    seen: from === until ? undefined : () => setLooked(keep({ from: until, until, at: Date.now() })),
  };
}

function begun(): Looked {
  const at = Date.now();
  const before = stored();
  const yesterday = new Date(at - DAY_MS).toISOString().slice(0, 10);
  if (!before) return { from: yesterday, until: yesterday, at };
  return keep({ ...before, from: at - before.at > AWAY_MS ? before.until : before.from, at });
}

function stored(): Looked | undefined {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Looked> | null;
    if (typeof read?.from !== "string" || typeof read.until !== "string" || typeof read.at !== "number")
      return undefined;
    return { from: read.from, until: read.until, at: read.at };
  } catch {
    return undefined;
  }
}

function keep(looked: Looked): Looked {
  try {
    localStorage.setItem(KEY, JSON.stringify(looked));
  } catch {
    // A browser that keeps nothing tells the last day each time.
  }
  return looked;
}
