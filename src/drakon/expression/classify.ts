import type { Expression, Statement } from "./expression.ts";
import { clockOrChance, constantOf, isMethod, operatorOf } from "./keywords.ts";
import { leadingName, oneSpelling } from "./lexer.ts";
import { parseExpression, parseStatements } from "./parser.ts";

/** Natural language, for a model or a person. Never an error. */
interface Words {
  readonly kind: "words";
  readonly text: string;
  /** The name that stores the answer: `резюме ← стисни зміст до трьох речень`. */
  readonly target?: string;
  /** Unbound names because of which a text that parses is not formal; empty for plain prose. */
  readonly unbound: readonly string[];
}

interface Formal {
  readonly kind: "formal";
  readonly expression: Expression;
  /** Names that the procedure never assigns. They are requested from a model. */
  readonly unbound: readonly string[];
}

interface FormalStatements {
  readonly kind: "formal";
  readonly statements: readonly Statement[];
  readonly unbound: readonly string[];
}

/**
 * Classifies the text of a list, an output or a case. A text that parses but has unbound names is formal if it looks like a
 * formula: with a call, brackets, a comparison sign or a quoted text. "Rain and wind" is not.
 */
export function classify(text: string, bound: ReadonlySet<string>): Formal | Words {
  const parsed = parseExpression(text);
  if (parsed.kind === "refused") return { kind: "words", text, unbound: [] };
  const expression = parsed.value;
  const survey = surveyOf([expression], bound);
  if (survey.words) return { kind: "words", text, unbound: expression.is === "name" ? [] : survey.unbound };
  return { kind: "formal", expression, unbound: survey.unbound };
}

/** Classifies the text of a question or a select. A lone number or quoted text is natural language: `3` is then a title. */
export function classifyAsked(text: string, bound: ReadonlySet<string>): Formal | Words {
  const read = classify(text, bound);
  const idle = read.kind === "formal" && ["number", "measure", "text", "nothing"].includes(read.expression.is);
  return idle ? { kind: "words", text, unbound: [] } : read;
}

/** The unbound names in expressions. */
export const unboundIn = (expressions: readonly Expression[], bound: ReadonlySet<string>): readonly string[] =>
  surveyOf(expressions, bound).unbound;

/** Classifies the text of a step. Formal if every statement assigns or calls: any other statement would have no effect. */
export function classifyAction(text: string, bound: ReadonlySet<string>): FormalStatements | Words {
  const parsed = parseStatements(text);
  if (parsed.kind === "parsed" && parsed.value.every(({ target, value }) => target !== undefined || calls(value))) {
    const statements = parsed.value;
    const survey = surveyOf(
      statements.map(({ value }) => value),
      bound,
    );
    // `стан ← готово`: an unbound name on the right is natural language.
    const assigned = statements.length === 1 && survey.words ? wordsAssigned(text) : undefined;
    if (assigned) return { kind: "words", ...assigned, unbound: survey.unbound };
    if (survey.unknownMethod) return { kind: "words", text, unbound: survey.unbound };
    return { kind: "formal", statements, unbound: survey.unbound };
  }
  const assigned = wordsAssigned(text);
  if (assigned) return { kind: "words", ...assigned, unbound: [] };
  return { kind: "words", text, unbound: [] };
}

/** The constant that a step tries to assign: `так ← 5`. */
export function constantTarget(text: string): string | undefined {
  const parsed = parseStatements(text);
  if (parsed.kind === "parsed" || parsed.problem.code !== "constant-target") return undefined;
  return leadingName(text.slice(parsed.problem.at));
}

/** Splits `name ← any text`. */
export function wordsAssigned(text: string): { readonly target: string; readonly text: string } | undefined {
  const trimmed = text.trimStart();
  const name = leadingName(trimmed);
  if (name === undefined || operatorOf(name) !== undefined || constantOf(name) !== undefined) return undefined;
  const rest = /^\s*(?:←|<-|:=)\s*(\S[\s\S]*)$/.exec(trimmed.slice(name.length))?.[1];
  return rest === undefined ? undefined : { target: oneSpelling(name), text: rest.trimEnd() };
}

interface NameSurvey {
  readonly unbound: readonly string[];
  /** The text is natural language. */
  readonly words: boolean;
  readonly unknownMethod: boolean;
}

function surveyOf(expressions: readonly Expression[], bound: ReadonlySet<string>): NameSurvey {
  const unbound = new Set<string>();
  let formula = false;
  let unknownMethod = false;
  for (const one of everyPart(expressions)) {
    if (one.is === "name" && !bound.has(one.name) && clockOrChance(one.name) === undefined) unbound.add(one.name);
    if (one.is === "method" && !isMethod(one.name)) {
      unbound.add(one.name);
      unknownMethod = true;
    }
    if (["call", "builtin", "method", "list", "item", "text", "measure"].includes(one.is)) formula = true;
    if (one.is === "compare" && one.op !== "in" && one.op !== "contains" && !wordEquality(one)) formula = true;
  }
  return { unbound: [...unbound], words: unknownMethod || (unbound.size > 0 && !formula), unknownMethod };
}

/** `rain is heavy` with a plain name on the right is prose; `rain = heavy` is not. */
const wordEquality = (one: Extract<Expression, { is: "compare" }>): boolean =>
  one.op === "=" && one.spoken === true && one.right.is === "name";

const calls = (expression: Expression): boolean =>
  everyPart([expression]).some(({ is }) => is === "call" || is === "method");

/** All subexpressions, parents before children. */
export function everyPart(expressions: readonly Expression[]): Expression[] {
  const found: Expression[] = [];
  const work = expressions.toReversed();
  for (let next = work.pop(); next; next = work.pop()) {
    found.push(next);
    work.push(...subexpressions(next).toReversed());
  }
  return found;
}

/** The direct parts of an expression, in the order of evaluation. */
export function subexpressions(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case "list":
      return expression.items;
    case "member":
    case "not":
    case "negative":
    case "empty":
      return [expression.of];
    case "item":
      return [expression.of, expression.index];
    case "builtin":
      return expression.args;
    case "method":
      return [expression.of, ...expression.args];
    case "call":
      return expression.args.map(({ value }) => value);
    case "and":
    case "or":
      return expression.of;
    case "compare":
    case "arithmetic":
      return [expression.left, expression.right];
    default:
      return [];
  }
}
