import type { IconId } from "../icon-id.ts";
import type { Condition, Duration, Parallel, SelectCase, Step, TreeNode } from "../tree.ts";
import { readCondition } from "./condition-reader.ts";
import { readQuoted } from "./escape.ts";
import { ExitReader } from "./exit-reader.ts";
import { readForEachLine } from "./for-each-line.ts";
import { skipSpaces } from "./keyword-match.ts";
import { kindWords, type StatementWord } from "./keywords.ts";
import type { LogicalLine } from "./logical-lines.ts";
import { readBranchName, readNumber, withoutLabel } from "./remarks.ts";
import { type StatementHead, statementHead } from "./statement-head.ts";
import { type ReadText, readStoreys, readTail } from "./step-text.ts";
import { type TextFinding, type TextFindingCode, textFinding } from "./text-finding.ts";
import { TreeBuilder } from "./tree-builder.ts";

const kindOfWord = new Map<StatementWord, string>(Object.entries(kindWords).map(([kind, word]) => [word, kind]));

/** Builds a tree from the lines between the first and the last line of a procedure. */
export class ProcedureReader {
  readonly findings: TextFinding[] = [];
  readonly builder: TreeBuilder;
  readonly exits: ExitReader;
  description = "";
  params = "";
  #line: LogicalLine;
  #icons = 0;
  readonly #report = (code: TextFindingCode, detail?: string): void => this.#reportAt(0, code, detail);

