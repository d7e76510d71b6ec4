/**
 * What the text of an icon means when it is formal (docs/expressions.md). The same tree for Ukrainian and English: keywords,
 * builtins and units have one name here. `at` is an offset in the text and no part of the meaning.
 */
export type Expression =
  | { readonly is: "number"; readonly value: number; readonly at: number }
  /** `200 слів`: a number of something, for comparing with a text. */
  | { readonly is: "measure"; readonly value: number; readonly unit: Unit; readonly at: number }
  | { readonly is: "text"; readonly value: string; readonly at: number }
  | { readonly is: "truth"; readonly value: boolean; readonly at: number }
  | { readonly is: "nothing"; readonly at: number }
  | { readonly is: "list"; readonly items: readonly Expression[]; readonly at: number }
  | { readonly is: "name"; readonly name: string; readonly at: number }
  | { readonly is: "member"; readonly of: Expression; readonly name: string; readonly at: number }
  | { readonly is: "item"; readonly of: Expression; readonly index: Expression; readonly at: number }
  /** A pure function of this language. */
  | { readonly is: "builtin"; readonly name: Builtin; readonly args: readonly Expression[]; readonly at: number }
  /** Anything else that is called: a tool, a diagram, the clock. */
  | { readonly is: "call"; readonly name: string; readonly args: readonly Argument[]; readonly at: number }
  | {
      readonly is: "method";
      readonly of: Expression;
      /** A `Method`, or a name that nobody knows. */
      readonly name: string;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  | { readonly is: "not" | "negative" | "empty"; readonly of: Expression; readonly at: number }
  /** Two or more, from left to right and only as far as needed. */
  | { readonly is: "and" | "or"; readonly of: readonly Expression[]; readonly at: number }
  | {
      readonly is: "compare";
      readonly op: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
      /** Written with a word (`is`, `є`), which prose does too; no part of the meaning. */
      readonly spoken?: boolean;
      readonly at: number;
    }
  | {
      readonly is: "arithmetic";
      readonly op: "+" | "-" | "*" | "/" | "%";
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    };

/** `in`: the left is in the right; `contains`: the right is in the left. */
export type CompareOperator = "=" | "≠" | "<" | "≤" | ">" | "≥" | "in" | "contains";

export interface Argument {
  /** As written; what it means to a tool is said by the caller's table. */
  readonly name?: string;
  readonly value: Expression;
}

/** One line of an icon that acts: a value that is computed, and perhaps kept under a name. */
export interface Statement {
  readonly target?: string;
  readonly value: Expression;
}

export type Unit = "words" | "characters" | "lines" | "items";
export type Builtin = "length" | "words" | "lines" | "empty" | "contains" | "tags";
export type Method = Builtin | "has_tag" | "starts_with" | "ends_with";

/** A text that is longer, or an expression that is nested deeper, was not written for this grammar. */
export const MAX_EXPRESSION_CHARACTERS = 20_000;
export const MAX_EXPRESSION_DEPTH = 100;
