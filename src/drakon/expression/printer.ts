import type { Language } from "../../base/text.ts";
import type { Expression } from "./expression.ts";
import { printedBuiltin, printedMethod, printedUnit } from "./keywords.ts";

const WORDS = {
  uk: { and: "і", or: "або", not: "не", empty: "є порожнім", in: "є в", contains: "містить" },
  en: { and: "and", or: "or", not: "not", empty: "is empty", in: "is in", contains: "contains" },
} as const satisfies Record<Language, Record<string, string>>;

const CONSTANTS = {
  uk: { true: "так", false: "ні", nothing: "нічого" },
  en: { true: "true", false: "false", nothing: "null" },
} as const satisfies Record<Language, Record<string, string>>;

/** Precedence; an operand with a lower one than its position requires gets brackets. */
const STRENGTH = { or: 1, and: 2, not: 3, compare: 4, sum: 5, product: 6, negative: 7, primary: 8 } as const;

/** The canonical text of an expression. Parsing it gives the same expression, except for positions. */
export function printExpression(expression: Expression, language: Language): string {
  const words = WORDS[language];
  const print = (one: Expression, weakest: number): string =>
    strengthOf(one) < weakest ? `(${bare(one)})` : bare(one);
  const list = (items: readonly Expression[]): string => items.map((item) => print(item, STRENGTH.or)).join(", ");
  return print(expression, STRENGTH.or);

  function bare(one: Expression): string {
    switch (one.is) {
      case "number":
        return printedNumber(one.value);
      case "measure":
        return `${printedNumber(one.value)} ${printedUnit(one.unit, one.value, language)}`;
      case "text":
        return printedText(one.value);
      case "truth":
        return CONSTANTS[language][one.value ? "true" : "false"];
      case "nothing":
        return CONSTANTS[language].nothing;
      case "name":
        return one.name;
      case "list":
        return `[${list(one.items)}]`;
      case "member":
        return `${print(one.of, STRENGTH.primary)}.${one.name}`;
      case "item":
        return `${print(one.of, STRENGTH.primary)}[${print(one.index, STRENGTH.or)}]`;
      case "builtin":
        return `${printedBuiltin(one.name, language)}(${list(one.args)})`;
      case "method":
        return `${print(one.of, STRENGTH.primary)}.${printedMethod(one.name, language)}(${list(one.args)})`;
      case "call": {
        const args = one.args.map(({ name, value }) => {
          const printed = print(value, STRENGTH.or);
          return name === undefined ? printed : `${name}: ${printed}`;
        });
        return `${one.name}(${args.join(", ")})`;
      }
      case "not":
        return `${words.not} ${print(one.of, STRENGTH.not)}`;
      case "negative":
        // Two adjacent minus signs would be the mark `--`.
        return `-${print(one.of, STRENGTH.primary)}`;
      case "empty":
        return `${print(one.of, STRENGTH.sum)} ${words.empty}`;
      case "and":
      case "or":
        return one.of.map((part) => print(part, STRENGTH[one.is] + 1)).join(` ${words[one.is]} `);
      case "compare": {
        const op = one.op === "in" || one.op === "contains" ? words[one.op] : one.op;
        return `${print(one.left, STRENGTH.sum)} ${op} ${print(one.right, STRENGTH.sum)}`;
      }
      case "arithmetic": {
        const strength = strengthOf(one);
        return `${print(one.left, strength)} ${one.op} ${print(one.right, strength + 1)}`;
      }
    }
  }
}

function strengthOf(expression: Expression): number {
  switch (expression.is) {
    case "or":
    case "and":
    case "not":
    case "compare":
    case "negative":
      return STRENGTH[expression.is];
    case "empty":
      return STRENGTH.compare;
    case "arithmetic":
      return expression.op === "+" || expression.op === "-" ? STRENGTH.sum : STRENGTH.product;
    default:
      return STRENGTH.primary;
  }
}

/** Without an exponent: the grammar has none. */
function printedNumber(value: number): string {
  const short = String(value);
  if (!/e/.test(short)) return short;
  const [digits = "", power = "0"] = short.split("e");
  const [whole = "", part = ""] = digits.split(".");
  const shift = Number(power);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${whole}${part}`;
  return `${whole}${part}${"0".repeat(shift - part.length)}`;
}

const printedText = (value: string): string =>
  `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
