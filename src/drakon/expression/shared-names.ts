import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree, TreeNode } from "../tree.ts";
import { namesSetBy } from "./bound-names.ts";

/** The enclosing processes of a node, the innermost first. */
interface Where {
  readonly block: object;
  readonly process: number;
  readonly outer: Where | undefined;
}

/** With more nested parallel blocks, only the innermost are checked. */
const MAX_LEVELS = 64;

/**
 * Warns about names that two processes of one parallel block assign. A walk stays deterministic, because its answers are ordered;
 * but the final value depends on the process that was answered last.
 */
export function sharedNames(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  const writers = new Map<object, Map<string, number>>();
  const reported = new Set<string>();
  const work: { node: TreeNode; where: Where | undefined }[] = [];
  const later = (block: readonly TreeNode[], where: Where | undefined): void => {
    for (let i = block.length - 1; i >= 0; i--) work.push({ node: block[i]!, where });
  };
  for (const { body } of tree.branches.toReversed()) later(body, undefined);
  for (let next = work.pop(); next; next = work.pop()) {
    const { node, where } = next;
    if (where && (node.node === "step" || node.node === "for-each"))
      for (const name of namesSetBy(node)) write(name, node.icon, node.text, where);
    if (node.node === "if") {
      later(node.no, where);
      later(node.yes, where);
    } else if (node.node === "select") {
      if (node.otherwise) later(node.otherwise.body, where);
      for (const { body } of node.cases.toReversed()) later(body, where);
    } else if (node.node === "parallel") {
      for (const [process, { body }] of [...node.processes.entries()].toReversed())
        later(body, { block: node, process, outer: where });
    } else if (node.node === "for-each" || node.node === "loop" || node.node === "block") later(node.body, where);
  }
  return findings;

  function write(name: string, icon: IconId, iconText: string, from: Where): void {
    let levels = 0;
    for (let at: Where | undefined = from; at && levels < MAX_LEVELS; at = at.outer, levels++) {
      const names = writers.get(at.block) ?? new Map<string, number>();
      writers.set(at.block, names);
      const other = names.get(name);
      if (other === undefined) names.set(name, at.process);
      else if (other !== at.process && !reported.has(`${icon}\0${name}`)) {
        reported.add(`${icon}\0${name}`);
        findings.push(finding("W-SHARED-NAME", { icon, iconText, detail: name }));
      }
    }
  }
}
