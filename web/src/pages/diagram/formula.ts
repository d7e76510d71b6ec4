import { classifyAction, classifyAsked } from "../../../../src/drakon/expression/classify.ts";
import { parseExpression, parseStatements } from "../../../../src/drakon/expression/parser.ts";
import type { Text } from "../../words/say.ts";
import type { Ask } from "./moves.ts";

/** How a text will be taken when it runs: computed, or put to a model in words; and why not computed if it looks like that. */
export interface Reading {
  readonly kind: "formal" | "words";
  readonly unbound: readonly string[];
  /** Where the text stops being a formula, for one that looks like one. */
  readonly problem?: { readonly line: number; readonly column: number; readonly message: Text };
}

/** Signs that nobody uses in plain words. */
const FORMULA = /←|<-|:=|[=<>≠≤≥[\]]|[\p{L}\p{N}_-]\(|["«»]/u;

export function readingOf(text: string, reads: Ask["reads"], bound: ReadonlySet<string>): Reading | undefined {
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
