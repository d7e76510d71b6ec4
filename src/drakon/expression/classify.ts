import type { Expression, Statement } from "./expression.ts";
import { clockOrChance, isMethod, operatorOf } from "./keywords.ts";
import { leadingName, oneSpelling } from "./lexer.ts";
import { parseExpression, parseStatements } from "./parser.ts";

/** Natural language: for a model, or a person, to answer. Never an error. */
interface Words {
  readonly kind: "words";
  readonly text: string;
  /** `резюме ← стисни зміст до трьох речень`: what the answer is kept under. */
  readonly target?: string;
  /** Names that kept a text which parses from being formal; empty for plain prose. */
  readonly unbound: readonly string[];
}

interface Formal {
  readonly kind: "formal";
  readonly expression: Expression;
  /** Names that nothing in the procedure gives a value to. They are asked for. */
  readonly unbound: readonly string[];
}

interface FormalStatements {
  readonly kind: "formal";
  readonly statements: readonly Statement[];
  readonly unbound: readonly string[];
}

/**
 * The text of a list, an output or a case. A text that parses but names what nobody has set is still formal if it is
 * written like a formula: with a call, brackets, a sign of comparison or a text in quotes. "Rain and wind" is not.
 */
export function classify(text: string, bound: ReadonlySet<string>): Formal | Words {
  const parsed = parseExpression(text);
  if (parsed.kind === "refused") return { kind: "words", text, unbound: [] };
  const expression = parsed.value;
  const survey = surveyOf([expression], bound);
  if (survey.words) return { kind: "words", text, unbound: expression.is === "name" ? [] : survey.unbound };
  return { kind: "formal", expression, unbound: survey.unbound };
}

/**
 * The text of a question or a select. What is only a number or a text in quotes answers nothing: whoever wrote `3` there gave the
 * icon a name.
 */
export function classifyAsked(text: string, bound: ReadonlySet<string>): Formal | Words {
  const read = classify(text, bound);
  const idle = read.kind === "formal" && ["number", "measure", "text", "nothing"].includes(read.expression.is);
  return idle ? { kind: "words", text, unbound: [] } : read;
}

/** Names in expressions that nothing gives a value to. */
export const unboundIn = (expressions: readonly Expression[], bound: ReadonlySet<string>): readonly string[] =>
  surveyOf(expressions, bound).unbound;

/**
 * The text of an icon that acts. Formal if every statement keeps a value or calls something: what does neither would do nothing,
 * so it was not meant as a formula.
 */
export function classifyAction(text: string, bound: ReadonlySet<string>): FormalStatements | Words {
  const parsed = parseStatements(text);
  if (parsed.kind === "parsed" && parsed.value.every(({ target, value }) => target !== undefined || calls(value))) {
    const statements = parsed.value;
    const survey = surveyOf(
      statements.map(({ value }) => value),
      bound,
    );
    // `стан ← готово`: an assignment of what nobody knows is an assignment of words.
    const assigned = statements.length === 1 && survey.words ? wordsAssigned(text) : undefined;
    if (assigned) return { kind: "words", ...assigned, unbound: survey.unbound };
    if (survey.unknownMethod) return { kind: "words", text, unbound: survey.unbound };
    return { kind: "formal", statements, unbound: survey.unbound };
  }
  const assigned = wordsAssigned(text);
  if (assigned) return { kind: "words", ...assigned, unbound: [] };
  return { kind: "words", text, unbound: [] };
}

/** `name ← anything at all`. */
export function wordsAssigned(text: string): { readonly target: string; readonly text: string } | undefined {
  const trimmed = text.trimStart();
  const name = leadingName(trimmed);
  if (name === undefined || operatorOf(name) !== undefined) return undefined;
  const rest = /^\s*(?:←|<-|:=)\s*(\S[\s\S]*)$/.exec(trimmed.slice(name.length))?.[1];
  return rest === undefined ? undefined : { target: oneSpelling(name), text: rest.trimEnd() };
}

interface NameSurvey {
  readonly unbound: readonly string[];
  /** Whether the whole is better taken for prose. */
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

/** `rain is heavy`, where both sides are mere names, reads like prose even though `=` would not. */
const wordEquality = (one: Extract<Expression, { is: "compare" }>): boolean =>
  one.op === "=" && one.spoken === true && one.right.is === "name";

const calls = (expression: Expression): boolean =>
  everyPart([expression]).some(({ is }) => is === "call" || is === "method");

/** All parts of expressions, each before its own parts. */
export function everyPart(expressions: readonly Expression[]): Expression[] {
  const found: Expression[] = [];
  const work = expressions.toReversed();
  for (let next = work.pop(); next; next = work.pop()) {
    found.push(next);
    work.push(...partsOf(next).toReversed());
  }
  return found;
}

function partsOf(expression: Expression): readonly Expression[] {
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
