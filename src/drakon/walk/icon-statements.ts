import { everyPart } from "../expression/classify.ts";
import type { Statement } from "../expression/expression.ts";
import { parseStatements } from "../expression/parser.ts";
import { diagramName } from "../expression/read-step.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { compiledTree } from "./compiled-tree.ts";
import type { Program } from "./frame.ts";
import type { Request } from "./request.ts";

/**
 * Whether the icon does nothing with what it is given but keep it under a name, or forget it: `x ← tool(…)`, `tool(…)`. Nothing looks
 * at the result then before a formula looks at the name.
 */
export function onlyStoresResult({ trees }: Program, { diagram, icon }: Request): boolean {
  const tree = treeNamed(trees, diagram);
  const [only, ...more] = tree ? statementsOf(tree, icon) : [];
  if (only?.value.is !== "call" || more.length > 0) return false;
  return everyPart(only.value.args.map(({ value }) => value)).every(({ is }) => is !== "call");
}

/** What an icon that acts says, as formulas; nothing for one in words. */
export function statementsOf(tree: Tree, icon: IconId): readonly Statement[] {
  const known = steps.get(tree) ?? stepsOf(tree);
  steps.set(tree, known);
  const parsed = parseStatements(known.get(icon) ?? "");
  return parsed.kind === "parsed" ? parsed.value : [];
}

const steps = new WeakMap<Tree, ReadonlyMap<IconId, string>>();

const stepsOf = (tree: Tree): ReadonlyMap<IconId, string> =>
  new Map(
    compiledTree(tree).instructions.flatMap((one) =>
      one.op === "step" && one.step.secondary === undefined ? [[one.icon, one.step.text] as const] : [],
    ),
  );

export const treeNamed = (trees: Program["trees"], diagram: string): Tree | undefined =>
  trees.get(diagram) ?? [...trees].find(([name]) => diagramName(name) === diagramName(diagram))?.[1];
