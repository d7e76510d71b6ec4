import type { IconId } from "../icon-id.ts";
import type { Exit } from "../tree.ts";
import { exitWord, skipSpaces } from "./keyword-match.ts";
import type { LogicalLine } from "./logical-lines.ts";
import { readBranchName, readNumber } from "./remarks.ts";
import { type TextFinding, textFinding } from "./text-finding.ts";
import type { ReportFinding, TreeBuilder } from "./tree-builder.ts";

interface PendingGo {
  readonly node: { node: "go"; branch: IconId };
  readonly name: string;
  readonly number: number | undefined;
  readonly line: LogicalLine;
}

/** Reads exits, the text after arrows. Exits to branches are resolved at the end, when all branches are known. */
export class ExitReader {
  readonly #builder: TreeBuilder;
  readonly #pending: PendingGo[] = [];
  readonly #heads = new Map<string, Map<number | undefined, IconId>>();

  constructor(builder: TreeBuilder) {
    this.#builder = builder;
  }

  /** Declares a branch; false if its name and number are ambiguous. */
  declareBranch(name: string, number: number | undefined, icon: IconId): boolean {
    const heads = this.#heads.get(name) ?? new Map<number | undefined, IconId>();
    const alone = heads.size === 0 || (number !== undefined && !heads.has(number) && !heads.has(undefined));
    if (!heads.has(number)) heads.set(number, icon);
    this.#heads.set(name, heads);
    return alone;
  }

  read(text: string, from: number, line: LogicalLine, report: ReportFinding): void {
    const exitText = text.slice(skipSpaces(text, from));
    const found = exitWord(exitText);
    const exit = found && this.#exitOf(found.word, exitText, found.rest, line);
    if (exit) this.#builder.exit(exit, report);
    else report("E-TEXT-EXIT", exitText);
  }

  #exitOf(
    word: NonNullable<ReturnType<typeof exitWord>>["word"],
    text: string,
    rest: number,
    line: LogicalLine,
  ): Exit | undefined {
    const label = readNumber(text, rest);
    const named = label === undefined ? {} : { label };
    switch (word) {
      case "branch": {
        const found = readBranchName(text, rest);
        if (!found) return undefined;
        const node: PendingGo["node"] = { node: "go", branch: "" };
        this.#pending.push({ node, name: found.name, number: found.number, line });
        return node;
      }
      case "leave":
        return label === undefined ? undefined : { node: "leave", label };
      case "break":
      case "breakLoop":
        return label === undefined && rest < text.length ? undefined : { node: "break", ...named };
      case "next":
      case "nextOfLoop":
        return label === undefined && rest < text.length ? undefined : { node: "next", ...named };
      case "end":
        return rest < text.length ? undefined : { node: "return" };
    }
  }

  /** Resolves exits to branches and reports those without a target. An exit to "" leads to `unnamed` if no branch is declared. */
  resolve(unnamed: IconId): TextFinding[] {
    const findings: TextFinding[] = [];
    for (const { node, name, number, line } of this.#pending) {
      const heads = this.#heads.get(name);
      const head = number === undefined ? heads?.values().next().value : heads?.get(number);
      if (head !== undefined) node.branch = head;
      else if (this.#heads.size === 0 && name === "") node.branch = unnamed;
      else findings.push(textFinding("E-TEXT-BRANCH", { line: line.line, column: line.columns[0]! }, `"${name}"`));
    }
    return findings;
  }
}
