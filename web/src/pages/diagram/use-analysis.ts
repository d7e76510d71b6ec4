import { useDeferredValue, useMemo } from "react";
import { analyse } from "../../../../src/drakon/expression/analyse.ts";
import type { EditorState } from "./use-editor-state.ts";

export interface EditorAnalysis {
  readonly tree: EditorState["checked"]["tree"];
  readonly bound: ReadonlySet<string>;
  readonly findings: EditorState["checked"]["findings"];
}

/** Findings of the checks, and the analysis of expressions, which is deferred because it takes longer. */
export function useAnalysis({ checked, drawing }: EditorState): EditorAnalysis {
  const deferred = useDeferredValue(checked);
  const analysis = useMemo(() => (deferred.tree ? analyse(deferred.tree) : undefined), [deferred]);
  const findings = useMemo(
    () => [...checked.findings, ...drawing.findings, ...(deferred === checked ? (analysis?.findings ?? []) : [])],
    [checked, drawing, deferred, analysis],
  );
  return { tree: deferred.tree, bound: analysis?.bound ?? NOTHING_BOUND, findings };
}

const NOTHING_BOUND: ReadonlySet<string> = new Set();
