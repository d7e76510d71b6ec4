import { everyPart } from "../expression/classify.ts";
import { evaluate } from "../expression/evaluator.ts";
import type { Builtin, Expression, Unit } from "../expression/expression.ts";
import { printExpression } from "../expression/printer.ts";
import { isEmpty, isList, isRecord, type Value } from "../expression/value.ts";
import type { DrawnIcon } from "./icon-dataflow.ts";

/** An expression with a value at an icon. */
export interface Term {
  readonly expression: Expression;
  readonly key: string;
  /** True if it occurs in the icon itself, false if it is only in scope. */
  readonly near: boolean;
}

/** Marks and size of a term's value. */
export interface TermSample {
  readonly term: Term;
  readonly marks: readonly string[];
  readonly size?: number;
}

const MAX_MEMBERS = 8;
const MAX_LABEL = 32;
const MAX_ITEMS = 12;
const MAX_DIFFERENCES = 6;
const AT = { at: 0 } as const;

export const nameTerm = (name: string): Expression => ({ is: "name", name, ...AT });

const termsOf = new WeakMap<DrawnIcon, readonly Term[]>();

/** Terms that occur in an icon: names, members, sides of comparisons. Cached per icon. */
export function nearTerms(icon: DrawnIcon): readonly Term[] {
  const known = termsOf.get(icon);
  if (known) return known;
  const found = new Map<string, Term>();
  const add = (expression: Expression): void => {
    const key = printExpression(expression, "en");
    if (!found.has(key)) found.set(key, { expression, key, near: true });
  };
  for (const part of everyPart(icon.formulas)) {
    if (part.is === "member" || part.is === "item") add(part);
    if (part.is === "compare") for (const side of comparedSides(part)) add(side);
  }
  for (const name of icon.reads) add(nameTerm(name));
  const terms = [...found.values()];
  termsOf.set(icon, terms);
  return terms;
}

const MEASURES: Readonly<Record<Unit, Builtin>> = {
  words: "words",
  lines: "lines",
  characters: "length",
  items: "length",
};

/** Non-constant sides of a comparison. Compared with `200 words`, the other side is measured in words. */
export function comparedSides(compare: Extract<Expression, { is: "compare" }>): Expression[] {
  const { left, right } = compare;
  const measured = (side: Expression, other: Expression): Expression =>
    other.is === "measure" ? { is: "builtin", name: MEASURES[other.unit], args: [side], ...AT } : side;
  return [measured(left, right), measured(right, left)].filter((side, index) => {
    const own = index === 0 ? left : right;
    return !CONSTANT.has(own.is) && everyPart([side]).every(({ is }) => is !== "call");
  });
}

const CONSTANT = new Set<Expression["is"]>(["number", "measure", "text", "truth", "nothing", "list"]);

/** Keys of the terms that an icon compares. */
export const comparedKeys = ({ formulas }: DrawnIcon): string[] =>
  everyPart(formulas).flatMap((part) =>
    part.is === "compare" ? comparedSides(part).map((side) => printExpression(side, "en")) : [],
  );

/** Samples of an icon's terms when it is entered; with `distant`, also of the other names in scope. */
export function termSamples(icon: DrawnIcon, names: ReadonlyMap<string, Value>, distant: boolean): TermSample[] {
  const scope = { valueOf: (name: string) => names.get(name), isUnset: () => true };
  const found: TermSample[] = [];
  for (const term of nearTerms(icon)) {
    const { expression } = term;
    const value = expression.is === "name" ? names.get(expression.name) : valueIn(expression, scope);
    if (value !== undefined) sampleTerm(term, value, found, true);
  }
  if (distant)
    for (const [name, value] of names)
      if (!icon.reads.has(name))
        sampleTerm({ expression: nameTerm(name), key: name, near: false }, value, found, false);
  return distant ? [...found, ...differences(found)] : found;
}

function valueIn(expression: Expression, scope: Parameters<typeof evaluate>[1]): Value | undefined {
  const found = evaluate(expression, scope);
  return found.kind === "value" ? found.value : undefined;
}

function sampleTerm(term: Term, value: Value, found: TermSample[], members: boolean): void {
  if (value === null) found.push({ term, marks: ["absent"] });
  else if (typeof value === "number") found.push({ term, marks: [], size: value });
  else if (typeof value === "boolean") found.push({ term, marks: [value ? "true" : "false"] });
  else if (isList(value)) {
    const labels = new Set(value.filter((item) => typeof item === "string").slice(0, MAX_ITEMS));
    const held = [...labels].flatMap((item) => (isLabel(item) ? [`holds:${item}`] : []));
    found.push({ term, marks: isEmpty(value) ? ["empty"] : term.near ? held : [] });
    if (term.near) found.push({ term: derived("length", term), marks: [], size: value.length });
  } else if (typeof value === "string") {
    const label = isLabel(value) ? [`equal:${value}`] : [];
    found.push({ term, marks: isEmpty(value) ? ["empty"] : term.near ? label : [] });
  } else if (isRecord(value)) {
    if (isEmpty(value)) found.push({ term, marks: ["empty"] });
    if (!members) return;
    for (const [name, inner] of Object.entries(value).slice(0, MAX_MEMBERS))
      if (inner !== undefined && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
        sampleTerm(memberTerm(term, name), inner, found, false);
  }
}

const isLabel = (text: string): boolean => text.length <= MAX_LABEL && text.trim() !== "";

/** Differences of a number that the icon reads and another number in scope: which of the two is larger may decide. */
function differences(samples: readonly TermSample[]): TermSample[] {
  const numbers = samples.filter(({ size, term }) => size !== undefined && term.expression.is === "name");
  const found: TermSample[] = [];
  for (const [index, one] of numbers.entries()) {
    for (const other of numbers.slice(index + 1)) {
      if (!one.term.near && !other.term.near) continue;
      if (found.length === MAX_DIFFERENCES) return found;
      const [left, right] = one.term.near ? [one, other] : [other, one];
      found.push({ term: differenceTerm(left.term, right.term), marks: [], size: left.size! - right.size! });
    }
  }
  return found;
}

const differenceTerm = (left: Term, right: Term): Term =>
  once(left, `-${right.key}`, () => ({
    is: "arithmetic",
    op: "-",
    left: left.expression,
    right: right.expression,
    ...AT,
  }));

const derivedTerms = new WeakMap<Expression, Map<string, Term>>();

/** Caches derived terms by expression, to print each key once. */
function once(term: Term, what: string, make: () => Expression): Term {
  const known = derivedTerms.get(term.expression) ?? new Map<string, Term>();
  derivedTerms.set(term.expression, known);
  const there = known.get(what);
  if (there) return there;
  const expression = make();
  const made = { expression, key: printExpression(expression, "en"), near: term.near };
  known.set(what, made);
  return made;
}

const derived = (name: Builtin, term: Term): Term =>
  once(term, name, () => ({ is: "builtin", name, args: [term.expression], ...AT }));

const memberTerm = (term: Term, name: string): Term =>
  once(term, `.${name}`, () => ({ is: "member", of: term.expression, name, ...AT }));
