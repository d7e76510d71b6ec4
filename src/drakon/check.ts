import { type Diagram, readDiagram } from "./diagram/diagram.ts";
import { type Finding, hasErrors } from "./finding.ts";
import { structure } from "./structure/structure.ts";
import type { Tree } from "./tree.ts";

/** The result of checking one diagram file. */
export interface Checked {
  readonly diagram: Diagram;
  /** Undefined exactly if a finding is an error: a tree is never partial. */
  readonly tree: Tree | undefined;
  /** Errors first, in the order of the file otherwise. */
  readonly findings: readonly Finding[];
}

/** Reads and structures a diagram file. Never throws and always terminates, for any text (D-2). */
export function checkText(text: string): Checked {
  const { diagram, findings } = readDiagram(text);
  const structured = structure(diagram);
  // An unreadable file also has no branch: do not report both.
  const unreadable = findings.some(({ code }) => code === "E-JSON" || code === "E-TOO-LARGE");
  const all = unreadable ? findings : [...findings, ...structured.findings];
  return {
    diagram,
    tree: hasErrors(all) ? undefined : structured.tree,
    findings: all.toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning")),
  };
}
