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
 * The icon only stores the result of its call under a name, or drops it: `x ← tool(…)`, `tool(…)`. Then the result is not
 * needed before a formula reads the name.
 */
export function onlyStoresResult({ trees }: Program, { diagram, icon }: Request): boolean {
  const tree = treeNamed(trees, diagram);
  const [only, ...more] = tree ? statementsOf(tree, icon) : [];
  if (only?.value.is !== "call" || more.length > 0) return false;
  return everyPart(only.value.args.map(({ value }) => value)).every(({ is }) => is !== "call");
}

/** The statements of a step icon; none if its text is natural language. */
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
