/**
 * The syntax tree of a formal text (docs/expressions.md). The same for Ukrainian and English: keywords, builtins and units have one
 * name here. `at` is an offset in the text and not part of the meaning.
 */
export type Expression =
  | { readonly is: "number"; readonly value: number; readonly at: number }
  /** `200 слів`: a size, to compare with a text. */
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
  /** A call of a tool, a diagram or the clock. */
  | { readonly is: "call"; readonly name: string; readonly args: readonly Argument[]; readonly at: number }
  | {
      readonly is: "method";
      readonly of: Expression;
      /** A `Method`, or an unknown name. */
      readonly name: string;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  | { readonly is: "not" | "negative" | "empty"; readonly of: Expression; readonly at: number }
  /** Two or more operands, evaluated from left to right with short circuit. */
  | { readonly is: "and" | "or"; readonly of: readonly Expression[]; readonly at: number }
  | {
      readonly is: "compare";
      readonly op: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
      /** Written as a word (`is`, `є`), as in prose; not part of the meaning. */
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
  /** As written; `ArgumentNames` maps it to the tool's schema. */
  readonly name?: string;
  readonly value: Expression;
}

/** One statement of a step: an expression and an optional assignment. */
export interface Statement {
  readonly target?: string;
  readonly value: Expression;
}

export type Unit = "words" | "characters" | "lines" | "items";
export type Builtin = "length" | "words" | "lines" | "empty" | "contains" | "tags";
export type Method = Builtin | "has_tag" | "starts_with" | "ends_with";

/** Longer texts and deeper expressions are rejected, and so treated as natural language. */
export const MAX_EXPRESSION_CHARACTERS = 20_000;
export const MAX_EXPRESSION_DEPTH = 100;
/** Limit of recursion over an expression: a flat sum is a chain of pairs. */
export const MAX_EXPRESSION_HEIGHT = 1000;
