import type { Language } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { Block, If, Label, Tree, TreeNode } from "../tree.ts";
import { conditionText } from "./condition-text.ts";
import { bareOrQuoted, CONTINUATION, isBare, quoted } from "./escape.ts";
import { forEachLine } from "./for-each-line.ts";
import { ARROW, type ExitWord, exitWords, type StatementWord, statementWords } from "./keywords.ts";
import { DEEPEST_INDENTED, INDENT, isBracketed } from "./logical-lines.ts";
import { durationRemark, loopRemark } from "./remarks.ts";
import { stepText } from "./step-text.ts";

interface RenderOptions {
  readonly language: Language;
  /** Numbers every line, for a model that must state which lines it passed. The result can still be parsed. */
  readonly numbered?: boolean;
}

interface Pseudocode {
  /** Ends with a line break. */
  readonly text: string;
  /** The lines that represent icons, from 1, in order. */
  readonly lines: readonly { readonly line: number; readonly icons: readonly IconId[] }[];
}

/**
 * Renders a tree as pseudocode (D-4). Deterministic and lossless: `parsePseudocode` restores the same tree from either language.
 * The size is linear in the tree and its texts.
 */
export function renderPseudocode(tree: Tree, { language, numbered = false }: RenderOptions): Pseudocode {
  const lines: string[] = [];
  const icons: { line: number; icons: readonly IconId[] }[] = [];
  /** Unfinished blocks and the lines after them. A list instead of recursion: a tree may be very deep. */
  const work: ({ block: Block; at: number; depth: number } | (() => void))[] = [];
  const names = branchNames(tree);
  const headed = tree.silhouette || tree.branches.some(({ name }) => name !== "");

  put(0, quotedName(word("begin"), tree.name), headed ? [] : tree.branches.map(({ icon }) => icon));
  if (tree.description !== "") put(1, `${word("description")} ${bareOrQuoted(tree.description, "tail")}`, []);
  if (tree.params !== "") put(1, `${word("params")} ${bareOrQuoted(tree.params, "tail")}`, []);
  for (const { icon, name, body } of tree.branches.toReversed()) {
    if (!headed) inside(body, 1);
    else {
      work.push(() => {
        lines.push("");
        put(1, `${word("branch")} ${quoted(name, '"')}${names.remark(icon)}`, [icon]);
        filled(body, 2);
      });
    }
  }
  if (!headed && tree.branches[0]?.body.length) lines.push("");
  run();
  lines.push("");
  put(0, word("end"), []);
  return { text: `${(numbered ? withNumbers(lines) : lines).join("\n")}\n`, lines: icons };

  function run(): void {
    for (let top = work.at(-1); top; top = work.at(-1)) {
      if (typeof top === "function") {
        work.pop();
        top();
        continue;
      }
      const node = top.block[top.at];
      if (!node) {
        work.pop();
        continue;
      }
      const before = top.block[top.at - 1];
      if (before && (isSpacious(before) || isSpacious(node))) lines.push("");
      top.at++;
      statement(node, top.depth);
    }
  }

  function inside(block: Block, depth: number): void {
    work.push({ block, at: 0, depth });
  }

  /** A block; an empty one is written as `НІЧОГО`. */
  function filled(block: Block, depth: number): void {
    if (block.length === 0) put(depth, word("nothing"), []);
    else inside(block, depth);
  }

  function statement(node: TreeNode, depth: number): void {
    switch (node.node) {
      case "step":
        return put(depth, stepText(node, language), [node.icon, ...(node.duration ? [node.duration.icon] : [])]);
      case "if":
        return ifStatement(node, depth, "if");
      case "select": {
        const beside = node.duration ? durationRemark(node.duration.text, language) : "";
        const text = bareOrQuoted(node.text, beside === "" ? "head" : "part");
        put(depth, `${word("select")} ${text}${beside}`, [node.icon, ...(node.duration ? [node.duration.icon] : [])]);
        const { otherwise } = node;
        if (otherwise) headLater(depth + 1, word("otherwise"), otherwise.icon, otherwise.body);
        for (const { icon, text: value, body } of node.cases.toReversed())
          headLater(depth + 1, `${word("case")} ${bareOrQuoted(value, "head")}`, icon, body);
        return;
      }
      case "for-each": {
        const below = node.endText === "" ? undefined : `${word("endLoop")} ${bareOrQuoted(node.endText, "tail")}`;
        const head = forEachLine(node.text, language) + loopRemark(node.label, language);
        put(depth, head, below === undefined ? [node.icon, node.endIcon] : [node.icon]);
        if (below !== undefined) work.push(() => put(depth, below, [node.endIcon]));
        return filled(node.body, depth + 1);
      }
      case "loop":
        put(depth, word("repeat") + loopRemark(node.label, language), [node.icon]);
        return filled(node.body, depth + 1);
      case "block":
        put(depth, `${word("block")} ${node.label}`, []);
        return filled(node.body, depth + 1);
      case "parallel": {
        put(depth, word("parallel"), [node.endIcon]);
        for (const [index, { icon, text, body }] of [...node.processes.entries()].toReversed()) {
          const named = text === "" ? "" : `: ${bareOrQuoted(text, "head")}`;
          headLater(depth + 1, `${word("process")} ${index + 1}${named}`, icon, body);
        }
        return;
      }
      case "break":
      case "next":
      case "leave":
      case "return":
        return put(depth, exit(node.node, node.node === "return" ? undefined : node.label), []);
      case "go":
        return put(depth, `${ARROW} ${exitWords.branch[language]} ${names.written(node.branch)}`, []);
    }
  }

  /** Writes an if; a `no` block that is a single if becomes "else if". */
  function ifStatement({ condition, yes, no }: If, depth: number, head: "if" | "elseIf"): void {
    const asked: IconId[] = [];
    put(depth, `${word(head)} ${conditionText(condition, language, asked)}`, asked);
    const [only] = no;
    if (no.length === 1 && only?.node === "if") work.push(() => ifStatement(only, depth, "elseIf"));
    else if (no.length > 0)
      work.push(() => {
        put(depth, word("else"), []);
        inside(no, depth + 1);
      });
    filled(yes, depth + 1);
  }

  function headLater(depth: number, text: string, icon: IconId, body: Block): void {
    work.push(() => {
      put(depth, text, [icon]);
      filled(body, depth + 1);
    });
  }

  function exit(how: "break" | "next" | "leave" | "return", label: Label | undefined): string {
    const far = label !== undefined;
    const words = {
      break: far ? "breakLoop" : "break",
      next: far ? "nextOfLoop" : "next",
      leave: "leave",
      return: "end",
    };
    const { [language]: said } = exitWords[words[how] as ExitWord];
    return `${ARROW} ${said}${far ? ` ${label}` : ""}`;
  }

  function word(name: StatementWord): string {
    return statementWords[name][language];
  }

  /** A line, or several if the text has line breaks. */
  function put(depth: number, text: string, of: readonly IconId[]): void {
    const indent = indentation(depth);
    if (!text.includes("\n")) {
      if (of.length > 0) icons.push({ line: lines.length + 1, icons: of });
      lines.push(indent + text);
      return;
    }
    const bare = isBracketed(text);
    for (const [index, line] of text.split("\n").entries()) {
      if (of.length > 0) icons.push({ line: lines.length + 1, icons: of });
      const mark = bare || index === 0 ? "" : line === "" ? CONTINUATION : `${CONTINUATION} `;
      lines.push(bare && line === "" ? "" : indent + mark + line);
    }
  }
}

