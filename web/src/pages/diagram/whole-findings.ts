import { checkText } from "../../../../src/drakon/check.ts";
import { type Finding, hasErrors } from "../../../../src/drakon/finding.ts";
import { calledFrom, checkInsertions } from "../../../../src/drakon/insertions.ts";
import { type DiagramFiles, MAIN_PART } from "./editor-history.ts";

const named = (parts: DiagramFiles) => [...parts].map(([file, diagram]) => ({ file, diagram }));

/** Calls of missing diagrams and recursive calls in one diagram. */
export const callFindings = (parts: DiagramFiles, part: string): readonly Finding[] =>
  checkInsertions(named(parts)).findings.filter(({ file }) => file === part);

/** The diagrams with errors among the main one and those that it calls. */
export function partsWithErrors(
  parts: DiagramFiles,
): readonly { readonly part: string; readonly findings: readonly Finding[] }[] {
  const calls = checkInsertions(named(parts)).findings;
  return [MAIN_PART, ...calledFrom(MAIN_PART, named(parts))].flatMap((part) => {
    const own = calls.filter(({ file }) => file === part);
    const findings = [...checkText(parts.get(part)!.source.text).findings, ...own];
    return hasErrors(findings) ? [{ part, findings: findings.filter(({ severity }) => severity === "error") }] : [];
  });
}
