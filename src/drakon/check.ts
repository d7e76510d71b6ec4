import { type Diagram, diagramFromJson, readDiagram } from "./diagram/diagram.ts";
import { type Finding, hasErrors } from "./finding.ts";
import { structure } from "./structure/structure.ts";
import type { Tree } from "./tree.ts";

/** Everything that can be said about a file at once. */
export interface Checked {
  readonly diagram: Diagram;
  /** Undefined exactly if a finding is an error: there is never half a meaning. */
  readonly tree: Tree | undefined;
  /** Errors first, in the order of the file otherwise. */
  readonly findings: readonly Finding[];
}

/** Never throws and never loops, whatever the text holds (D-2). */
export const checkText = (text: string): Checked => together(readDiagram(text));

/** The same for any JSON value. */
export const checkJson = (json: unknown): Checked => together(diagramFromJson(json));

function together({
  diagram,
  findings,
}: {
  readonly diagram: Diagram;
  readonly findings: readonly Finding[];
}): Checked {
  const structured = structure(diagram);
  // A file that cannot be read has no branch either: one sentence about that is enough.
  const unreadable = findings.some(({ code }) => code === "E-JSON" || code === "E-TOO-LARGE");
  const all = unreadable ? findings : [...findings, ...structured.findings];
  return {
    diagram,
    tree: hasErrors(all) ? undefined : structured.tree,
    findings: all.toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning")),
  };
}
