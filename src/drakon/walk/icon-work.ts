import { classify, classifyAsked } from "../expression/classify.ts";
import { truthOf } from "../expression/evaluator.ts";
import { forEachHead } from "../expression/for-each-head.ts";
import { raise } from "../expression/problem.ts";
import { readStep } from "../expression/read-step.ts";
import { equal, isList, isRecord, kindOf, memberOf, type Value } from "../expression/value.ts";
import type { Duration, Step } from "../tree.ts";
import {
  askFor,
  type CallScope,
  cachedReading,
  computeArguments,
  computeValue,
  type IconWork,
  mentionedValues,
} from "./call-scope.ts";

/** The work of single icons, shared by the interpreter and by the reference interpreter of the tests. */

/** A duration with `=` is a start time and comes before the work; any other is a length and comes after it. */
function* timed<T>(duration: Duration | undefined, work: IconWork<T>): IconWork<T> {
  const text = duration?.text.trim() ?? "";
  if (text.includes("=")) yield* askFor("sleep", "sleep", { duration: text });
  const result = yield* work;
  if (text !== "" && !text.includes("=")) yield* askFor("sleep", "sleep", { duration: text });
  return result;
}

export const stepWork = (step: Step, scope: CallScope): IconWork<void> => timed(step.duration, bareStep(step, scope));

function* bareStep(step: Step, scope: CallScope): IconWork<void> {
  const read = cachedReading(scope, `${step.kind}\0${step.secondary ?? ""}`, step.text, () =>
    readStep(step, scope.bound),
  );
  const keep = (value: Value): void => {
    if ("target" in read && read.target !== undefined) scope.names.set(read.target, value);
  };
  switch (read.does) {
    case "nothing":
      return;
    case "statements":
      for (const { target, value } of read.statements) {
        const result = yield* computeValue(value, scope, step.text);
        if (target !== undefined) scope.names.set(target, result);
      }
      return;
    case "words":
      return keep(yield* askFor("llm", "do", { text: read.text, values: mentionedValues(read.text, scope) }));
    case "ask-human": {
      const values = mentionedValues(read.text, scope);
      const answer = yield* askFor("human", "ask-human", { question: read.text, form: "text", values });
      return keep(memberOf(answer, "text") ?? null);
    }
    case "receive":
      return keep(yield* askFor("receive", read.signal, { signal: read.signal }));
    case "notify": {
      const to = read.to === undefined ? {} : { to: read.to };
      if (read.value)
        yield* askFor("notify", "notify", { text: yield* computeValue(read.value, scope, step.text), ...to });
      else yield* askFor("notify", "notify", { text: read.text, values: mentionedValues(read.text, scope), ...to });
      return;
    }
    case "sleep":
      yield* askFor("sleep", "sleep", { duration: read.duration });
      return;
    case "spawn":
      return keep(yield* askFor("spawn", "spawn", { goal: read.goal, values: mentionedValues(read.goal, scope) }));
    case "insert": {
      const { positional, named } = yield* computeArguments(read.args, scope, step.text);
      const { diagram } = read;
      // A diagram outside the program is requested from the caller.
      if (!scope.hasDiagram(diagram))
        return keep(yield* askFor("call", diagram, { args: positional, named: Object.fromEntries(named) }));
      return keep(yield { need: "procedure", diagram, positional, named });
    }
  }
}

interface AskedIcon {
  readonly text: string;
  readonly duration?: Duration;
}

export const questionWork = (icon: AskedIcon, scope: CallScope): IconWork<boolean> =>
  timed(icon.duration, bareQuestion(icon.text, scope));

function* bareQuestion(text: string, scope: CallScope): IconWork<boolean> {
  const read = cachedReading(scope, "asked", text, () => classifyAsked(text, scope.bound));
  if (read.kind === "formal") return truthOf(yield* computeValue(read.expression, scope, text), read.expression.at);
  return (yield* askFor("judge", "question", { text, values: mentionedValues(text, scope) })) === true;
}

