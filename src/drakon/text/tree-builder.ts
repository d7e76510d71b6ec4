import type { IconId } from "../icon-id.ts";
import { not } from "../structure/conditions.ts";
import type { Branch, Condition, Exit, Label, TreeNode } from "../tree.ts";
import type { StatementHead } from "./statement-head.ts";
import type { TextFindingCode } from "./text-finding.ts";

/** Reports a finding about the current line. */
export type ReportFinding = (code: TextFindingCode, detail?: string) => void;

interface Frame {
  readonly kind: "root" | "branch" | "if" | "select" | "case" | "parallel" | "process" | "for-each" | "loop" | "block";
  /** Indentation of its head; deeper lines are inside. */
  readonly indent: number;
  /** Indentation of the lines inside; set by the first one. */
  bodyIndent: number | undefined;
  /** The block for statements; undefined where only cases, processes or branches are allowed. */
  block: TreeNode[] | undefined;
  /** The last node was an exit, so the next one is unreachable. */
  ended: boolean;
  /** The innermost enclosing loop and process. */
  loop: Frame | undefined;
  process: Frame | undefined;
  readonly label: Label | undefined;
  readonly close?: () => void;
  /** For "if": the last condition, and if its "else" has begun. */
  asked?: MutableIf;
  inElse?: boolean;
  /** For "select", "parallel" and "for-each": the node that later lines complete. */
  readonly node?: TreeNode;
}

interface MutableIf {
  readonly node: "if";
  condition: Condition;
  yes: TreeNode[];
  no: TreeNode[];
}

/** Lines that continue the block above them although they are not deeper. */
const CONTINUES: Readonly<Partial<Record<Frame["kind"], readonly StatementHead["is"][]>>> = {
  if: ["elseIf", "else", "endIf"],
  select: ["case", "otherwise", "endSelect"],
  parallel: ["process", "endParallel"],
  "for-each": ["endLoop"],
  loop: ["endLoop"],
  block: ["endBlock"],
};

interface OpenOptions {
  readonly block?: TreeNode[];
  readonly label?: Label | undefined;
  readonly node?: TreeNode;
  readonly close?: () => void;
}

/** Places statements by their indentation, line by line, and tracks the enclosing blocks. */
export class TreeBuilder {
  readonly branches: Branch[] = [];
  readonly #root: Frame;
  readonly #frames: Frame[];
  readonly #labels = new Map<Label, Frame[]>();

  constructor(icon: IconId) {
    const block: TreeNode[] = [];
    this.#root = { ...bare("root", -1), block };
    this.#frames = [this.#root];
    this.branches.push({ icon, name: "", body: block });
  }

