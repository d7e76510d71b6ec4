import { applyBuiltin, contains, translatedMember } from "./builtins.ts";
import type { Expression } from "./expression.ts";
import { clockOrChance, isMethod } from "./keywords.ts";
import { type ExpressionProblem, problem, Raised, raise } from "./problem.ts";
import {
  appended,
  compareValues,
  equal,
  isBounded,
  isEmpty,
  isList,
  isRecord,
  kindOf,
  MAX_VALUE_SIZE,
  sizeIn,
  type Value,
} from "./value.ts";

/** An external effect of an expression. The driver of the generator answers with a value. */
export type EvaluationEffect =
  | {
      readonly effect: "call";
      readonly name: string;
      readonly positional: readonly Value[];
      /** In order, as written; duplicate names are the driver's to handle. */
      readonly named: readonly (readonly [string, Value])[];
      readonly at: number;
    }
  /** A name that the procedure never assigns. */
  | { readonly effect: "name"; readonly name: string; readonly at: number }
  | { readonly effect: "now" | "random"; readonly at: number };

/** Variables. A name without a value is an effect, unless the procedure assigns it somewhere (`isUnset`): then it is an error. */
export interface NameScope {
  valueOf(name: string): Value | undefined;
  isUnset(name: string): boolean;
}

type Evaluated =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "failed"; readonly problem: ExpressionProblem };

/** Computes an expression without effects. Never throws: an effect or an error is returned as a problem. */
export function evaluate(expression: Expression, scope: NameScope): Evaluated {
  try {
    const step = evaluation(expression, scope).next();
    if (step.done) return { kind: "value", value: step.value };
    const effect = step.value;
    const what = effect.effect === "call" || effect.effect === "name" ? effect.name : effect.effect;
    return { kind: "failed", problem: problem("effect", effect.at, what) };
  } catch (thrown) {
    if (thrown instanceof Raised) return { kind: "failed", problem: thrown.problem };
    throw thrown;
  }
}

/**
 * Evaluates from left to right and yields every effect; problems are thrown as `Raised`. The recursion is as deep as the
 * expression, which the parser bounds.
 */
export function* evaluation(expression: Expression, scope: NameScope): Generator<EvaluationEffect, Value, Value> {
  switch (expression.is) {
    case "number":
    case "text":
    case "truth":
    case "measure":
      return expression.value;
    case "nothing":
      return null;
    case "list": {
      const items: Value[] = [];
      for (const one of expression.items) items.push(yield* evaluation(one, scope));
      return bounded(items, expression.at);
    }
    case "name": {
      const value = scope.valueOf(expression.name);
      if (value !== undefined) return value;
      if (scope.isUnset(expression.name)) return raise("unset-name", expression.at, expression.name);
      const effect = clockOrChance(expression.name);
      return yield effect
        ? { effect, at: expression.at }
        : { effect: "name", name: expression.name, at: expression.at };
    }
    case "member":
      return member(yield* evaluation(expression.of, scope), expression.name, expression.at);
    case "item":
      return item(yield* evaluation(expression.of, scope), yield* evaluation(expression.index, scope), expression.at);
    case "builtin":
    case "method": {
      const values: Value[] = [];
      if (expression.is === "method") values.push(yield* evaluation(expression.of, scope));
      for (const arg of expression.args) values.push(yield* evaluation(arg, scope));
      if (!isMethod(expression.name)) return raise("unknown-method", expression.at, expression.name);
      return applyBuiltin(expression.name, values, expression.at);
    }
    case "call": {
      const effect = clockOrChance(expression.name);
      if (effect && expression.args.length === 0) return yield { effect, at: expression.at };
      const positional: Value[] = [];
      const byName: [string, Value][] = [];
      for (const { name, value } of expression.args) {
        const given = yield* evaluation(value, scope);
        if (name === undefined) positional.push(given);
        else byName.push([name, given]);
      }
      return yield { effect: "call", name: expression.name, positional, named: byName, at: expression.at };
    }
    case "not":
      return !truthOf(yield* evaluation(expression.of, scope), expression.of.at);
    case "and":
    case "or": {
      for (const part of expression.of) {
        const answer = truthOf(yield* evaluation(part, scope), part.at);
        if (answer === (expression.is === "or")) return answer;
      }
      return expression.is === "and";
    }
    case "empty":
      return isEmpty(yield* evaluation(expression.of, scope));
    case "negative": {
      const value = yield* evaluation(expression.of, scope);
      return typeof value === "number" ? -value : raise("wrong-kind", expression.at, kindOf(value));
    }
    case "compare":
      return yield* comparison(expression, scope);
    case "arithmetic":
      return arithmetic(
        expression.op,
        yield* evaluation(expression.left, scope),
        yield* evaluation(expression.right, scope),
        expression.at,
      );
  }
}

