import type { IconId } from "./icon-id.ts";

/**
 * A diagram as nested blocks: the one meaning that pseudocode, interpreter, drawing of differences and behaviour id are
 * made from (D-3). Every icon that is reached stands in it exactly once; nothing is copied.
 */
export interface Tree {
  readonly name: string;
  readonly params: string;
  readonly description: string;
  /** One for a primitive; in order of branch ids for a silhouette. The first is where it begins. */
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

/** One icon that does something and goes on. `kind` is the icon's type in the file. */
export interface Step {
  readonly node: "step";
  readonly kind: string;
  readonly icon: IconId;
  readonly text: string;
  /** The upper text of a two-storey icon. */
  readonly secondary?: string;
  /** The text of the duration beside it, and that icon. */
  readonly duration?: Duration;
}

/** The icon beside another one that says how long it takes, or when it begins. */
export interface Duration {
  readonly icon: IconId;
  readonly text: string;
}

/** `yes` is never empty unless both are; what only happens on "no" stands in `yes` under a negated condition. */
export interface If {
  readonly node: "if";
  readonly condition: Condition;
  readonly yes: Block;
  readonly no: Block;
}

/** Questions joined without text of their own, answered from left to right and only as far as needed. */
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
  /** What happens when no case fits; absent if the diagram does not say. */
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
  /** What stands on the lower icon; usually nothing. */
  readonly endText: string;
  /** Only where an exit from deeper names it. */
  readonly label?: Label;
  readonly body: Block;
}

/** Goes round until something leaves it. */
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

/** A block that can be left from inside, because nothing simpler will do. */
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
  /** Goes on with the next round of the innermost loop, or of the named one. */
  | { readonly node: "next"; readonly label?: Label }
  /** Leaves the named block. */
  | { readonly node: "leave"; readonly label: Label }
  /** The whole procedure is done. `icon` is a step marked as final, if that is why. */
  | { readonly node: "return" }
  /** Goes on at the head of another branch, and never returns. */
  | { readonly node: "go"; readonly branch: IconId };