  get #top(): Frame {
    return this.#frames.at(-1)!;
  }

  /** The indentation of the outermost lines; undefined before the first. */
  get bodyIndent(): number | undefined {
    return this.#root.bodyIndent;
  }

  /** Finds the block of a line by its indentation. Call it first for every line. */
  place(indent: number, is: StatementHead["is"], report: ReportFinding): void {
    for (let top = this.#top; top.indent >= indent; top = this.#top) {
      if (top.indent === indent && CONTINUES[top.kind]?.includes(is)) return;
      this.#pop();
    }
    const top = this.#top;
    top.bodyIndent ??= indent;
    if (top.bodyIndent !== indent) report("W-TEXT-INDENT");
  }

  add(node: TreeNode, report: ReportFinding): void {
    const top = this.#top;
    if (!top.block) return report("E-TEXT-UNNAMED");
    if (top.ended) report("W-TEXT-UNREACHABLE");
    top.ended = false;
    top.block.push(node);
  }

  open(kind: Frame["kind"], indent: number, options: OpenOptions = {}): void {
    const around = this.#top;
    const frame: Frame = {
      ...bare(kind, indent),
      ...options,
      label: options.label,
      block: options.block,
      loop: around.loop,
      process: around.process,
    };
    if (kind === "loop" || kind === "for-each") frame.loop = frame;
    if (kind === "process") {
      frame.loop = undefined;
      frame.process = frame;
    }
    this.#frames.push(frame);
    if (options.label === undefined) return;
    const named = this.#labels.get(options.label);
    if (named) named.push(frame);
    else this.#labels.set(options.label, [frame]);
  }

  openIf(indent: number, condition: Condition, report: ReportFinding): void {
    const asked: MutableIf = { node: "if", condition, yes: [], no: [] };
    this.add(asked, report);
    this.open("if", indent, { block: asked.yes });
    this.#top.asked = asked;
  }

  /** Starts the "else" block; with a condition, the "else if" block. */
  otherwise(condition: Condition | undefined, word: string, report: ReportFinding): void {
    const top = this.#top;
    if (!top.asked || top.inElse) return report("E-TEXT-STRAY", word);
    const { asked } = top;
    top.bodyIndent = undefined;
    top.ended = false;
    top.block = asked.no;
    if (!condition) {
      top.inElse = true;
      return;
    }
    top.asked = { node: "if", condition, yes: [], no: [] };
    asked.no.push(top.asked);
    top.block = top.asked.yes;
    neverOnlyNo(asked);
  }

  /** The enclosing node of this kind that a case, a process or the end of a loop belongs to. */
  around<Kind extends TreeNode["node"]>(kind: Kind): Extract<TreeNode, { node: Kind }> | undefined {
    const { node } = this.#top;
    return node?.node === kind ? (node as Extract<TreeNode, { node: Kind }>) : undefined;
  }

  openBranch(icon: IconId, name: string, indent: number, report: ReportFinding): void {
    if (this.#top !== this.#root || (this.#root.block && this.#root.block.length > 0))
      return report("E-TEXT-STRAY", name);
    if (this.#root.block) this.branches.pop();
    this.#root.block = undefined;
    const block: TreeNode[] = [];
    this.branches.push({ icon, name, body: block });
    this.open("branch", indent, { block });
  }

  /** An explicit end of a block; optional, because indentation ends blocks too. */
  end(kinds: readonly Frame["kind"][], word: string, report: ReportFinding): void {
    if (kinds.includes(this.#top.kind)) this.#pop();
    else report("E-TEXT-STRAY", word);
  }

  exit(node: Exit, report: ReportFinding): void {
    const problem = this.#problemWith(node);
    if (problem) return report(...problem);
    this.add(node, report);
    this.#top.ended = true;
  }

  #problemWith(node: Exit): [TextFindingCode, string?] | undefined {
    const top = this.#top;
    if (node.node === "go") return top.process ? ["E-TEXT-STRAY", "→"] : undefined;
    if (node.node === "return") return undefined;
    if (node.label === undefined) return top.loop ? undefined : ["E-TEXT-NO-LOOP"];
    const target = this.#labels.get(node.label)?.at(-1);
    const fits = target && (target.kind === "block") === (node.node === "leave") && target.process === top.process;
    return fits ? undefined : ["E-TEXT-LABEL", String(node.label)];
  }

  /** Closes all open blocks at the end of the procedure. */
  finish(): void {
    while (this.#frames.length > 1) this.#pop();
  }

  #pop(): void {
    const frame = this.#frames.pop()!;
    if (frame.label !== undefined) this.#labels.get(frame.label)?.pop();
    if (frame.asked) neverOnlyNo(frame.asked);
    frame.close?.();
  }
}

const bare = (kind: Frame["kind"], indent: number): Frame => ({
  kind,
  indent,
  bodyIndent: undefined,
  block: undefined,
  ended: false,
  loop: undefined,
  process: undefined,
  label: undefined,
});

/** Turns an if with only a "no" block into one with only a "yes" block, so that equal procedures give equal trees. */
function neverOnlyNo(asked: MutableIf): void {
  if (asked.yes.length > 0 || asked.no.length === 0) return;
  asked.condition = not(asked.condition);
  asked.yes = asked.no;
  asked.no = [];
}
