import { everyNode, namesSetBy } from "../expression/bound-names.ts";
import type { IconId } from "../icon-id.ts";
import type { ForEach, Tree } from "../tree.ts";
import { compiledTree } from "../walk/compiled-tree.ts";
import type { Smell } from "./finding.ts";
import { asksOutside, type DrawnIcon, drawnIcons, liveNames } from "./icon-dataflow.ts";

export type OnlyReads = (tool: string) => boolean;

/** True if the icon has no side effects: it calls a model, or tools that only read. */
export const onlyLooks = (icon: DrawnIcon, onlyReads: OnlyReads): boolean =>
  icon.does === "step" && asksOutside(icon) && icon.calls.every(onlyReads);

/** Icons that are unnecessary or misplaced, by static analysis. */
export function smellsOf(tree: Tree, onlyReads: OnlyReads): ReadonlyMap<IconId, Smell> {
  const smells = new Map<IconId, Smell>();
  const { before, behind } = liveNames(tree);
  const icons = [...drawnIcons(tree).values()];
  const { instructions } = compiledTree(tree);
  for (const icon of icons) {
    if (icon.does !== "step" || !asksOutside(icon)) continue;
    const dead = icon.sets.length > 0 && icon.sets.every((name) => !behind[icon.at]!.has(name));
    const rebinds = icon.sets.some(
      (name) =>
        icon.reads.has(name) ||
        icons.some((other) => other !== icon && other.at < icon.at && other.sets.includes(name)),
    );
    const looks = onlyLooks(icon, onlyReads);
    if (dead && rebinds && icons.some((other) => other.at < icon.at && icon.sets.some((name) => other.reads.has(name))))
      smells.set(icon.icon, "late");
    else if (looks && (dead || (icon.sets.length === 0 && !icon.inWords))) smells.set(icon.icon, "unused");
    else if (looks && icon.sets.length > 0 && isEarly(icon)) smells.set(icon.icon, "early");
    else if (looks && loopAroundInvariant(tree, icon)) smells.set(icon.icon, "invariant");
  }
  return smells;

  /** True if the next question does not read the result, and only one of its sides does. */
  function isEarly(icon: DrawnIcon): boolean {
    for (let pc = icon.at + 1; pc < instructions.length; pc++) {
      const instruction = instructions[pc]!;
      if (instruction.op !== "step" && instruction.op !== "ask") return false;
      const next = drawnIcons(tree).get(instruction.icon);
      if (!next || icon.sets.some((name) => next.reads.has(name) || next.sets.includes(name))) return false;
      if (instruction.op === "step") continue;
      const [yes, no] = [instruction.yes.at, instruction.no.at].map((at) =>
        icon.sets.some((name) => before[at]!.has(name)),
      );
      return yes !== no;
    }
    return false;
  }
}

/**
 * The for-each loop around a step that could as well be done once before it: the step is done in every round, and reads and sets nothing
 * that another icon of the loop sets.
 */
export function loopAroundInvariant(tree: Tree, step: DrawnIcon): ForEach | undefined {
  if (step.sets.length === 0) return undefined;
  for (const node of everyNode(tree)) {
    if (node.node !== "for-each" || !node.body.some((one) => one.node === "step" && one.icon === step.icon)) continue;
    const inside = everyNode({ ...tree, branches: [{ icon: node.icon, name: "", body: [node] }] });
    const others = new Set(
      [...inside].flatMap((one) => (one.node === "step" && one.icon === step.icon ? [] : namesSetBy(one))),
    );
    return [...step.reads, ...step.sets].some((name) => others.has(name)) ? undefined : node;
  }
  return undefined;
}
