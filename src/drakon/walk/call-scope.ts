import type { Json } from "../../base/canonical.ts";
import { type ArgumentNames, argumentName } from "../expression/argument-names.ts";
import { type EvaluationEffect, evaluation, type NameScope } from "../expression/evaluator.ts";
import type { Argument, Expression } from "../expression/expression.ts";
import { namesIn } from "../expression/lexer.ts";
import { raise } from "../expression/problem.ts";
import { diagramName } from "../expression/read-step.ts";
import type { Value } from "../expression/value.ts";
import { type EffectKind, isHumanForm, type Payload, type RequestedEffect } from "./request.ts";

/** What an icon needs while it is worked on: something from outside, or the result of another diagram of the program. */
export type Need =
  | { readonly need: "answer"; readonly ask: RequestedEffect }
  | {
      readonly need: "procedure";
      readonly diagram: string;
      readonly positional: readonly Value[];
      readonly named: readonly (readonly [string, Value])[];
    };

export type IconWork<T> = Generator<Need, T, Value>;

/** Where icons are worked on: the names of one call of one diagram. */
export interface CallScope extends NameScope {
  readonly names: Map<string, Value>;
  /** Names that something sets, or the caller has set. */
  readonly bound: ReadonlySet<string>;
  readonly argumentNames: ArgumentNames;
  /** What the loops that are under way are at, by name of the loop's variable or by the words that it is said in. */
  readonly currentItems: ReadonlyMap<string, Value>;
  hasDiagram(name: string): boolean;
}

const readings = new WeakMap<ReadonlySet<string>, Map<string, unknown>>();

/** Reads a text once for each set of known names: loops come by the same icons again and again. */
export function cachedReading<T>({ bound }: CallScope, what: string, text: string, read: () => T): T {
  const known = readings.get(bound) ?? new Map<string, unknown>();
  readings.set(bound, known);
  const key = `${what}\0${text}`;
  if (!known.has(key)) known.set(key, read());
  return known.get(key) as T;
}

/** Names whose calls are more than tools. */
const KINDS: ReadonlyMap<string, EffectKind> = new Map<string, EffectKind>([
  ["ask-human", "human"],
  ["spawn", "spawn"],
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
 * The value of an expression. A name that nobody sets is asked for, once per visit: the icon is formal all the same, and the tool
 * that it calls is called.
 */
export function* computeValue(expression: Expression, place: CallScope, text: string): IconWork<Value> {
  const known = new Map<string, Value>();
  const scope: NameScope = {
    valueOf: (name) => {
      const own = place.valueOf(name);
      return own === undefined ? known.get(name) : own;
    },
    isUnset: (name) => place.isUnset(name),
  };
  const work = evaluation(expression, scope);
  let step = work.next();
  while (!step.done) {
    const effect = step.value;
    const value = yield needOf(effect, place, text);
    if (effect.effect === "name") known.set(effect.name, value);
    step = work.next(value);
  }
  return step.value;
}

function needOf(effect: EvaluationEffect, place: CallScope, text: string): Need {
  switch (effect.effect) {
    case "name":
      return {
        need: "answer",
        ask: { kind: "llm", name: "value", payload: { ask: effect.name, text, values: mentionedValues(text, place) } },
      };
    case "now":
    case "random":
      return { need: "answer", ask: { kind: effect.effect, name: effect.effect, payload: {} } };
    case "call":
      if (place.hasDiagram(diagramName(effect.name)))
        return {
          need: "procedure",
          diagram: diagramName(effect.name),
          positional: effect.positional,
          named: effect.named,
        };
      return { need: "answer", ask: callAsk(effect, place) };
  }
}

/** The payload of a call is the input of the tool: every argument under the name that its schema has. */
function callAsk(effect: Extract<EvaluationEffect, { effect: "call" }>, { argumentNames }: CallScope): RequestedEffect {
  const { name, positional, named, at } = effect;
  const places = argumentNames.get(name)?.positional ?? [];
  const entries: [string, Json][] = positional.slice(0, places.length).map((value, index) => [places[index]!, value]);
  if (positional.length > places.length) entries.push(["args", positional.slice(places.length)]);
  for (const [written, value] of named) entries.push([argumentName(argumentNames, name, written), value]);
  const kind = KINDS.get(name) ?? "tool";
  if (kind === "human" && !entries.some(([key]) => key === "form")) entries.push(["form", "text"]);
  // Not by assignment: `payload["__proto__"] = …` would set no member.
  const payload: Payload = Object.fromEntries(entries);
  const twice = entries.length !== Object.keys(payload).length;
  const signal = payload["signal"];
  const odd = (kind === "human" && !isHumanForm(payload["form"])) || (kind === "receive" && typeof signal !== "string");
  if (twice || odd) raise("arguments", at, name);
  return { kind, name: kind === "receive" ? (signal as string) : name, payload };
}

/**
 * The values that natural language is handed: of the names that it mentions, and what the loops around it are at, because
 * "read the note" in another case or language mentions no name.
 */
export function mentionedValues(text: string, place: CallScope): { readonly [name: string]: Json } {
  const entries: [string, Value][] = [...place.currentItems];
  for (const name of namesIn(text)) {
    const value = place.names.get(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** Arguments of an insertion, from left to right. */
export function* computeArguments(
  args: readonly Argument[],
  place: CallScope,
  text: string,
): IconWork<{ positional: Value[]; named: [string, Value][] }> {
  const positional: Value[] = [];
  const named: [string, Value][] = [];
  for (const { name, value } of args) {
    const given = yield* computeValue(value, place, text);
    if (name === undefined) positional.push(given);
    else named.push([name, given]);
  }
  return { positional, named };
}
