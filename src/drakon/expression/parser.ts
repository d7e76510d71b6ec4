import { assert } from "../../base/assert.ts";
import { type Expression, MAX_EXPRESSION_DEPTH, type Statement } from "./expression.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { constantOf, operatorOf } from "./keywords.ts";
import { type Token, tokens } from "./lexer.ts";
import { type ExpressionProblem, Raised, raise } from "./problem.ts";

type Parsed<T> =
  | { readonly kind: "parsed"; readonly value: T }
  | { readonly kind: "refused"; readonly problem: ExpressionProblem };

/** Parses the text of a question or a list: one expression on any number of lines, with an optional `?` at the end. */
export const parseExpression = (text: string): Parsed<Expression> =>
  caught(() => {
    const parser = new ExpressionParser(tokens(text).filter(({ kind }) => kind !== "line"));
    const expression = parser.expression();
    parser.takeMark("?");
    parser.expectEnd();
    return expression;
  });

/**
 * Parses the text of a step: statements separated by line breaks or `;`. A statement continues on the next line inside brackets,
 * after an operator and before one.
 */
export const parseStatements = (text: string): Parsed<readonly Statement[]> =>
  caught(() => {
    const parser = new ExpressionParser(withoutSoftLines(tokens(text)));
    const statements: Statement[] = [];
    for (;;) {
      while (parser.peek().kind === "line" || parser.peek().value === ";") parser.take();
      if (parser.peek().kind === "end") return statements;
      statements.push(statement(parser));
      const { kind, value, at } = parser.peek();
      if (kind !== "line" && kind !== "end" && value !== ";") raise("unexpected", at, value);
    }
  });

/** At the start of a statement, `x = 5` is an assignment: a comparison there would have no effect. */
function statement(parser: ExpressionParser): Statement {
  const [first, second] = [parser.peek(), parser.peek(1)];
  const assigns = second.kind === "mark" && ["←", "=", "++", "--", "+=", "-="].includes(second.value);
  if (first.kind !== "word" || !assigns) return { value: parser.expression() };
  if (operatorOf(first.value) !== undefined) raise("unexpected", first.at, first.value);
  if (constantOf(first.value) !== undefined) raise("constant-target", first.at, first.value);
  const target = first.value;
  parser.take();
  const { value: mark, at } = parser.take();
  if (mark === "←" || mark === "=") return { target, value: parser.expression() };
  const left: Expression = { is: "name", name: target, at: first.at };
  const right: Expression =
    mark === "++" || mark === "--" ? { is: "number", value: 1, at } : parser.expression(MAX_EXPRESSION_DEPTH - 1);
  return { target, value: { is: "arithmetic", op: mark.startsWith("+") ? "+" : "-", left, right, at } };
}

function withoutSoftLines(all: readonly Token[]): Token[] {
  const hard = all.filter(({ kind }) => kind !== "line");
  let depth = 0;
  let passed = 0;
  return all.filter((token) => {
    if (token.kind !== "line") passed++;
    if (token.kind === "mark" && "([".includes(token.value)) depth++;
    if (token.kind === "mark" && ")]".includes(token.value)) depth--;
    if (token.kind !== "line") return true;
    if (depth > 0) return false;
    return !(joinsOn(hard[passed - 1]) || joinsOn(hard[passed]));
  });
}

const joinsOn = (token: Token | undefined): boolean =>
  (token?.kind === "mark" && /^[←=≠<≤>≥+\-*/%,.)\]]$/.test(token.value) && !")]".includes(token.value)) ||
  (token?.kind === "word" && ["and", "or", "not", "in", "contains"].includes(operatorOf(token.value) ?? ""));

function caught<T>(work: () => T): Parsed<T> {
  try {
    return { kind: "parsed", value: work() };
  } catch (thrown) {
    if (thrown instanceof Raised) return { kind: "refused", problem: thrown.problem };
    assert(!(thrown instanceof RangeError), "the depth of an expression is bounded");
    throw thrown;
  }
}