/** The index of the case that fits; undefined if none does. */
export const selectWork = (
  icon: AskedIcon,
  cases: readonly string[],
  otherwise: boolean,
  scope: CallScope,
): IconWork<number | undefined> => timed(icon.duration, bareSelect(icon.text, cases, otherwise, scope));

function* bareSelect(
  text: string,
  cases: readonly string[],
  otherwise: boolean,
  scope: CallScope,
): IconWork<number | undefined> {
  const read = cachedReading(scope, "asked", text, () => classifyAsked(text, scope.bound));
  const options = cases.map((label) => label.trim());
  if (read.kind === "words") {
    const values = mentionedValues(text, scope);
    const answer = yield* askFor("judge", "select", { text, options, otherwise, values });
    return answer === null ? undefined : options.indexOf(answer as string);
  }
  const value = yield* computeValue(read.expression, scope, text);
  for (const [index, label] of options.entries()) {
    // A label is a formula over bound names, or a literal: `"a"`, `5` and `a`.
    if (equal(value, label) || (typeof value === "number" && String(value) === label)) return index;
    const formal = cachedReading(scope, "expression", label, () => classify(label, scope.bound));
    if (formal.kind === "formal" && formal.unbound.length === 0) {
      if (equal(value, yield* computeValue(formal.expression, scope, label))) return index;
    }
  }
  return undefined;
}

/** The state of a loop that was entered. The items are a copy. */
export type Rounds =
  | {
      readonly is: "each";
      readonly names: readonly string[];
      readonly items: readonly (readonly Value[])[];
      next: number;
    }
  | { readonly is: "spoken"; readonly text: string; readonly items: readonly (readonly Value[])[]; next: number }
  | { readonly is: "count"; begun: boolean };

export function* enterWork(text: string, scope: CallScope): IconWork<Rounds> {
  const head = cachedReading(scope, "head", text, () => forEachHead(text));
  if (head.is === "count") {
    for (const { target, value } of head.first) scope.names.set(target!, yield* computeValue(value, scope, text));
    return { is: "count", begun: false };
  }
  if (head.is === "words") {
    const answer = yield* askFor("judge", "items", { text, values: mentionedValues(text, scope) });
    return { is: "spoken", text: text.trim(), items: itemsOf(answer, 1), next: 0 };
  }
  const read = cachedReading(scope, "expression", head.over, () => classify(head.over, scope.bound));
  const over =
    read.kind === "formal"
      ? yield* computeValue(read.expression, scope, head.over)
      : yield* askFor("judge", "items", { text: head.over, values: mentionedValues(head.over, scope) });
  return { is: "each", names: head.names, items: itemsOf(over, head.names.length), next: 0 };
}

/** `x` gets items or values; `k, v` gets indexes (from 0) or keys with them. Null counts as an empty list. */
function itemsOf(over: Value, names: number): Value[][] {
  if (over === null) return [];
  if (isList(over)) return over.map((item, index) => (names === 2 ? [index, item] : [item]));
  if (isRecord(over))
    return Object.entries(over).map(([key, value]) => (names === 2 ? [key, value ?? null] : [value ?? null]));
  return raise("wrong-kind", 0, kindOf(over));
}

/** Starts the next round and binds its names; false if there is none. */
export function* roundWork(
  rounds: Rounds,
  text: string,
  scope: CallScope,
  currentItems: Map<string, Value>,
): IconWork<boolean> {
  if (rounds.is === "count") {
    const head = cachedReading(scope, "head", text, () => forEachHead(text));
    if (head.is !== "count") return false;
    if (rounds.begun)
      for (const { target, value } of head.next) scope.names.set(target!, yield* computeValue(value, scope, text));
    rounds.begun = true;
    return truthOf(yield* computeValue(head.test, scope, text), head.test.at);
  }
  const number = rounds.next++;
  const names = rounds.is === "spoken" ? [rounds.text] : rounds.names;
  const values = rounds.items[number];
  for (const [index, name] of names.entries()) {
    const value = values?.[index];
    if (value === undefined) {
      currentItems.delete(name);
      continue;
    }
    currentItems.set(name, value);
    if (rounds.is === "each") scope.names.set(name, value);
  }
  return values !== undefined;
}
