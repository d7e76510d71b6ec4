import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { encodeText } from "../diagram/rich-text.ts";
import type { IconId } from "../icon-id.ts";
import type { Block, Duration, Exit, Label, Tree, TreeNode } from "../tree.ts";
import { conditionTargets } from "./condition-targets.ts";
import { type DraftIcon, type DraftQuestion, type ExitTarget, resolveTarget } from "./exit-targets.ts";
import { numberedItems } from "./number-icons.ts";
import { orient } from "./orientation.ts";

/**
 * Draws a tree as a diagram, as the widget would: decimal ids from top to bottom, the main path straight down, loops left
 * downwards and repeated from the right. `structure` of the result is the same tree, for every tree that a diagram can have.
 */
export const diagramFromTree = (tree: Tree): Diagram => drawTree(tree).diagram;

export interface DrawnTree {
  readonly diagram: Diagram;
  /** The icon of the tree that a drawn icon represents. The end is none. */
  readonly origins: ReadonlyMap<IconId, IconId>;
}

/** Draws a tree. `prefers` says which answer goes down where both may: true for "yes", by icon of the tree. */
export function drawTree(tree: Tree, prefers: ReadonlyMap<IconId, boolean> = new Map()): DrawnTree {
  const { items, origins } = new TreeDrawing(tree).items(prefers);
  const fields = (["name", "params", "description"] as const).flatMap((field) =>
    tree[field] === "" ? [] : [[field, encoded(tree[field])]],
  );
  const json = { type: "drakon", ...Object.fromEntries(fields), items };
  return { diagram: readDiagram(`${JSON.stringify(json, undefined, 2)}\n`).diagram, origins };
}

/** A text that the format cannot represent is written as it is: the nearest possible. */
const encoded = (text: string): string => encodeText(text) ?? text;

/** Targets of the exits inside a block. */
interface Scope {
  /** The innermost loop. */
  readonly loop: { readonly next: ExitTarget; readonly after: ExitTarget } | undefined;
  readonly labels: Map<Label, { readonly next: ExitTarget | undefined; readonly after: ExitTarget }>;
  /** The branch, for-each or process around the block. */
  readonly home: IconId;
}

/**
 * Takes blocks from a work list and draws them from the last node to the first, because every icon needs its successor. The
 * beginning of a block is referred to before it is drawn, so it is a target that gets its icon later.
 */
class TreeDrawing {
  readonly #tree: Tree;
  readonly #drawn: DraftIcon[] = [];
  readonly #questions: DraftQuestion[] = [];
  readonly #work: { block: Block; begin: ExitTarget; after: ExitTarget; scope: Scope }[] = [];
  readonly #end: ExitTarget = {};
  readonly #branches = new Map<IconId, ExitTarget>();
  #ids = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  items(prefers: ReadonlyMap<IconId, boolean>): ReturnType<typeof numberedItems> {
    for (const { icon } of this.#tree.branches) this.#branches.set(icon, {});
    for (const [index, branch] of this.#tree.branches.entries()) {
      const id = this.#nextId();
      this.#branches.get(branch.icon)!.icon = id;
      const begin: ExitTarget = {};
      const branchId = this.#tree.silhouette ? index + 1 : 0;
      const content = branch.name === "" ? {} : { content: encoded(branch.name) };
      const item = { type: "branch", ...content, branchId };
      this.#put({ id, of: branch.icon, home: id, item, exits: [["one", begin]] });
      const scope: Scope = { loop: undefined, labels: new Map(), home: id };
      this.#work.push({ block: branch.body, begin, after: this.#end, scope });
      for (let next = this.#work.pop(); next; next = this.#work.pop()) this.#block(next);
    }
    const end = this.#nextId();
    this.#end.icon = end;
    const used = this.#drawn.some(({ exits }) => exits.some(([, place]) => resolveTarget(place).icon === end));
    if (used || this.#questions.some(({ yes, no }) => [yes, no].some((place) => resolveTarget(place).icon === end)))
      this.#put({ id: end, home: end, item: { type: "end" }, exits: [] });
    orient(this.#drawn, this.#questions, prefers);
    return numberedItems(this.#drawn);
  }

  #nextId(): IconId {
    return String(this.#ids++);
  }

  #put(drawn: DraftIcon): void {
    this.#drawn.push(drawn);
  }

  #block({ block, begin, after, scope }: { block: Block; begin: ExitTarget; after: ExitTarget; scope: Scope }): void {
    let next = after;
    for (let i = block.length - 1; i >= 0; i--) {
      const place: ExitTarget = {};
      this.#node(block[i]!, place, next, scope);
      next = place;
    }
    begin.same = next;
  }

  #node(node: TreeNode, place: ExitTarget, after: ExitTarget, scope: Scope): void {
    const { home } = scope;
    switch (node.node) {
      case "step": {
        const upper = node.secondary === undefined ? {} : { secondary: encoded(node.secondary) };
        const item = { type: node.kind, content: encoded(node.text), ...upper };
        return this.#icon(place, node.icon, home, item, [["one", after], ...this.#beside(node, home)]);
      }
      case "if": {
        const [yes, no] = [this.#inside(node.yes, after, scope), this.#inside(node.no, after, scope)];
        const leaves = (block: Block): boolean => isExit(block.at(-1));
        const questions = conditionTargets(node.condition, place, yes, no, () => this.#nextId());
        for (const { question, ...rest } of questions) {
          const item = { type: "question", content: encoded(question.text) };
          const exits = this.#beside(question, home);
          this.#put({ id: rest.id, of: question.icon, home, item, exits });
          const yesRight = leaves(node.yes) && !leaves(node.no);
          this.#questions.push({ ...rest, whenYes: yes, whenNo: no, yesRight });
        }
        return;
      }
      case "select":
        return this.#select(node, place, after, scope);
      case "for-each": {
        const [id, endId] = [this.#nextId(), this.#nextId()];
        place.icon = id;
        const next: ExitTarget = { icon: endId };
        const begin: ExitTarget = {};
        this.#put({
          id,
          of: node.icon,
          home,
          item: { type: "loopbegin", content: encoded(node.text) },
          exits: [["one", begin]],
          past: endId,
        });
        const below = node.endText === "" ? {} : { content: encoded(node.endText) };
        const end = { type: "loopend", ...below };
        this.#put({ id: endId, of: node.endIcon, home, item: end, exits: [["one", after]] });
        return this.#loop(node, { next, after }, begin, { ...scope, home: id });
      }
      case "loop": {
        const id = this.#nextId();
        place.icon = id;
        const next: ExitTarget = { icon: id, back: true };
        const begin: ExitTarget = {};
        this.#put({ id, of: node.icon, home, item: { type: "arrow-loop" }, exits: [["one", begin]] });
        return this.#loop(node, { next, after }, begin, scope);
      }
      case "parallel":
        return this.#parallel(node, place, after, scope);
      case "block":
        scope.labels.set(node.label, { next: undefined, after });
        this.#work.push({ block: node.body, begin: place, after, scope });
        return;
      default:
        place.same = this.#target(node, scope);
    }
  }

  #icon(place: ExitTarget, of: IconId, home: IconId, item: DraftIcon["item"], exits: DraftIcon["exits"]): void {
    const id = this.#nextId();
    place.icon = id;
    this.#put({ id, of, home, item, exits });
  }

  #beside({ duration }: { readonly duration?: Duration }, home: IconId): DraftIcon["exits"] {
    if (!duration) return [];
    const place: ExitTarget = {};
    this.#icon(place, duration.icon, home, { type: "duration", content: encoded(duration.text) }, []);
    return [["side", place]];
  }