type Compare = Extract<Expression, { is: "compare" }>;

function* comparison(compare: Compare, scope: NameScope): Generator<EvaluationEffect, boolean, Value> {
  let left = yield* sized(compare.left, compare.right, scope);
  let right = yield* sized(compare.right, compare.left, scope);
  if (compare.op === "in") return contains(right, left, compare.at);
  if (compare.op === "contains") return contains(left, right, compare.at);
  if (compare.op === "=") return equal(left, right);
  if (compare.op === "≠") return !equal(left, right);
  // Null compares false with everything: a memory value that was never written must not fail the first run.
  if (left === null || right === null) return false;
  if (compare.op === ">" || compare.op === "≥") [left, right] = [right, left];
  const found = compareValues(left, right);
  if (found === undefined) return raise("wrong-kind", compare.at, both(left, right));
  return compare.op === "<" || compare.op === ">" ? found < 0 : found <= 0;
}

/** Compared with `200 words`, a text or its length counts as its number of words. */
function* sized(part: Expression, beside: Expression, scope: NameScope): Generator<EvaluationEffect, Value, Value> {
  if (beside.is !== "measure" || part.is === "measure") return yield* evaluation(part, scope);
  const whole = part.is === "builtin" && part.name === "length" ? part.args[0]! : part;
  const value = yield* evaluation(whole, scope);
  if (typeof value === "number" && whole === part) return value;
  return sizeIn(value, beside.unit) ?? raise("wrong-kind", part.at, kindOf(value));
}

const both = (a: Value, b: Value): { en: string; uk: string } => ({
  en: `${kindOf(a).en} and ${kindOf(b).en}`,
  uk: `${kindOf(a).uk} і ${kindOf(b).uk}`,
});

export const truthOf = (value: Value, at: number): boolean =>
  typeof value === "boolean" ? value : raise("not-truth", at, kindOf(value));

/** A missing member is null, and so is every member of null. */
function member(value: Value, name: string, at: number): Value {
  if (value === null) return null;
  if (isRecord(value)) return translatedMember(value, name) ?? null;
  return raise("wrong-kind", at, kindOf(value));
}

/** Indexes start at 0, negative ones count from the end; out of range is null. */
function item(value: Value, index: Value, at: number): Value {
  if (value === null) return null;
  if (isRecord(value) && typeof index === "string") return translatedMember(value, index) ?? null;
  if (isList(value) && typeof index === "number" && Number.isInteger(index)) return value.at(index) ?? null;
  return raise("wrong-kind", at, both(value, index));
}

function arithmetic(op: "+" | "-" | "*" | "/" | "%", left: Value, right: Value, at: number): Value {
  if (typeof left === "number" && typeof right === "number") {
    if (right === 0 && (op === "/" || op === "%")) return raise("division-by-zero", at);
    const result = { "+": left + right, "-": left - right, "*": left * right, "/": left / right, "%": left % right }[
      op
    ];
    return Number.isFinite(result) ? result : raise("not-finite", at);
  }
  const texts = [left, right].some((one) => typeof one === "string");
  const plain = [left, right].every((one) => typeof one === "string" || typeof one === "number");
  if (op === "+" && texts && plain) return bounded(`${left as string}${right as string}`, at);
  if (op === "+" && isList(left)) return bounded(appended(left, isList(right) ? right : [right]), at);
  return raise("wrong-kind", at, both(left, right));
}

function bounded<T extends Value>(value: T, at: number): T {
  return isBounded(value) ? value : raise("too-large", at, String(MAX_VALUE_SIZE));
}
