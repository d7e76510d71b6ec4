import type { Language } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { Block, Branch, If, Label, Tree, TreeNode } from "../tree.ts";
import { conditionText } from "./condition-text.ts";
import { bareOrQuoted, CONTINUATION, isBare, quoted } from "./escape.ts";
import { forEachLine } from "./for-each-line.ts";
import { turnedQuestions, withGuards } from "./guards.ts";
import { ARROW, type ExitWord, exitWords, type StatementWord, statementWords } from "./keywords.ts";
import { DEEPEST_INDENTED, INDENT, isBracketed } from "./logical-lines.ts";
import { durationRemark, loopRemark } from "./remarks.ts";
import { stepText } from "./step-text.ts";

interface RenderOptions {
  readonly language: Language;
  /** Numbers every line, for a model that must state which lines it passed. The result can still be parsed. */
  readonly numbered?: boolean;
  /** False nests what follows a guard into its question, as before D-4a. */
  readonly guards?: boolean;
}

interface Pseudocode {
  /** Ends with a line break. */
  readonly text: string;
  /** The lines that represent icons, from 1, in order. */
  readonly lines: readonly { readonly line: number; readonly icons: readonly IconId[] }[];
  /** Questions whose line asks the opposite of the tree: guards are nested in the tree (D-4a). */
  readonly turned: ReadonlySet<IconId>;
}

/**
 * Renders a tree as pseudocode (D-4). Deterministic and lossless: `parsePseudocode` restores the same tree from either language.
 * The size is linear in the tree and its texts.
 */
export const renderPseudocode = (
  tree: Tree,
  { language, numbered = false, guards = true }: RenderOptions,
): Pseudocode => {
  const written = guards ? withGuards(tree) : tree;
  return { ...new Renderer(written, language).render(numbered), turned: turnedQuestions(tree, written) };
};

class Renderer {
  readonly #tree: Tree;
  readonly #language: Language;
  readonly #names: BranchNames;
  readonly #lines: string[] = [];
  readonly #icons: { line: number; icons: readonly IconId[] }[] = [];
  /** Unfinished blocks and the lines after them. A list instead of recursion: a tree may be very deep. */
  readonly #work: ({ block: Block; at: number; depth: number } | (() => void))[] = [];

  constructor(tree: Tree, language: Language) {
    this.#tree = tree;
    this.#language = language;
    this.#names = branchNames(tree);
  }

  render(numbered: boolean): Omit<Pseudocode, "turned"> {
    const { name, description, params, branches, silhouette } = this.#tree;
    const lines = this.#lines;
    const headed = silhouette || branches.some((branch) => branch.name !== "");
    this.#put(0, quotedName(this.#word("begin"), name), headed ? [] : branches.map(({ icon }) => icon));
    if (description !== "") this.#put(1, `${this.#word("description")} ${bareOrQuoted(description, "tail")}`, []);
    if (params !== "") this.#put(1, `${this.#word("params")} ${bareOrQuoted(params, "tail")}`, []);
    for (const branch of branches.toReversed()) {
      if (headed) this.#work.push(() => this.#branch(branch));
      else this.#inside(branch.body, 1);
    }
    if (!headed && branches[0]?.body.length) lines.push("");
    this.#run();
    lines.push("");
    this.#put(0, this.#word("end"), []);
    return { text: `${(numbered ? withNumbers(lines) : lines).join("\n")}\n`, lines: this.#icons };
  }

  #run(): void {
    for (let top = this.#work.at(-1); top; top = this.#work.at(-1)) {
      if (typeof top === "function") {
        this.#work.pop();
        top();
        continue;
      }
      const node = top.block[top.at];
      if (!node) {
        this.#work.pop();
        continue;
      }
      const before = top.block[top.at - 1];
      if (before && (isSpacious(before) || isSpacious(node))) this.#lines.push("");
      top.at++;
      this.#statement(node, top.depth);
    }
  }

