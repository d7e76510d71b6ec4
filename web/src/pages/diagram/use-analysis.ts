import { useDeferredValue, useMemo } from "react";
import { analyse } from "../../../../src/drakon/expression/analyse.ts";
import { MAIN_PART } from "./editor-history.ts";
import type { EditorState } from "./use-editor-state.ts";
import { callFindings } from "./whole-findings.ts";

export interface EditorAnalysis {
  readonly tree: EditorState["checked"]["tree"];
  readonly bound: ReadonlySet<string>;
  readonly findings: EditorState["checked"]["findings"];
}

/** Findings of the checks, and the analysis of expressions, which is deferred because it takes longer. */
export function useAnalysis({ checked, drawing, parts, path }: EditorState): EditorAnalysis {
  const deferred = useDeferredValue(checked);
  const analysis = useMemo(() => (deferred.tree ? analyse(deferred.tree) : undefined), [deferred]);
  const known = useDeferredValue(parts);
  const calls = useMemo(() => callFindings(known, path.at(-1) ?? MAIN_PART), [known, path]);
  const findings = useMemo(
    () => [
      ...checked.findings,
      ...drawing.findings,
      ...calls,
      ...(deferred === checked ? (analysis?.findings ?? []) : []),
    ],
    [checked, drawing, deferred, analysis, calls],
  );
  return { tree: deferred.tree, bound: analysis?.bound ?? NOTHING_BOUND, findings };
}

const NOTHING_BOUND: ReadonlySet<string> = new Set();
