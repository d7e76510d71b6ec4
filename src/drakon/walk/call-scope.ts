import type { Json } from "../../base/canonical.ts";
import { type ArgumentNames, argumentName } from "../expression/argument-names.ts";
import { type EvaluationEffect, evaluation, type NameScope } from "../expression/evaluator.ts";
import type { Argument, Expression } from "../expression/expression.ts";
import { namesIn } from "../expression/lexer.ts";
import { raise } from "../expression/problem.ts";
import { diagramName } from "../expression/read-step.ts";
import type { Value } from "../expression/value.ts";
import { type EffectKind, isHumanForm, type Payload, type RequestedEffect } from "./request.ts";

/** A reason to suspend an icon's work: an external effect, or the result of another diagram of the program. */
export type Need =
  | { readonly need: "answer"; readonly ask: RequestedEffect }
  | {
      readonly need: "procedure";
      readonly diagram: string;
      readonly positional: readonly Value[];
      readonly named: readonly (readonly [string, Value])[];
    };

export type IconWork<T> = Generator<Need, T, Value>;

/** The variables of one call of one diagram, and what its icons need to resolve names. */
export interface CallScope extends NameScope {
  readonly names: Map<string, Value>;
  /** Names that the diagram or the caller sets. */
  readonly bound: ReadonlySet<string>;
  readonly argumentNames: ArgumentNames;
  /** The current items of open loops, by the loop variable or by the text of a loop in natural language. */
  readonly currentItems: ReadonlyMap<string, Value>;
  hasDiagram(name: string): boolean;
}

const readings = new WeakMap<ReadonlySet<string>, Map<string, unknown>>();

/** Parses a text once per set of bound names: loops visit the same icons repeatedly. */
export function cachedReading<T>({ bound }: CallScope, what: string, text: string, read: () => T): T {
  const known = readings.get(bound) ?? new Map<string, unknown>();
  readings.set(bound, known);
  const key = `${what}\0${text}`;
  if (!known.has(key)) known.set(key, read());
  return known.get(key) as T;
}

/** Tool names with their own kind of effect. */
const KINDS: ReadonlyMap<string, EffectKind> = new Map<string, EffectKind>([
  ["ask-human", "human"],
  ["spawn", "spawn"],
  ["spawn-agent", "spawn"],
  ["commit", "commit"],
  ["create-proposal", "propose"],
  ["propose-memory-update", "propose"],
  ["propose-logic-update", "propose"],
  ["notify", "notify"],
  ["sleep", "sleep"],
  ["receive", "receive"],
]);

export function* askFor(kind: EffectKind, name: string, payload: Payload): IconWork<Value> {
  return yield { need: "answer", ask: { kind, name, payload } };
}

/**
 * Evaluates an expression. An unbound name is requested from a language model, once per visit, so that a formal icon still calls
 * its tool.
 */
export function* computeValue(expression: Expression, scope: CallScope, text: string): IconWork<Value> {
  const known = new Map<string, Value>();
  const withAnswered: NameScope = {
    valueOf: (name) => {
      const own = scope.valueOf(name);
      return own === undefined ? known.get(name) : own;
    },
    isUnset: (name) => scope.isUnset(name),
  };
  const work = evaluation(expression, withAnswered);
  let step = work.next();
  while (!step.done) {
    const effect = step.value;
    const value = yield needOf(effect, scope, text);
    if (effect.effect === "name") known.set(effect.name, value);
    step = work.next(value);
  }
  return step.value;
}

function needOf(effect: EvaluationEffect, scope: CallScope, text: string): Need {
  switch (effect.effect) {
    case "name":
      return {
        need: "answer",
        ask: { kind: "llm", name: "value", payload: { ask: effect.name, text, values: mentionedValues(text, scope) } },
      };
    case "now":
    case "random":
      return { need: "answer", ask: { kind: effect.effect, name: effect.effect, payload: {} } };
    case "call":
      if (scope.hasDiagram(diagramName(effect.name)))
        return {
          need: "procedure",
          diagram: diagramName(effect.name),
          positional: effect.positional,
          named: effect.named,
        };
      return { need: "answer", ask: callAsk(effect, scope) };
  }
}

/** The payload of a call is the input of the tool: arguments under the names of its schema. */
function callAsk(effect: Extract<EvaluationEffect, { effect: "call" }>, { argumentNames }: CallScope): RequestedEffect {
  const { name, positional, named, at } = effect;
  const places = argumentNames.get(name)?.positional ?? [];
  const entries: [string, Json][] = positional.slice(0, places.length).map((value, index) => [places[index]!, value]);
  if (positional.length > places.length) entries.push(["args", positional.slice(places.length)]);
  for (const [written, value] of named) entries.push([argumentName(argumentNames, name, written), value]);
  const kind = KINDS.get(name) ?? "tool";
  if (kind === "human" && !entries.some(([key]) => key === "form")) entries.push(["form", "text"]);
  // Not by assignment: `payload["__proto__"] = …` would not set a member.
  const payload: Payload = Object.fromEntries(entries);
  const twice = entries.length !== Object.keys(payload).length;
  const signal = payload["signal"];
  const odd = (kind === "human" && !isHumanForm(payload["form"])) || (kind === "receive" && typeof signal !== "string");
  if (twice || odd) raise("arguments", at, name);
  return { kind, name: kind === "receive" ? (signal as string) : name, payload };
}

/** Loops whose current items are passed, the innermost ones. Without a limit, requests in nested loops grow with their square. */
const MOST_ITEMS = 32;

/**
 * The values passed with a text in natural language: those of the names in it, and the current items of open loops, because "read
 * the note" in another grammatical case or language contains no name.
 */
export function mentionedValues(text: string, scope: CallScope): { readonly [name: string]: Json } {
  const entries: [string, Value][] = [];
  let outer = scope.currentItems.size - MOST_ITEMS;
  // In order of opening: a finished loop has no item.
  for (const [name, value] of scope.currentItems) if (--outer < 0) entries.push([name, value]);
  for (const name of namesIn(text)) {
    const value = scope.names.get(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** Arguments of an insertion, from left to right. */
export function* computeArguments(
  args: readonly Argument[],
  scope: CallScope,
  text: string,
): IconWork<{ positional: Value[]; named: [string, Value][] }> {
  const positional: Value[] = [];
  const named: [string, Value][] = [];
  for (const { name, value } of args) {
    const given = yield* computeValue(value, scope, text);
    if (name === undefined) positional.push(given);
    else named.push([name, given]);
  }
  return { positional, named };
}