  #branch({ icon, name, body }: Branch): void {
    this.#lines.push("");
    this.#put(1, `${this.#word("branch")} ${quoted(name, '"')}${this.#names.remark(icon)}`, [icon]);
    this.#filled(body, 2);
  }

  #inside(block: Block, depth: number): void {
    this.#work.push({ block, at: 0, depth });
  }

  /** A block; an empty one is written as `НІЧОГО`. */
  #filled(block: Block, depth: number): void {
    if (block.length === 0) this.#put(depth, this.#word("nothing"), []);
    else this.#inside(block, depth);
  }

  #statement(node: TreeNode, depth: number): void {
    switch (node.node) {
      case "step":
        return this.#put(depth, stepText(node, this.#language), [
          node.icon,
          ...(node.duration ? [node.duration.icon] : []),
        ]);
      case "if":
        return this.#ifStatement(node, depth, "if");
      case "select": {
        const beside = node.duration ? durationRemark(node.duration.text, this.#language) : "";
        const text = bareOrQuoted(node.text, beside === "" ? "head" : "part");
        this.#put(depth, `${this.#word("select")} ${text}${beside}`, [
          node.icon,
          ...(node.duration ? [node.duration.icon] : []),
        ]);
        const { otherwise } = node;
        if (otherwise) this.#headLater(depth + 1, this.#word("otherwise"), otherwise.icon, otherwise.body);
        for (const { icon, text: value, body } of node.cases.toReversed())
          this.#headLater(depth + 1, `${this.#word("case")} ${bareOrQuoted(value, "head")}`, icon, body);
        return;
      }
      case "for-each": {
        const below =
          node.endText === "" ? undefined : `${this.#word("endLoop")} ${bareOrQuoted(node.endText, "tail")}`;
        const head = forEachLine(node.text, this.#language) + loopRemark(node.label, this.#language);
        this.#put(depth, head, below === undefined ? [node.icon, node.endIcon] : [node.icon]);
        if (below !== undefined) this.#work.push(() => this.#put(depth, below, [node.endIcon]));
        return this.#filled(node.body, depth + 1);
      }
      case "loop":
        this.#put(depth, this.#word("repeat") + loopRemark(node.label, this.#language), [node.icon]);
        return this.#filled(node.body, depth + 1);
      case "block":
        this.#put(depth, `${this.#word("block")} ${node.label}`, []);
        return this.#filled(node.body, depth + 1);
      case "parallel": {
        this.#put(depth, this.#word("parallel"), [node.endIcon]);
        for (const [index, { icon, text, body }] of [...node.processes.entries()].toReversed()) {
          const named = text === "" ? "" : `: ${bareOrQuoted(text, "head")}`;
          this.#headLater(depth + 1, `${this.#word("process")} ${index + 1}${named}`, icon, body);
        }
        return;
      }
      case "break":
      case "next":
      case "leave":
      case "return":
        return this.#put(depth, this.#exit(node.node, node.node === "return" ? undefined : node.label), []);
      case "go":
        return this.#put(depth, `${ARROW} ${exitWords.branch[this.#language]} ${this.#names.written(node.branch)}`, []);
    }
  }

  /** Writes an if; a `no` block that is a single if becomes "else if". */
  #ifStatement({ condition, yes, no }: If, depth: number, head: "if" | "elseIf"): void {
    const asked: IconId[] = [];
    this.#put(depth, `${this.#word(head)} ${conditionText(condition, this.#language, asked)}`, asked);
    const [only] = no;
    if (no.length === 1 && only?.node === "if") this.#work.push(() => this.#ifStatement(only, depth, "elseIf"));
    else if (no.length > 0)
      this.#work.push(() => {
        this.#put(depth, this.#word("else"), []);
        this.#inside(no, depth + 1);
      });
    this.#filled(yes, depth + 1);
  }

  #headLater(depth: number, text: string, icon: IconId, body: Block): void {
    this.#work.push(() => {
      this.#put(depth, text, [icon]);
      this.#filled(body, depth + 1);
    });
  }

  #exit(how: "break" | "next" | "leave" | "return", label: Label | undefined): string {
    const far = label !== undefined;
    const words = {
      break: far ? "breakLoop" : "break",
      next: far ? "nextOfLoop" : "next",
      leave: "leave",
      return: "end",
    };
    const { [this.#language]: phrase } = exitWords[words[how] as ExitWord];
    return `${ARROW} ${phrase}${far ? ` ${label}` : ""}`;
  }

  #word(name: StatementWord): string {
    return statementWords[name][this.#language];
  }

  /** A line, or several if the text has line breaks. */
  #put(depth: number, text: string, of: readonly IconId[]): void {
    const indent = indentation(depth);
    if (!text.includes("\n")) {
      if (of.length > 0) this.#icons.push({ line: this.#lines.length + 1, icons: of });
      this.#lines.push(indent + text);
      return;
    }
    const bare = isBracketed(text);
    for (const [index, line] of text.split("\n").entries()) {
      if (of.length > 0) this.#icons.push({ line: this.#lines.length + 1, icons: of });
      const mark = bare || index === 0 ? "" : line === "" ? CONTINUATION : `${CONTINUATION} `;
      this.#lines.push(bare && line === "" ? "" : indent + mark + line);
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

interface BranchNames {
  remark(icon: IconId): string;
  written(icon: IconId): string;
}

/** Names of branches; a name that is not unique is followed by the number of the branch. */
function branchNames(tree: Tree): BranchNames {
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
