import type { Text } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { EditOperation } from "../edit/operation.ts";
import type { LogicFinding } from "./finding.ts";

/** The five things that an optimizer may propose (source 000 §4.4). */
export type RepairKind = "guard" | "reorder" | "remove" | "threshold" | "simplify";

/** A change of a diagram that would have spared runs their trouble. */
export interface Repair {
  readonly kind: RepairKind;
  readonly finding: LogicFinding;
  readonly operations: readonly EditOperation[];
  /** The diagram after them: legal, checked. */
  readonly diagram: Diagram;
  readonly expected: Expectation;
  readonly risk: "low" | "medium" | "high";
  /** What is changed and why, for the person who decides. */
  readonly words: Text;
}

/** What the recorded runs say about the change. */
export interface Expectation {
  readonly runs: number;
  /** Runs that went wrong, as recorded. */
  readonly bad: number;
  /** Runs that would have gone wrong with the change, as far as can be told. */
  readonly badAfter: number;
  /** Runs that go the same way to the same end. */
  readonly same: number;
  /** Runs that failed and would have ended well: the recording knows. */
  readonly avoided: number;
  /** Runs where the recording cannot tell. */
  readonly unknown: number;
  /** Tokens per run that are saved, as far as the recording knows. */
  readonly tokensSaved: number;
}
