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
export function diagramFromTree(tree: Tree): Diagram {
  const items = new TreeDrawing(tree).items();
  const fields = (["name", "params", "description"] as const).flatMap((field) =>
    tree[field] === "" ? [] : [[field, encoded(tree[field])]],
  );
  const json = { type: "drakon", ...Object.fromEntries(fields), items };
  return readDiagram(`${JSON.stringify(json, undefined, 2)}\n`).diagram;
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

  items(): Record<string, Record<string, unknown>> {
    for (const { icon } of this.#tree.branches) this.#branches.set(icon, {});
    for (const [index, branch] of this.#tree.branches.entries()) {
      const id = this.#nextId();
      this.#branches.get(branch.icon)!.icon = id;
      const begin: ExitTarget = {};
      const branchId = this.#tree.silhouette ? index + 1 : 0;
      const content = branch.name === "" ? {} : { content: encoded(branch.name) };
      this.#put({ id, home: id, item: { type: "branch", ...content, branchId }, exits: [["one", begin]] });
      const scope: Scope = { loop: undefined, labels: new Map(), home: id };
      this.#work.push({ block: branch.body, begin, after: this.#end, scope });
      for (let next = this.#work.pop(); next; next = this.#work.pop()) this.#block(next);
    }
    const end = this.#nextId();
    this.#end.icon = end;
    const used = this.#drawn.some(({ exits }) => exits.some(([, place]) => resolveTarget(place).icon === end));
    if (used || this.#questions.some(({ yes, no }) => [yes, no].some((place) => resolveTarget(place).icon === end)))
      this.#put({ id: end, home: end, item: { type: "end" }, exits: [] });
    orient(this.#drawn, this.#questions);
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
        return this.#icon(place, home, item, [["one", after], ...this.#beside(node, home)]);
      }
      case "if": {
        const [yes, no] = [this.#inside(node.yes, after, scope), this.#inside(node.no, after, scope)];
        const leaves = (block: Block): boolean => isExit(block.at(-1));
        const questions = conditionTargets(node.condition, place, yes, no, () => this.#nextId());
        for (const { question, ...rest } of questions) {
          const item = { type: "question", content: encoded(question.text) };
          const exits = this.#beside(question, home);
          this.#put({ id: rest.id, home, item, exits });
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
          home,
          item: { type: "loopbegin", content: encoded(node.text) },
          exits: [["one", begin]],
          past: endId,
        });
        const below = node.endText === "" ? {} : { content: encoded(node.endText) };
        this.#put({ id: endId, home, item: { type: "loopend", ...below }, exits: [["one", after]] });
        return this.#loop(node, { next, after }, begin, { ...scope, home: id });
      }
      case "loop": {
        const id = this.#nextId();
        place.icon = id;
        const next: ExitTarget = { icon: id, back: true };
        const begin: ExitTarget = {};
        this.#put({ id, home, item: { type: "arrow-loop" }, exits: [["one", begin]] });
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

  #icon(place: ExitTarget, home: IconId, item: Record<string, unknown>, exits: DraftIcon["exits"]): void {
    const id = this.#nextId();
    place.icon = id;
    this.#put({ id, home, item, exits });
  }

  #beside({ duration }: { readonly duration?: Duration }, home: IconId): DraftIcon["exits"] {
    if (!duration) return [];
    const place: ExitTarget = {};
    this.#icon(place, home, { type: "duration", content: encoded(duration.text) }, []);
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
      this.#icon(here, home, { type: "case", content: encoded(arm.text) }, right ? [...exits, ["two", right]] : exits);
      right = here;
    }
    const exits: DraftIcon["exits"] = right ? [["one", right]] : [];
    this.#icon(place, home, { type: "select", content: encoded(node.text) }, [...exits, ...this.#beside(node, home)]);
  }

  #parallel(node: Extract<TreeNode, { node: "parallel" }>, place: ExitTarget, after: ExitTarget, scope: Scope): void {
    const end: ExitTarget = {};
    this.#icon(end, scope.home, { type: "parend" }, [["one", after]]);
    let right: ExitTarget | undefined;
    for (const process of node.processes.toReversed()) {
      const here: ExitTarget = {};
      const id = this.#nextId();
      here.icon = id;
      const begin = this.#inside(process.body, end, { loop: undefined, labels: scope.labels, home: id });
      const content = process.text === "" ? {} : { content: encoded(process.text) };
      const exits: DraftIcon["exits"] = [["one", begin], ...(right ? ([["two", right]] as const) : [])];
      this.#put({ id, home: scope.home, item: { type: "parbegin", ...content }, exits, past: end.icon! });
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
