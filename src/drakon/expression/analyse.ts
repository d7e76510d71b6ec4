import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { type ArgumentNames, argumentName, defaultArgumentNames } from "./argument-names.ts";
import { boundNames, everyNode, questionsOf } from "./bound-names.ts";
import { classify, classifyAsked, constantTarget, everyPart, unboundIn } from "./classify.ts";
import type { Expression } from "./expression.ts";
import { forEachHead } from "./for-each-head.ts";
import { clockOrChance } from "./keywords.ts";
import { parametersOf } from "./parameters.ts";
import { readStep } from "./read-step.ts";
import { sharedNames } from "./shared-names.ts";

/** Static analysis of a procedure. */
export interface Analysis {
  readonly parameters: readonly string[];
  /** Every name that the procedure or the caller assigns. */
  readonly bound: ReadonlySet<string>;
  /** Icons whose text is computed, in natural language, or without effect (comments). */
  readonly icons: ReadonlyMap<IconId, "formal" | "words" | "silent">;
  /** Calls of tools, in order of appearance. The clock and chance are no tools. */
  readonly calls: readonly ToolCall[];

  readonly insertions: readonly { readonly icon: IconId; readonly diagram: string }[];
  /** `E-CONSTANT`; `W-UNBOUND`, one per icon and name; `W-SHARED-NAME`, one per icon that assigns a name which another process assigns. */
  readonly findings: readonly Finding[];
}

interface ToolCall {
  readonly icon: IconId;
  readonly name: string;
  /** Names of the tool's schema; arguments beyond the table are `args`. */
  readonly arguments: readonly string[];
}

interface AnalyseOptions {
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
      if (part.args.length === 0 && clockOrChance(part.name)) continue;
      const known = table.get(part.name)?.positional ?? [];
      let place = 0;
      const names = part.args.map(({ name }) =>
        name === undefined ? (known[place++] ?? "args") : argumentName(table, part.name, name),
      );
      calls.push({ icon, name: part.name, arguments: [...new Set(names)] });
    }
  };
  const noteText = (icon: IconId, text: string, read = classifyAsked(text, bound)): void => {
    note(icon, text, read.kind, read.kind === "formal" ? [read.expression] : [], read.unbound);
  };
  for (const node of everyNode(tree)) {
    if (node.node === "if") for (const { icon, text } of questionsOf(node.condition)) noteText(icon, text);
    else if (node.node === "select") noteText(node.icon, node.text);
    else if (node.node === "for-each") {
      const head = forEachHead(node.text);
      if (head.is === "each") noteText(node.icon, head.over, classify(head.over, bound));
      else if (head.is === "words") note(node.icon, node.text, "words", []);
      else {
        const expressions = [...[...head.first, ...head.next].map(({ value }) => value), head.test];
        note(node.icon, node.text, "formal", expressions, unboundIn(expressions, bound));
      }
    } else if (node.node === "step") {
      const read = readStep(node, bound);
      const constant = read.does === "words" ? constantTarget(node.text) : undefined;
      if (constant !== undefined)
        findings.push(finding("E-CONSTANT", { icon: node.icon, iconText: node.text, detail: constant }));
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
        const args = read.args.map(({ value }) => value);
        note(node.icon, node.text, "formal", args, unboundIn(args, bound));
      } else if (read.does === "nothing") note(node.icon, node.text, "silent", []);
      else note(node.icon, node.text, "words", [], read.does === "words" ? read.unbound : []);
    }
  }
  findings.push(...sharedNames(tree));
  return { parameters: parametersOf(tree.params), bound, icons, calls, insertions, findings };
}
