import type { Text } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { EditOperation } from "../edit/operation.ts";
import type { Program } from "../walk/frame.ts";
import type { LogicFinding } from "./finding.ts";

/** The five changes that an optimizer may propose (source 000 §4.4), and a whole behaviour of another garden (S-9b). */
export type RepairKind = "guard" | "reorder" | "remove" | "threshold" | "simplify" | "adopt";

/** A diagram change that would have avoided the trouble of recorded runs. */
export interface Repair {
  readonly kind: RepairKind;
  readonly finding: LogicFinding;
  readonly operations: readonly EditOperation[];
  /** The diagram after the operations; valid. */
  readonly diagram: Diagram;
  readonly expected: Expectation;
  readonly risk: "low" | "medium" | "high";
  /** The change and its reason, for the reviewer. */
  readonly words: Text;
}

/** Logic from elsewhere that may replace the procedure. */
export interface CandidateLogic {
  readonly diagram: Diagram;
  readonly program: Program;
  /** Probability that a run is good if it goes another way and the recording cannot tell how it ends. */
  readonly goodRate: number;
  readonly words: Text;
}

/** Effect of the change on the recorded runs. */
export interface Expectation {
  readonly runs: number;
  /** Bad runs as recorded. */
  readonly bad: number;
  /** Expected number of bad runs with the change. */
  readonly badAfter: number;
  /** Runs with the same path and end. */
  readonly same: number;
  /** Failed runs that would have ended well, as far as the recording shows. */
  readonly avoided: number;
  /** Runs for which the recording cannot tell. */
  readonly unknown: number;
  /** Tokens saved per run, as far as the recording shows. */
  readonly tokensSaved: number;
}