const spaces = Array.from({ length: DEEPEST_INDENTED + 1 }, (_, depth) => " ".repeat(INDENT * depth));
const indentation = (depth: number): string => spaces[depth] ?? `⟨${depth}⟩ `;

const quotedName = (word: string, name: string): string => (name === "" ? word : `${word} ${quoted(name, '"')}`);

/** Nodes that are set off by blank lines. */
function isSpacious(node: TreeNode): boolean {
  switch (node.node) {
    case "step":
      return node.text.includes("\n") && isBare(node.text, node.kind === "action" ? "action" : "tail");
    case "break":
    case "next":
    case "leave":
    case "return":
    case "go":
      return false;
    default:
      return true;
  }
}

/** Names of branches; a name that is not unique is followed by the number of the branch. */
function branchNames(tree: Tree): {
  remark(icon: IconId): string;
  written(icon: IconId): string;
} {
  const count = new Map<string, number>();
  for (const { name } of tree.branches) count.set(name, (count.get(name) ?? 0) + 1);
  const branches = new Map(
    tree.branches.map((branch, index) => [branch.icon, { name: branch.name, number: index + 1 }]),
  );
  const remark = (icon: IconId): string => {
    const { name, number } = branches.get(icon)!;
    return count.get(name) === 1 ? "" : ` [${number}]`;
  };
  return { remark, written: (icon) => `${quoted(branches.get(icon)!.name, '"')}${remark(icon)}` };
}

function withNumbers(lines: readonly string[]): string[] {
  const width = String(lines.length).length;
  return lines.map((line, index) => `${String(index + 1).padStart(width)}|${line === "" ? "" : " "}${line}`);
}
