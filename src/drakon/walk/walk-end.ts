import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { ExpressionProblem, ProblemCode } from "../expression/problem.ts";
import type { IconId } from "../icon-id.ts";

export type WalkEnd =
  | { readonly kind: "done" }
  /** The procedure gave a value to the name `результат` or `result`. */
  | { readonly kind: "returned"; readonly value: Json }
  | { readonly kind: "failed"; readonly problem: WalkProblem };

export interface WalkProblem {
  readonly code: WalkProblemCode | ProblemCode;
  readonly message: Text;
  readonly diagram?: string;
  readonly proc?: string;
  readonly icon?: IconId;
  /** Offset in the icon's text. */
  readonly at?: number;
  /** Index of the journal entry. */
  readonly position?: number;
}

const walkProblems = {
  "non-determinism": [
    "the journal answers a request that was not made: {}",
    "журнал відповідає на те, про що не питали: {}",
  ],
  surplus: ["the journal has entries after the end", "журнал триває після кінця"],
  "wrong-answer": ["the answer does not fit; expected: {}", "відповідь не підходить; очікується: {}"],
  "step-limit": ["more than {} steps were taken", "зроблено понад {} кроків"],
  "call-depth": ["diagrams call each other deeper than {}", "діаграми викликають одна одну глибше ніж на {}"],
  "no-case": [
    "no case fits, and the select has no default case",
    "жоден варіант не підходить, і нічого не сказано про це",
  ],
  "missing-diagram": ["there is no diagram {}", "діаграми {} немає"],
  "missing-input": ["the procedure needs the input {}", "процедурі потрібне вхідне значення {}, а його не дано"],
  input: ["the input cannot be used: {}", "вхідні дані непридатні: {}"],
} as const satisfies Record<string, readonly [string, string]>;

type WalkProblemCode = keyof typeof walkProblems;

export function walkProblem(
  code: WalkProblemCode,
  detail: string | Text = "",
  where: Omit<WalkProblem, "code" | "message"> = {},
): WalkProblem {
  const [en, uk] = walkProblems[code];
  const details = typeof detail === "string" ? { en: detail, uk: detail } : detail;
  return {
    code,
    message: { en: en.replace("{}", () => details.en), uk: uk.replace("{}", () => details.uk) },
    ...where,
  };
}

export const failedWalk = (problem: WalkProblem): WalkEnd => ({ kind: "failed", problem });

/** A problem of an expression, with the position of its icon. */
export const iconProblem = (problem: ExpressionProblem, where: Omit<WalkProblem, "code" | "message">): WalkProblem => ({
  ...problem,
  ...where,
});

/** One visit of an icon; a trace lists them in order of entry. */
export interface TraceEntry {
  readonly diagram: string;
  readonly proc: string;
  readonly icon: IconId;
  readonly visit: number;
  /** The answer of a question, the case index of a select (null for none), or true for another round of a loop. */
  answer?: boolean | number | null;
}

/** Called when an icon is entered, with the variables at that moment. */
export type OnEnter = (entry: TraceEntry, names: ReadonlyMap<string, Json>) => void;
