import type { Expression, Statement } from "./expression.ts";
import { operatorOf } from "./keywords.ts";
import { isName, oneSpelling } from "./lexer.ts";
import { parseExpression, parseStatements } from "./parser.ts";

/** The parsed text of a for-each icon. */
type ForEachHead =
  /** `x; xs`, `k, v; map`, `x З xs`. `over` is an expression or natural language: `classify` decides. */
  | { readonly is: "each"; readonly names: readonly [string] | readonly [string, string]; readonly over: string }
  /** `i = 0; i < n; i++` */
  | {
      readonly is: "count";
      readonly first: readonly Statement[];
      readonly test: Expression;
      readonly next: readonly Statement[];
    }
  /** Natural language: a model or a person lists the items. */
  | { readonly is: "words"; readonly text: string };

/** An optional `для кожного`, `для кожної`, `для всіх`, `for each` at the front, in any case and gender. */
const OPENING = /^\s*(?:для\s+(?:кожн\p{L}*|всіх|усіх)|for\s*each|for\s+(?:every|all))\s+(?=\S)/iu;
const BETWEEN = /^(\S+(?:\s*,\s*\S+)?)\s+(?:з|із|зі|серед|in|of|from)\s+(\S[\s\S]*)$/iu;

export function forEachHead(text: string): ForEachHead {
  const head = text.replace(OPENING, "").trim();
  const parts = splitOutside(head, ";");
  if (parts.length === 3) return countHead(parts as [string, string, string]) ?? { is: "words", text };
  const match = BETWEEN.exec(head);
  const [left, over] = parts.length === 2 ? parts : parts.length === 1 && match ? [match[1]!, match[2]!] : [];
  const names = left?.split(",").map((name) => name.trim()) ?? [];
  const named = names.every((name) => isName(name) && operatorOf(name) === undefined);
  if (over === undefined || over.trim() === "" || !named || names.length > 2) return { is: "words", text };
  const [first = "", second] = names.map(oneSpelling);
  return { is: "each", names: second === undefined ? [first] : [first, second], over: over.trim() };
}

function countHead([first, test, next]: [string, string, string]): ForEachHead | undefined {
  const [start, condition, step] = [parseStatements(first), parseExpression(test), parseStatements(next)];
  if (start.kind === "refused" || condition.kind === "refused" || step.kind === "refused") return undefined;
  if ([...start.value, ...step.value].some(({ target }) => target === undefined)) return undefined;
  return { is: "count", first: start.value, test: condition.value, next: step.value };
}

/** Splits at a mark outside of brackets and quotes. */
function splitOutside(text: string, mark: string): string[] {
  const parts = [""];
  let depth = 0;
  let closing = "";
  for (const one of text) {
    if (closing !== "") {
      if (one === closing) closing = "";
    } else if (one === '"') closing = '"';
    else if (one === "«") closing = "»";
    else if ("([".includes(one)) depth++;
    else if (")]".includes(one)) depth--;
    if (one === mark && depth === 0 && closing === "") parts.push("");
    else parts[parts.length - 1] += one;
  }
  return parts;
}
