import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { structure } from "../structure/structure.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Block, Condition, Duration, Tree, TreeNode } from "../tree.ts";

/** One icon, in an order that does not depend on layout or orientation. */
export interface OutlineEntry {
  readonly icon: Icon;
  /** Text of the duration beside it. */
  readonly duration: string;
  readonly inside: Container | undefined;
  /** A question with one answer that leads away: the icons after it depend on the other answer. */
  readonly leaves: boolean;
  readonly reached: boolean;
}

/** A container of icons: an answer of a condition, a case, a loop, a process or a branch. */
export interface Container {
  readonly icons: readonly IconId[];
  readonly arm: "yes" | "no" | "";
  readonly up: Container | undefined;
}

export interface DiagramOutline {
  readonly diagram: Diagram;
  readonly tree: Tree | undefined;
  readonly entries: readonly OutlineEntry[];
}

/** Lists all icons in tree order. A diagram with errors has no tree; its icons are in search order. */
export function outlineDiagram(diagram: Diagram): DiagramOutline {
  const { tree } = structure(diagram);
  const entries: OutlineEntry[] = [];
  const listed = new Set<IconId>();
  const { reached } = surveyDiagram(diagram);
  const list = (id: IconId, inside: Container | undefined, leaves = false, beside?: Duration): void => {
    const icon = diagram.icons.get(id);
    if (!icon || listed.has(id)) return;
    listed.add(id);
    entries.push({ icon, duration: beside?.text ?? "", inside, leaves, reached: reached.has(id) });
    if (beside) list(beside.icon, inside);
  };
  if (tree) listTree(tree, list);
  for (const id of reached.keys()) list(id, undefined);
  for (const icon of diagram.icons.values()) if (roleOf(icon.type) !== "none") list(icon.id, undefined);
  return { diagram, tree, entries };
}

type List = (id: IconId, inside: Container | undefined, leaves?: boolean, beside?: Duration) => void;

/** Uses a work list instead of recursion. Lower ends of loops and blocks come after their bodies. */
function listTree(tree: Tree, list: List): void {
  const work: (() => void)[] = [];
  // Pushed one by one: a block may hold more nodes than a call takes arguments.
  const later = (parts: readonly (() => void)[]): void => {
    for (const part of parts.toReversed()) work.push(part);
  };
  const block = (nodes: Block, inside: Container) => (): void => later(nodes.map((node) => () => put(node, inside)));
  later(
    tree.branches.map(({ icon, body }) => () => {
      list(icon, undefined);
      block(body, { icons: [icon], arm: "", up: undefined })();
    }),
  );
  for (let next = work.pop(); next; next = work.pop()) next();

  function put(node: TreeNode, up: Container): void {
    const within = (icon: IconId): Container => ({ icons: [icon], arm: "", up });
    switch (node.node) {
      case "step":
        return list(node.icon, up, false, node.duration);
      case "if": {
        const { questions, negated } = questionsIn(node.condition);
        const leaves = isExit(node.yes.at(-1)) !== isExit(node.no.at(-1));
        for (const { icon, duration } of questions) list(icon, up, leaves, duration);
        const icons = questions.map(({ icon }) => icon);
        const [yes, no] = negated ? (["no", "yes"] as const) : (["yes", "no"] as const);
        return later([block(node.yes, { icons, arm: yes, up }), block(node.no, { icons, arm: no, up })]);
      }
      case "select": {
        list(node.icon, up, false, node.duration);
        const arms = [...node.cases, ...(node.otherwise ? [node.otherwise] : [])];
        const held = within(node.icon);
        return later(
          arms.map(({ icon, body }) => () => {
            list(icon, held);
            block(body, { icons: [icon], arm: "", up: held })();
          }),
        );
      }
      case "for-each":
        list(node.icon, up);
        return later([block(node.body, within(node.icon)), () => list(node.endIcon, up)]);
      case "loop":
        list(node.icon, up);
        return later([block(node.body, within(node.icon))]);
      case "block":
        return later([block(node.body, up)]);
      case "parallel": {
        const all = node.processes.map(({ icon, body }) => () => {
          list(icon, up);
          block(body, within(icon))();
        });
        return later([...all, () => list(node.endIcon, up)]);
      }
      default:
    }
  }
}

const isExit = (node: TreeNode | undefined): boolean =>
  node !== undefined && ["break", "next", "leave", "return", "go"].includes(node.node);

type Question = Extract<Condition, { is: "question" }>;

/** Questions of a condition in evaluation order, and whether the condition is negated. */
function questionsIn(condition: Condition): { questions: Question[]; negated: boolean } {
  const negated = condition.is === "not";
  const questions: Question[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") questions.push(next);
    else if (next.is === "not") work.push(next.of);
    else for (const part of next.of.toReversed()) work.push(part);
  }
  return { questions, negated };
}
