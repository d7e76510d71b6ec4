import { useCallback, useState } from "react";

/** The runs of each report that were opened in this tab: going on and coming back does not lock the decision again. */
const openedOf = new Map<string, ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();

export function useOpenedRuns(report: string | undefined): {
  readonly opened: ReadonlySet<string>;
  readonly open: (run: string) => void;
} {
  const name = report ?? "";
  const [, setCount] = useState(0);
  const open = useCallback(
    (run: string) => {
      openedOf.set(name, new Set([...(openedOf.get(name) ?? NONE), run]));
      setCount((count) => count + 1);
    },
    [name],
  );
  return { opened: openedOf.get(name) ?? NONE, open };
}
