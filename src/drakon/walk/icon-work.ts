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

/** What single icons do, whoever walks: the tree's interpreter, or the graph's in tests. */

/** A duration with `=` says when the icon begins, any other how long it takes. */
function* timed<T>(duration: Duration | undefined, work: IconWork<T>): IconWork<T> {
  const text = duration?.text.trim() ?? "";
  if (text.includes("=")) yield* askFor("sleep", "sleep", { duration: text });
  const result = yield* work;
  if (text !== "" && !text.includes("=")) yield* askFor("sleep", "sleep", { duration: text });
  return result;
}

export const stepWork = (step: Step, place: CallScope): IconWork<void> => timed(step.duration, bareStep(step, place));

function* bareStep(step: Step, place: CallScope): IconWork<void> {
  const read = cachedReading(place, `${step.kind}\0${step.secondary ?? ""}`, step.text, () =>
    readStep(step, place.bound),
  );
  const keep = (value: Value): void => {
    if ("target" in read && read.target !== undefined) place.names.set(read.target, value);
  };
  switch (read.does) {
    case "nothing":
      return;
    case "statements":
      for (const { target, value } of read.statements) {
        const result = yield* computeValue(value, place, step.text);
        if (target !== undefined) place.names.set(target, result);
      }
      return;
    case "words":
      return keep(yield* askFor("llm", "do", { text: read.text, values: mentionedValues(read.text, place) }));
    case "ask-human": {
      const values = mentionedValues(read.text, place);
      const answer = yield* askFor("human", "ask-human", { question: read.text, form: "text", values });
      return keep(memberOf(answer, "text") ?? null);
    }
    case "receive":
      return keep(yield* askFor("receive", read.signal, { signal: read.signal }));
    case "notify": {
      const to = read.to === undefined ? {} : { to: read.to };
      if (read.value)
        yield* askFor("notify", "notify", { text: yield* computeValue(read.value, place, step.text), ...to });
      else yield* askFor("notify", "notify", { text: read.text, values: mentionedValues(read.text, place), ...to });
      return;
    }
    case "sleep":
      yield* askFor("sleep", "sleep", { duration: read.duration });
      return;
    case "spawn":
      return keep(yield* askFor("spawn", "spawn", { goal: read.goal, values: mentionedValues(read.goal, place) }));
    case "insert": {
      const { positional, named } = yield* computeArguments(read.args, place, step.text);
      const { diagram } = read;
      // A diagram that is not part of the program is somebody else's to run.
      if (!place.hasDiagram(diagram))
        return keep(yield* askFor("call", diagram, { args: positional, named: Object.fromEntries(named) }));
      return keep(yield { need: "procedure", diagram, positional, named });
    }
  }
}

interface AskedIcon {
  readonly text: string;
  readonly duration?: Duration;
}

export const questionWork = (icon: AskedIcon, place: CallScope): IconWork<boolean> =>
  timed(icon.duration, bareQuestion(icon.text, place));

function* bareQuestion(text: string, place: CallScope): IconWork<boolean> {
  const read = cachedReading(place, "asked", text, () => classifyAsked(text, place.bound));
  if (read.kind === "formal") return truthOf(yield* computeValue(read.expression, place, text), read.expression.at);
  return (yield* askFor("judge", "question", { text, values: mentionedValues(text, place) })) === true;
}

/** Which case fits, counted from 0; undefined if none does. */
export const selectWork = (
  icon: AskedIcon,
  cases: readonly string[],
  otherwise: boolean,
  place: CallScope,
): IconWork<number | undefined> => timed(icon.duration, bareSelect(icon.text, cases, otherwise, place));

function* bareSelect(
  text: string,
  cases: readonly string[],
  otherwise: boolean,
  place: CallScope,
): IconWork<number | undefined> {
  const read = cachedReading(place, "asked", text, () => classifyAsked(text, place.bound));
  const options = cases.map((label) => label.trim());
  if (read.kind === "words") {
    const values = mentionedValues(text, place);
    const answer = yield* askFor("judge", "select", { text, options, otherwise, values });
    return answer === null ? undefined : options.indexOf(answer as string);
  }
  const value = yield* computeValue(read.expression, place, text);
  for (const [index, label] of options.entries()) {
    // A label is a formula over known names, or stands for itself: `"a"`, `5` and `a` are all labels of what they say.
    if (equal(value, label) || (typeof value === "number" && String(value) === label)) return index;
    const formal = cachedReading(place, "expression", label, () => classify(label, place.bound));
    if (formal.kind === "formal" && formal.unbound.length === 0) {
      if (equal(value, yield* computeValue(formal.expression, place, label))) return index;
    }
  }
  return undefined;
}

/** A loop that was entered: what is left to go over, taken as a copy. */
export type Rounds =
  | {
      readonly is: "each";
      readonly names: readonly string[];
      readonly items: readonly (readonly Value[])[];
      next: number;
    }
  | { readonly is: "spoken"; readonly text: string; readonly items: readonly (readonly Value[])[]; next: number }
  | { readonly is: "count"; begun: boolean };

export function* enterWork(text: string, place: CallScope): IconWork<Rounds> {
  const head = cachedReading(place, "head", text, () => forEachHead(text));
  if (head.is === "count") {
    for (const { target, value } of head.first) place.names.set(target!, yield* computeValue(value, place, text));
    return { is: "count", begun: false };
  }
  if (head.is === "words") {
    const answer = yield* askFor("judge", "items", { text, values: mentionedValues(text, place) });
    return { is: "spoken", text: text.trim(), items: itemsOf(answer, 1), next: 0 };
  }
  const read = cachedReading(place, "expression", head.over, () => classify(head.over, place.bound));
  const over =
    read.kind === "formal"
      ? yield* computeValue(read.expression, place, head.over)
      : yield* askFor("judge", "items", { text: head.over, values: mentionedValues(head.over, place) });
  return { is: "each", names: head.names, items: itemsOf(over, head.names.length), next: 0 };
}

/** `x` takes items or values; `k, v` takes places (from 0) or keys with them. Nothing is an empty list. */
function itemsOf(over: Value, names: number): Value[][] {
  if (over === null) return [];
  if (isList(over)) return over.map((item, index) => (names === 2 ? [index, item] : [item]));
  if (isRecord(over))
    return Object.entries(over).map(([key, value]) => (names === 2 ? [key, value ?? null] : [value ?? null]));
  return raise("wrong-kind", 0, kindOf(over));
}

/** Whether there is another round; binds its names if there is. */
export function* roundWork(
  rounds: Rounds,
  text: string,
  place: CallScope,
  currentItems: Map<string, Value>,
): IconWork<boolean> {
  if (rounds.is === "count") {
    const head = cachedReading(place, "head", text, () => forEachHead(text));
    if (head.is !== "count") return false;
    if (rounds.begun)
      for (const { target, value } of head.next) place.names.set(target!, yield* computeValue(value, place, text));
    rounds.begun = true;
    return truthOf(yield* computeValue(head.test, place, text), head.test.at);
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
    if (rounds.is === "each") place.names.set(name, value);
  }
  return values !== undefined;
}
