import type { IconId } from "../icon-id.ts";
import type { Condition } from "../tree.ts";

/** The target of a line: an icon, known now or later, or the same as another target. */
export interface ExitTarget {
  icon?: IconId;
  same?: ExitTarget;
  /** The line repeats a loop. */
  readonly back?: boolean;
}

/** The target with the icon, at the end of the chain of `same`. Compresses the path: chains may be very long. */
export function resolveTarget(place: ExitTarget): ExitTarget {
  let last = place;
  while (last.same) last = last.same;
  for (let at = place; at.same; ) {
    const next: ExitTarget = at.same;
    if (next !== last) at.same = last;
    at = next;
  }
  return last;
}

/** An icon that is being drawn. */
export interface DraftIcon {
  readonly id: IconId;
  /** The icon of the tree that it represents; absent for the end. */
  readonly of?: IconId;
  /** The branch, for-each or process that it lies in. */
  readonly home: IconId;
  readonly item: Record<string, unknown>;
  exits: readonly (readonly [field: "one" | "two" | "side", to: ExitTarget])[];
  /** The lower icon of a for-each or a parallel block: the straight line down skips the icons in between. */
  readonly past?: IconId;
}

/** A question without an orientation. */
export interface DraftQuestion {
  readonly id: IconId;
  readonly yes: ExitTarget;
  readonly no: ExitTarget;
  /** Targets of the whole condition that this question belongs to. */
  readonly whenYes: ExitTarget;
  readonly whenNo: ExitTarget;
  /** "Yes" of the whole condition is an exit and "no" is not. */
  readonly yesRight: boolean;
}

export type AskedQuestion = Extract<Condition, { is: "question" }>;
