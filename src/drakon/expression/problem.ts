import type { Text } from "../../base/text.ts";

/** A syntax or evaluation error: a code, the offset in the text, and a message in both languages. */
export interface ExpressionProblem {
  readonly code: ProblemCode;
  /** Offset in the text of the icon, in UTF-16 units. */
  readonly at: number;
  readonly message: Text;
}

/** `{}` is replaced by the detail. */
const problemTable = {
  "too-long": ["the text is longer than {} characters", "текст довший за {} знаків"],
  "too-deep": ["the expression is nested deeper than {}", "вираз вкладено глибше ніж на {}"],
  character: ["{} has no meaning here", "{} тут нічого не означає"],
  "open-text": ["the text in quotes has no end", "текст у лапках не має кінця"],
  number: ["{} is not a number that can be computed with", "{} не є числом, з яким можна рахувати"],
  expected: ["{} was expected", "очікувалося: {}"],
  unexpected: ["{} was not expected here", "{} тут не очікувалося"],
  "constant-target": ["{} is a constant and cannot be assigned", "{} є сталою, їй не можна надати значення"],
  arguments: ["wrong number of arguments for {}", "{} приймає іншу кількість аргументів"],
  "unset-name": ["{} has no value yet", "{} ще не має значення"],
  "unknown-method": ["there is no method {}", "методу {} немає"],
  "wrong-kind": ["this operation does not work with {}", "цього не можна зробити з: {}"],
  "not-truth": ["expected true or false, got {}", "відповідь не «так» і не «ні», а {}"],
  "division-by-zero": ["division by zero", "ділення на нуль"],
  "not-finite": ["the result is not a finite number", "результат не є скінченним числом"],
  "too-large": ["the value is larger than {}", "значення більше ніж {}"],
  effect: ["{} has side effects and cannot be computed here", "{} має побічну дію і не може обчислюватися тут"],
} as const satisfies Record<string, readonly [string, string]>;

export type ProblemCode = keyof typeof problemTable;

export function problem(code: ProblemCode, at: number, detail: string | Text = ""): ExpressionProblem {
  const [en, uk] = problemTable[code];
  const details = typeof detail === "string" ? { en: detail, uk: detail } : detail;
  return { code, at, message: { en: en.replace("{}", () => details.en), uk: uk.replace("{}", () => details.uk) } };
}

/** Carries a problem out of nested calls, only inside this folder and `walk/`: their public functions return problems as values. */
export class Raised extends Error {
  readonly problem: ExpressionProblem;

  constructor(what: ExpressionProblem) {
    super(what.message.en);
    this.problem = what;
  }
}

export const raise = (code: ProblemCode, at: number, detail: string | Text = ""): never => {
  throw new Raised(problem(code, at, detail));
};
