import type { IconId } from "../icon-id.ts";
import type { Condition } from "../tree.ts";

/** Where a way leads: to an icon that is known now or later, or to wherever another place leads. */
export interface ExitTarget {
  icon?: IconId;
  same?: ExitTarget;
  /** Getting here means going round a loop again. */
  readonly back?: boolean;
}

/** The place with the icon, at the end of the chain. Chains are shortened on the way: they may be very long. */
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
  /** The branch, for-each or process that it lies in. */
  readonly home: IconId;
  readonly item: Record<string, unknown>;
  exits: readonly (readonly [field: "one" | "two" | "side", to: ExitTarget])[];
  /** The lower icon of a for-each or a parallel block: whoever goes straight down steps over what is between. */
  readonly past?: IconId;
}

/** A question without orientation yet. */
export interface DraftQuestion {
  readonly id: IconId;
  readonly yes: ExitTarget;
  readonly no: ExitTarget;
  /** Where the whole condition leads, of which this question may be a part. */
  readonly whenYes: ExitTarget;
  readonly whenNo: ExitTarget;
  /** Whether "yes" of the whole leaves, and "no" goes on. */
  readonly yesRight: boolean;
}

export type AskedQuestion = Extract<Condition, { is: "question" }>;
