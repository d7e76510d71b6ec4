import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import type { Condition, Tree, TreeNode } from "../tree.ts";
import { type ArgumentNames, argumentName, defaultArgumentNames } from "./argument-names.ts";
import { classify, everyPart } from "./classify.ts";
import type { Expression } from "./expression.ts";
import { forEachHead } from "./for-each-head.ts";
import { parametersOf } from "./parameters.ts";
import { readStep } from "./read-icon.ts";

/** What can be said about a procedure before it runs. */
export interface Analysis {
  readonly parameters: readonly string[];
  /** Every name that something in the procedure, or the caller, gives a value to. */
  readonly bound: ReadonlySet<string>;
  /** Icons with text that is computed, put into words, or neither (comments). */
  readonly icons: ReadonlyMap<IconId, "formal" | "words" | "silent">;
  /** In order of appearance. */
  readonly calls: readonly ToolCall[];
  /** Diagrams that insertions name. */
  readonly insertions: readonly { readonly icon: IconId; readonly diagram: string }[];
  /** `W-UNBOUND`, one per icon and name. */
  readonly findings: readonly Finding[];
}

export interface ToolCall {
  readonly icon: IconId;
  readonly name: string;
  /** As the tool's schema calls them; arguments beyond the table are `args`. */
  readonly arguments: readonly string[];
}

export interface AnalyseOptions {
  /** Names that the caller sets before the procedure begins. */
  readonly given?: Iterable<string>;
  readonly argumentNames?: ArgumentNames;
}

export function analyse(tree: Tree, options: AnalyseOptions = {}): Analysis {
  const table = options.argumentNames ?? defaultArgumentNames;
  const bound = new Set([...boundNames(tree), ...(options.given ?? [])]);
  const icons = new Map<IconId, "formal" | "words" | "silent">();
  const calls: ToolCall[] = [];
  const insertions: { icon: IconId; diagram: string }[] = [];
  const findings: Finding[] = [];
  const note = (
    icon: IconId,
    text: string,
    kind: "formal" | "words" | "silent",
    expressions: readonly Expression[],
    unbound: readonly string[] = [],
  ): void => {
    icons.set(icon, kind);
    for (const name of unbound) findings.push(finding("W-UNBOUND", { icon, iconText: text, detail: name }));
    for (const part of everyPart(expressions)) {
      if (part.is !== "call") continue;
      const known = table.get(part.name)?.positional ?? [];
      let place = 0;
      const names = part.args.map(({ name }) =>
        name === undefined ? (known[place++] ?? "args") : argumentName(table, part.name, name),
      );
      calls.push({ icon, name: part.name, arguments: [...new Set(names)] });
    }
  };
  const noteText = (icon: IconId, text: string): void => {
    const read = classify(text, bound);
    note(icon, text, read.kind, read.kind === "formal" ? [read.expression] : [], read.unbound);
  };
  for (const node of everyNode(tree)) {
    if (node.node === "if") for (const { icon, text } of questionsOf(node.condition)) noteText(icon, text);
    else if (node.node === "select") noteText(node.icon, node.text);
    else if (node.node === "for-each") {
      const head = forEachHead(node.text);
      if (head.is === "each") noteText(node.icon, head.over);
      else if (head.is === "words") note(node.icon, node.text, "words", []);
      else {
        const expressions = [...head.first, ...head.next].map(({ value }) => value);
        note(node.icon, node.text, "formal", [...expressions, head.test]);
      }
    } else if (node.node === "step") {
      const read = readStep(node, bound);
      if (read.does === "statements")
        note(
          node.icon,
          node.text,
          "formal",
          read.statements.map(({ value }) => value),
          read.unbound,
        );
      else if (read.does === "insert") {
        insertions.push({ icon: node.icon, diagram: read.diagram });
        note(
          node.icon,
          node.text,
          "formal",
          read.args.map(({ value }) => value),
        );
      } else if (read.does === "nothing") note(node.icon, node.text, "silent", []);
      else note(node.icon, node.text, "words", [], read.does === "words" ? read.unbound : []);
    }
  }
  return { parameters: parametersOf(tree.params), bound, icons, calls, insertions, findings };
}

/** Names that parameters, assignments, inputs and loops of a procedure set, wherever they stand in it. */
export function boundNames(tree: Tree): Set<string> {
  const bound = new Set(parametersOf(tree.params));
  const nobody = new Set<string>();
  for (const node of everyNode(tree)) {
    if (node.node === "for-each") {
      const head = forEachHead(node.text);
      if (head.is === "each") for (const name of head.names) bound.add(name);
      if (head.is === "count") for (const { target } of [...head.first, ...head.next]) if (target) bound.add(target);
    }
    if (node.node !== "step") continue;
    const read = readStep(node, nobody);
    // Which names an icon sets does not depend on which are known, so asking with none is enough.
    if (read.does === "statements") for (const { target } of read.statements) if (target) bound.add(target);
    if ("target" in read && read.target !== undefined) bound.add(read.target);
  }
  return bound;
}

/** Every node, each before what is inside it, without recursion. */
export function* everyNode(tree: Tree): Generator<TreeNode> {
  const work: TreeNode[] = [];
  const later = (blocks: readonly (readonly TreeNode[])[]): void => {
    for (const block of blocks.toReversed()) for (let i = block.length - 1; i >= 0; i--) work.push(block[i]!);
  };
  later(tree.branches.map(({ body }) => body));
  for (let node = work.pop(); node; node = work.pop()) {
    yield node;
    if (node.node === "if") later([node.yes, node.no]);
    else if (node.node === "select")
      later([...node.cases.map(({ body }) => body), ...(node.otherwise ? [node.otherwise.body] : [])]);
    else if (node.node === "parallel") later(node.processes.map(({ body }) => body));
    else if (node.node === "for-each" || node.node === "loop" || node.node === "block") later([node.body]);
  }
}

/** The questions of a condition, from left to right. */
export function questionsOf(condition: Condition): Extract<Condition, { is: "question" }>[] {
  const found: Extract<Condition, { is: "question" }>[] = [];
  const work: Condition[] = [condition];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "question") found.push(next);
    else if (next.is === "not") work.push(next.of);
    else for (let i = next.of.length - 1; i >= 0; i--) work.push(next.of[i]!);
  }
  return found;
}
