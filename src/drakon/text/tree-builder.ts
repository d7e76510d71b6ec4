import type { IconId } from "../icon-id.ts";
import { not } from "../structure/conditions.ts";
import type { Branch, Condition, Exit, Label, TreeNode } from "../tree.ts";
import type { StatementHead } from "./statement-head.ts";
import type { TextFindingCode } from "./text-finding.ts";

/** Tells what is wrong with the line that is being read. */
export type ReportFinding = (code: TextFindingCode, detail?: string) => void;

interface Frame {
  readonly kind: "root" | "branch" | "if" | "select" | "case" | "parallel" | "process" | "for-each" | "loop" | "block";
  /** Of its head. What is deeper is inside. */
  readonly indent: number;
  /** Of the lines inside, from the first one on. */
  bodyIndent: number | undefined;
  /** Where statements go; undefined where only cases, processes or branches may stand. */
  block: TreeNode[] | undefined;
  /** Nothing leads to what follows an exit. */
  ended: boolean;
  /** The innermost loop and process around what is inside. */
  loop: Frame | undefined;
  process: Frame | undefined;
  readonly label: Label | undefined;
  readonly close?: () => void;
  /** For "if": the question that was asked last, and whether its "else" has been. */
  asked?: MutableIf;
  inElse?: boolean;
  /** For "select" and "for-each": what their later lines add to. */
  readonly node?: TreeNode;
}

interface MutableIf {
  readonly node: "if";
  condition: Condition;
  yes: TreeNode[];
  no: TreeNode[];
}

/** Lines that go on with the block above them although they are not deeper. */
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

/** Puts statements where their indentation says, line by line, and knows what is around each. */
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

  /** The indentation of the outermost lines, once there is one. */
  get bodyIndent(): number | undefined {
    return this.#root.bodyIndent;
  }

  /** Finds the block that a line with this indentation belongs to. To be called for every line, first. */
  place(indent: number, is: StatementHead["is"], tell: ReportFinding): void {
    for (let top = this.#top; top.indent >= indent; top = this.#top) {
      if (top.indent === indent && CONTINUES[top.kind]?.includes(is)) return;
      this.#pop();
    }
    const top = this.#top;
    top.bodyIndent ??= indent;
    if (top.bodyIndent !== indent) tell("W-TEXT-INDENT");
  }

  add(node: TreeNode, tell: ReportFinding): void {
    const top = this.#top;
    if (!top.block) return tell("E-TEXT-UNNAMED");
    if (top.ended) tell("W-TEXT-UNREACHABLE");
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

  openIf(indent: number, condition: Condition, tell: ReportFinding): void {
    const asked: MutableIf = { node: "if", condition, yes: [], no: [] };
    this.add(asked, tell);
    this.open("if", indent, { block: asked.yes });
    this.#top.asked = asked;
  }

  /** Goes over to what happens on "no"; with a condition, to the next question there. */
  otherwise(condition: Condition | undefined, word: string, tell: ReportFinding): void {
    const top = this.#top;
    if (!top.asked || top.inElse) return tell("E-TEXT-STRAY", word);
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

  /** The node that a case or process, or the end of a loop, belongs to. */
  around<Kind extends TreeNode["node"]>(kind: Kind): Extract<TreeNode, { node: Kind }> | undefined {
    const { node } = this.#top;
    return node?.node === kind ? (node as Extract<TreeNode, { node: Kind }>) : undefined;
  }

  openBranch(icon: IconId, name: string, indent: number, tell: ReportFinding): void {
    if (this.#top !== this.#root || (this.#root.block && this.#root.block.length > 0))
      return tell("E-TEXT-STRAY", name);
    if (this.#root.block) this.branches.pop();
    this.#root.block = undefined;
    const block: TreeNode[] = [];
    this.branches.push({ icon, name, body: block });
    this.open("branch", indent, { block });
  }

  /** An explicit end, where blocks end by indentation anyhow. */
  end(kinds: readonly Frame["kind"][], word: string, tell: ReportFinding): void {
    if (kinds.includes(this.#top.kind)) this.#pop();
    else tell("E-TEXT-STRAY", word);
  }

  exit(node: Exit, tell: ReportFinding): void {
    const problem = this.#problemWith(node);
    if (problem) return tell(...problem);
    this.add(node, tell);
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

  /** Nothing follows. */
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

/** What only happens on "no" happens on "yes" to the opposite: the same procedure is the same tree, however it is written. */
function neverOnlyNo(asked: MutableIf): void {
  if (asked.yes.length > 0 || asked.no.length === 0) return;
  asked.condition = not(asked.condition);
  asked.yes = asked.no;
  asked.no = [];
}
