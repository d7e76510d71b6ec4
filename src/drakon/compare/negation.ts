import type { CompareOperator, Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parser.ts";
import { printExpression } from "../expression/printer.ts";

/** True if one condition is the other one denied: `x < 5` and `x >= 5`, `not a` and `a`. Texts in words are never. */
export function areOpposite(one: string, other: string): boolean {
  const [x, y] = [one, other].map((text) => parseExpression(text.trim().replace(/\?$/, "")));
  if (x?.kind !== "parsed" || y?.kind !== "parsed") return false;
  return printExpression(denied(x.value), "en") === printExpression(plain(y.value), "en");
}

const OPPOSITES: Readonly<Partial<Record<CompareOperator, CompareOperator>>> = {
  "=": "≠",
  "≠": "=",
  "<": "≥",
  "≥": "<",
  ">": "≤",
  "≤": ">",
};

function denied(of: Expression): Expression {
  if (of.is === "not") return plain(of.of);
  const op = of.is === "compare" ? OPPOSITES[of.op] : undefined;
  return of.is === "compare" && op ? { ...of, op } : { is: "not", of, at: of.at };
}

/** Without double negation, and without a negation of a comparison. */
function plain(of: Expression): Expression {
  return of.is === "not" ? denied(of.of) : of;
}
