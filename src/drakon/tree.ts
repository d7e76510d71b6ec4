import type { IconId } from "./icon-id.ts";

/**
 * A diagram as nested blocks: the one source of pseudocode, interpreter, comparison and behaviour id (D-3). It holds every
 * reachable icon exactly once.
 */
export interface Tree {
  readonly name: string;
  readonly params: string;
  readonly description: string;
  /** One for a primitive; in order of branch ids for a silhouette. The first is the entry. */
  readonly branches: readonly Branch[];
  readonly silhouette: boolean;
}

export interface Branch {
  readonly icon: IconId;
  readonly name: string;
  readonly body: Block;
}

export type Block = readonly TreeNode[];

export type TreeNode = Step | If | Select | ForEach | Loop | Parallel | Labelled | Exit;

/** An icon with one exit. `kind` is its type in the file. */
export interface Step {
  readonly node: "step";
  readonly kind: string;
  readonly icon: IconId;
  readonly text: string;
  /** The upper text of a two-storey icon. */
  readonly secondary?: string;
  readonly duration?: Duration;
}

/** The icon beside another one that says how long the other takes, or when it begins. */
export interface Duration {
  readonly icon: IconId;
  readonly text: string;
}

/** `yes` is empty only if `no` is: a block that only happens on "no" becomes `yes` of the negated condition. */
export interface If {
  readonly node: "if";
  readonly condition: Condition;
  readonly yes: Block;
  readonly no: Block;
}

/** Questions joined by operators, evaluated from left to right with short circuit. */
export type Condition =
  | { readonly is: "question"; readonly icon: IconId; readonly text: string; readonly duration?: Duration }
  | { readonly is: "not"; readonly of: Condition }
  | { readonly is: "and" | "or"; readonly of: readonly Condition[] };

export interface Select {
  readonly node: "select";
  readonly icon: IconId;
  readonly text: string;
  readonly duration?: Duration;
  readonly cases: readonly SelectCase[];
  /** Taken when no case fits; absent if the diagram has no empty last case. */
  readonly otherwise?: { readonly icon: IconId; readonly body: Block };
}

export interface SelectCase {
  readonly icon: IconId;
  readonly text: string;
  readonly body: Block;
}

export interface ForEach {
  readonly node: "for-each";
  readonly icon: IconId;
  readonly endIcon: IconId;
  /** As written: `x; xs`, `i = 0; i < n; i++`, or words. */
  readonly text: string;
  /** The text of the lower icon; usually empty. */
  readonly endText: string;
  /** Present only if an exit names it. */
  readonly label?: Label;
  readonly body: Block;
}

/** Repeats until an exit leaves it. */
interface Loop {
  readonly node: "loop";
  readonly icon: IconId;
  readonly label?: Label;
  readonly body: Block;
}

export interface Parallel {
  readonly node: "parallel";
  readonly processes: readonly { readonly icon: IconId; readonly text: string; readonly body: Block }[];
  readonly endIcon: IconId;
}

/** A block with exits that are no break, next or return. */
interface Labelled {
  readonly node: "block";
  readonly label: Label;
  readonly body: Block;
}

/** Numbered in order of appearance. */
export type Label = number;

export type Exit =
  /** Leaves the innermost loop, or the named one. */
  | { readonly node: "break"; readonly label?: Label }
  /** Continues with the next round of the innermost loop, or of the named one. */
  | { readonly node: "next"; readonly label?: Label }
  /** Leaves the named block. */
  | { readonly node: "leave"; readonly label: Label }
  /** Ends the procedure; inside a parallel process, that process. */
  | { readonly node: "return" }
  /** Continues at the head of another branch and never returns. */
  | { readonly node: "go"; readonly branch: IconId };
