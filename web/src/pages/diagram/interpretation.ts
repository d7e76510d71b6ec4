import { classifyAction, classifyAsked } from "../../../../src/drakon/expression/classify.ts";
import { parseExpression, parseStatements } from "../../../../src/drakon/expression/parser.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { TextPrompt } from "./command.ts";

/** The way a run takes a text: computed as a formula, or sent to a model as words. */
export interface Interpretation {
  readonly kind: "formal" | "words";
  readonly unbound: readonly string[];
  /** The syntax error of a text that looks like a formula and is none. */
  readonly problem?: { readonly line: number; readonly column: number; readonly message: Text };
}

/** Characters that do not occur in plain prose. */
const FORMULA = /←|<-|:=|[=<>≠≤≥[\]]|[\p{L}\p{N}_-]\(|["«»]/u;

export function interpretText(
  text: string,
  reads: TextPrompt["reads"],
  bound: ReadonlySet<string>,
): Interpretation | undefined {
  if (reads === "words" || text.trim() === "") return undefined;
  const read = reads === "action" ? classifyAction(text, bound) : classifyAsked(text, bound);
  const parsed = reads === "action" ? parseStatements(text) : parseExpression(text);
  const wrong = read.kind === "words" && parsed.kind === "refused" && FORMULA.test(text) ? parsed.problem : undefined;
  if (!wrong) return { kind: read.kind, unbound: read.unbound };
  const before = text.slice(0, wrong.at).split("\n");
  return {
    kind: read.kind,
    unbound: read.unbound,
    problem: { line: before.length, column: before.at(-1)!.length + 1, message: wrong.message },
  };
}
