import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { ExpressionProblem, ProblemCode } from "../expression/problem.ts";
import type { IconId } from "../icon-id.ts";

/** How a walk ended. */
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
  /** Which entry of the journal, counted from 0. */
  readonly position?: number;
}

const walkProblems = {
  "non-determinism": ["the journal answers what was not asked: {}", "журнал відповідає на те, про що не питали: {}"],
  surplus: ["the journal goes on behind the end", "журнал триває після кінця"],
  "wrong-answer": ["the answer does not fit; expected: {}", "відповідь не підходить; очікується: {}"],
  "step-limit": ["more than {} steps were taken", "зроблено понад {} кроків"],
  "call-depth": ["diagrams call each other deeper than {}", "діаграми викликають одна одну глибше ніж на {}"],
  "no-case": ["no case fits, and nothing is said for that", "жоден варіант не підходить, і нічого не сказано про це"],
  "missing-diagram": ["there is no diagram {}", "діаграми {} немає"],
  "missing-input": [
    "the procedure needs the input {}, and it was not given",
    "процедурі потрібне вхідне значення {}, а його не дано",
  ],
  input: ["the input cannot be used: {}", "вхідні дані непридатні: {}"],
} as const satisfies Record<string, readonly [string, string]>;

type WalkProblemCode = keyof typeof walkProblems;

export function walkProblem(
  code: WalkProblemCode,
  detail: string | Text = "",
  where: Omit<WalkProblem, "code" | "message"> = {},
): WalkProblem {
  const [en, uk] = walkProblems[code];
  const said = typeof detail === "string" ? { en: detail, uk: detail } : detail;
  return { code, message: { en: en.replace("{}", () => said.en), uk: uk.replace("{}", () => said.uk) }, ...where };
}

export const failedWalk = (problem: WalkProblem): WalkEnd => ({ kind: "failed", problem });

/** A problem of an expression, at its icon. */
export const iconProblem = (problem: ExpressionProblem, where: Omit<WalkProblem, "code" | "message">): WalkProblem => ({
  ...problem,
  ...where,
});

/** One icon that was passed, in the order in which it was entered. */
export interface TraceEntry {
  readonly diagram: string;
  readonly proc: string;
  readonly icon: IconId;
  readonly visit: number;
  /** Of a question its answer, of a select the number of its case (null for none), of a loop whether there was another round. */
  answer?: boolean | number | null;
}

/** Told of an icon when it is entered, with the values that the names have then. */
export type OnEnter = (entry: TraceEntry, names: ReadonlyMap<string, Json>) => void;
