import type { Language, Text } from "../../base/text.ts";
import type { OutlineNode } from "../../domain/import/outline.ts";
import { checkText } from "../check.ts";
import { meaningErrors } from "../meaning.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Block, Tree, TreeNode } from "../tree.ts";
import { diagramFromTree } from "./diagram-from-tree.ts";

/** A first diagram of recognised steps, marked as a draft in its description. */
export interface OutlineDraft {
  /** The text of a `.drakon.json`. */
  readonly diagram: string;
  readonly pseudocode: string;
  /** Steps and questions. */
  readonly icons: number;
}

/** Undefined if the steps do not make a diagram without errors. */
export function draftFromOutline(
  name: string,
  outline: readonly OutlineNode[],
  language: Language,
): OutlineDraft | undefined {
  let last = 0;
  const icon = (): string => String(++last);
  const step = (text: string): TreeNode => ({ node: "step", kind: "action", icon: icon(), text });
  const body: Block = outline.map((node): TreeNode => {
    if (node.kind === "step") return step(node.text);
    const condition = { is: "question", icon: icon(), text: node.condition } as const;
    return { node: "if", condition, yes: [step(node.yes)], no: node.no === undefined ? [] : [step(node.no)] };
  });
  const icons = last;
  const branches = [{ icon: icon(), name: "", body }];
  const tree: Tree = { name, params: "", description: FIRST_DRAFT[language], branches, silhouette: false };
  const diagram = diagramFromTree(tree).source.text;
  const checked = checkText(diagram);
  const findings = [...checked.findings, ...(checked.tree ? meaningErrors(checked.tree) : [])];
  if (!checked.tree || findings.some(({ severity }) => severity === "error")) return undefined;
  return { diagram, pseudocode: renderPseudocode(checked.tree, { language }).text, icons };
}

export const FIRST_DRAFT: Text = {
  en: "The diagram is a first draft, made from the numbered steps of the source. Check it before you activate the agent.",
  uk: "Діаграма — перша чернетка, зроблена з пронумерованих кроків джерела. Перевірте її, перш ніж активувати агента.",
};