  constructor(begin: LogicalLine) {
    this.#line = begin;
    this.builder = new TreeBuilder(this.#icon());
    this.exits = new ExitReader(this.builder);
  }

  /** Reads one line. Errors are reported, and reading continues. */
  read(line: LogicalLine, statement: StatementHead = statementHead(line)): void {
    this.#line = line;
    this.#icons = 0;
    if (line.unclosed) this.#report("W-TEXT-BRACKET");
    this.builder.place(line.indent, statement.is, this.#report);
    this.#statement(statement);
  }

  #statement({ is, rest }: StatementHead): void {
    const { builder } = this;
    const { text, indent } = this.#line;
    const report = this.#report;
    switch (is) {
      case "action":
        return this.#step("action", readTail(text, 0));
      case "exit":
        return this.exits.read(text, rest, this.#line, report);
      case "icon": {
        const kind = readQuoted(text, rest, '"');
        if (!kind) return report("E-TEXT-EMPTY", text);
        return this.#step(kind.text, readStoreys(text, skipSpaces(text, kind.end)));
      }
      case "receive":
      case "send":
      case "control":
      case "shelf":
        return this.#step(kindOfWord.get(is)!, readStoreys(text, rest));
      case "if":
        return builder.openIf(indent, this.#condition(rest), report);
      case "elseIf":
        return builder.otherwise(this.#condition(rest), this.#word(rest), report);
      case "else":
        this.#expectEnd(rest);
        return builder.otherwise(undefined, this.#word(rest), report);
      case "select":
        return this.#select(rest);
      case "case":
      case "otherwise":
        return this.#case(is, rest);
      case "forEach":
      case "for":
      case "cycle":
        return this.#forEach(rest);
      case "repeat": {
        const { head, label } = withoutLabel(text);
        this.#expectEnd(rest, head);
        const node = { node: "loop" as const, icon: this.#icon(), ...(label !== undefined && { label }), body: [] };
        builder.add(node, report);
        return builder.open("loop", indent, { block: node.body, label });
      }
      case "block": {
        const label = readNumber(text, rest);
        if (label === undefined) return report("E-TEXT-EMPTY", text);
        const node = { node: "block" as const, label, body: [] };
        builder.add(node, report);
        return builder.open("block", indent, { block: node.body, label });
      }
      case "parallel": {
        this.#expectEnd(rest);
        const node: Parallel = { node: "parallel", processes: [], endIcon: `${this.#icon()} end` };
        builder.add(node, report);
        return builder.open("parallel", indent, { node });
      }
      case "process":
        return this.#process(rest);
      case "branch": {
        const found = readBranchName(text, rest);
        if (!found) return report("E-TEXT-EMPTY", text);
        const icon = this.#icon();
        if (!this.exits.declareBranch(found.name, found.number, icon)) report("W-TEXT-BRANCH-TWICE", found.name);
        return builder.openBranch(icon, found.name, indent, report);
      }
      case "nothing":
        return this.#expectEnd(rest);
      case "endIf":
        this.#expectEnd(rest);
        return builder.end(["if"], this.#word(rest), report);
      case "endSelect":
        this.#expectEnd(rest);
        return builder.end(["select"], this.#word(rest), report);
      case "endParallel":
        this.#expectEnd(rest);
        return builder.end(["parallel"], this.#word(rest), report);
      case "endBlock":
        return builder.end(["block"], this.#word(rest), report);
      case "endLoop": {
        const loop = builder.around("for-each") as { endText: string } | undefined;
        if (loop) loop.endText = readTail(text, rest).text;
        else this.#expectEnd(rest);
        return builder.end(["for-each", "loop"], this.#word(rest), report);
      }
      case "description":
      case "params":
        if (this[is] !== "") report("E-TEXT-STRAY", this.#word(rest));
        this[is] = readTail(text, rest).text;
        return;
      case "end":
        // Inside a nested block, `END` can only be an exit.
        this.#expectEnd(rest);
        return builder.exit({ node: "return" }, report);
      case "begin":
        return report("E-TEXT-STRAY", this.#word(rest));
      default:
        return this.#step(kindOfWord.get(is)!, readTail(text, rest));
    }
  }

  #step(kind: string, { text, secondary, duration }: ReadText): void {
    const icon = this.#icon();
    const upper = secondary === undefined ? {} : { secondary };
    const step: Step = { node: "step", kind, icon, text, ...upper, ...beside(icon, duration) };
    this.builder.add(step, this.#report);
  }

  #select(rest: number): void {
    const read = readTail(this.#withoutColon(), rest);
    if (this.#line.text.length <= rest) this.#report("E-TEXT-EMPTY", this.#line.text);
    const icon = this.#icon();
    const cases: SelectCase[] = [];
    const node: TreeNode = { node: "select", icon, text: read.text, ...beside(icon, read.duration), cases };
    this.builder.add(node, this.#report);
    const { findings } = this;
    const line = this.#line;
    const close = (): void => {
      if (cases.length === 0 && !("otherwise" in node))
        findings.push(textFinding("E-TEXT-NO-CASE", { line: line.line, column: line.columns[0]! }));
    };
    this.builder.open("select", this.#line.indent, { node, close });
  }

  #case(is: "case" | "otherwise", rest: number): void {
    const select = this.builder.around("select") as
      | { cases: SelectCase[]; otherwise?: Omit<SelectCase, "text"> }
      | undefined;
    if (!select || select.otherwise) return this.#report("E-TEXT-STRAY", this.#word(rest));
    const one = { icon: this.#icon(), text: readTail(this.#withoutColon(), rest).text, body: [] };
    if (is === "otherwise") {
      this.#expectEnd(rest);
      select.otherwise = { icon: one.icon, body: one.body };
    } else {
      if (this.#line.text.length <= rest) this.#report("E-TEXT-EMPTY", this.#line.text);
      select.cases.push(one);
    }
    this.builder.open("case", this.#line.indent, { block: one.body });
  }

  #forEach(rest: number): void {
    const { head, label } = withoutLabel(this.#withoutColon());
    if (head.length <= rest) this.#report("E-TEXT-EMPTY", head);
    const icon = this.#icon();
    const named = label === undefined ? {} : { label };
    const text = readForEachLine(head);
    const node = { node: "for-each" as const, icon, endIcon: `${icon} end`, text, endText: "", ...named, body: [] };
    this.builder.add(node, this.#report);
    this.builder.open("for-each", this.#line.indent, { block: node.body, label, node });
  }

  #process(rest: number): void {
    const parallel = this.builder.around("parallel") as { processes: SelectCase[] } | undefined;
    if (!parallel) return this.#report("E-TEXT-STRAY", this.#word(rest));
    const source = this.#withoutColon();
    const number = /^\d+(?::[ \t\n]*|$)/.exec(source.slice(rest))?.[0].length ?? 0;
    const one = { icon: this.#icon(), text: readTail(source, rest + number).text, body: [] };
    parallel.processes.push(one);
    this.builder.open("process", this.#line.indent, { block: one.body });
  }

  #condition(rest: number): Condition {
    const ask = (_at: number, text: string, duration: string | undefined): Extract<Condition, { is: "question" }> => {
      const icon = this.#icon();
      return { is: "question", icon, text, ...beside(icon, duration) };
    };
    const read = readCondition(this.#line.text, rest, ask);
    if ("condition" in read) return read.condition;
    this.#reportAt(read.missingAt, "E-TEXT-CONDITION");
    return ask(rest, this.#line.text.slice(rest), undefined);
  }

  #expectEnd(rest: number, text = this.#line.text): void {
    const behind = text.slice(rest).replace(/^:$/, "");
    if (behind !== "") this.#reportAt(rest, "E-TEXT-REST", behind);
  }

  #word(rest: number): string {
    return this.#line.text.slice(0, rest).trim();
  }

  #withoutColon(): string {
    return this.#line.text.replace(/:$/, "");
  }

  /** Names an icon after its line, with a number if it is not the first on that line. */
  #icon(): IconId {
    this.#icons++;
    return this.#icons === 1 ? `line ${this.#line.line}` : `line ${this.#line.line}.${this.#icons}`;
  }

  #reportAt(offset: number, code: TextFindingCode, detail?: string): void {
    const before = this.#line.text.slice(0, offset).split("\n");
    const column = this.#line.columns[before.length - 1]! + before.at(-1)!.length;
    this.findings.push(textFinding(code, { line: this.#line.line + before.length - 1, column }, detail));
  }
}

const beside = (icon: IconId, text: string | undefined): { duration?: Duration } =>
  text === undefined ? {} : { duration: { icon: `${icon} duration`, text } };