  #inside(block: Block, after: ExitTarget, scope: Scope): ExitTarget {
    const begin: ExitTarget = {};
    this.#work.push({ block, begin, after, scope });
    return begin;
  }

  #loop(
    node: Extract<TreeNode, { node: "loop" | "for-each" }>,
    loop: { next: ExitTarget; after: ExitTarget },
    begin: ExitTarget,
    scope: Scope,
  ): void {
    if (node.label !== undefined) scope.labels.set(node.label, loop);
    this.#work.push({ block: node.body, begin, after: loop.next, scope: { ...scope, loop } });
  }

  #select(node: Extract<TreeNode, { node: "select" }>, place: ExitTarget, after: ExitTarget, scope: Scope): void {
    const { home } = scope;
    const arms = [...node.cases, ...(node.otherwise ? [{ ...node.otherwise, text: "" }] : [])];
    let right: ExitTarget | undefined;
    for (const arm of arms.toReversed()) {
      const here: ExitTarget = {};
      const exits: DraftIcon["exits"] = [["one", this.#inside(arm.body, after, scope)]];
      const item = { type: "case", content: encoded(arm.text) };
      this.#icon(here, arm.icon, home, item, right ? [...exits, ["two", right]] : exits);
      right = here;
    }
    const exits: DraftIcon["exits"] = right ? [["one", right]] : [];
    const item = { type: "select", content: encoded(node.text) };
    this.#icon(place, node.icon, home, item, [...exits, ...this.#beside(node, home)]);
  }

  #parallel(node: Extract<TreeNode, { node: "parallel" }>, place: ExitTarget, after: ExitTarget, scope: Scope): void {
    const end: ExitTarget = {};
    this.#icon(end, node.endIcon, scope.home, { type: "parend" }, [["one", after]]);
    let right: ExitTarget | undefined;
    for (const process of node.processes.toReversed()) {
      const here: ExitTarget = {};
      const id = this.#nextId();
      here.icon = id;
      const begin = this.#inside(process.body, end, { loop: undefined, labels: scope.labels, home: id });
      const content = process.text === "" ? {} : { content: encoded(process.text) };
      const exits: DraftIcon["exits"] = [["one", begin], ...(right ? ([["two", right]] as const) : [])];
      const item = { type: "parbegin", ...content };
      this.#put({ id, of: process.icon, home: scope.home, item, exits, past: end.icon! });
      right = here;
    }
    place.same = right ?? end;
  }

  #target(exit: Exit, scope: Scope): ExitTarget {
    switch (exit.node) {
      case "return":
        return this.#end;
      case "go":
        return this.#branches.get(exit.branch) ?? this.#end;
      case "leave":
        return scope.labels.get(exit.label)?.after ?? this.#end;
      case "break":
      case "next": {
        const loop = exit.label === undefined ? scope.loop : scope.labels.get(exit.label);
        return (exit.node === "break" ? loop?.after : loop?.next) ?? this.#end;
      }
    }
  }
}

const isExit = (node: TreeNode | undefined): boolean =>
  node !== undefined && ["break", "next", "leave", "return", "go"].includes(node.node);
