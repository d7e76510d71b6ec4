import type { LogicVersion } from "../logic/logic-version.ts";
import type { Outcome, RunManifest } from "./run-manifest.ts";

/**
 * How the path of a run through its diagram is known: `fact`, the interpreter walked it (`flow`, the follower);
 * `claim`, the model reported lines that form a path (`prompt`); `unknown`, no information (R-1a).
 */
export type Certainty = "fact" | "claim" | "unknown";

/** One visited icon with its records. */
export interface PassedIcon {
  readonly diagram: string;
  readonly icon: string;
  /** The answer to a question, the number of a select's case (null for none), or whether a loop had another round. */
  readonly answer?: boolean | number | null;
  /** Model calls and tool calls made here. */
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  /** A call here failed permanently, or the run failed here. */
  readonly failed: boolean;
  /** Proposals created here. */
  readonly proposals: readonly string[];
}

/** A finished run as a path through its diagram. */
export interface RunPath {
  readonly run: string;
  readonly version: LogicVersion | null;
  readonly behaviour: string | null;
  readonly certainty: Certainty;
  readonly passed: readonly PassedIcon[];
  readonly status: RunManifest["status"];
  readonly outcome: Outcome | null;
  readonly tokens: number;
  /** Marked as a fault of the logic by the run or a person (`logic_issue: true`, source 000 §2.2). */
  readonly logicIssue: boolean;
}

/** People's decisions on the proposals of a run (L-4a). */
export interface Decisions {
  readonly accepted: number;
  /** Accepted after an edit. */
  readonly edited: number;
  readonly rejected: number;
  /** Accepted and later reverted. */
  readonly reverted: number;
  /** Undecided or expired. */
  readonly open: number;
}

/**
 * `bad`: it failed, or one of its proposals was rejected or reverted. `good`: it finished, and none was. `open`: it
 * finished, and all its proposals are undecided, so it does not count yet.
 */
export type PathVerdict = "good" | "bad" | "open";

export interface JudgedPath extends RunPath {
  readonly verdict: PathVerdict;
}

export function verdictOf({ status }: Pick<RunPath, "status">, decisions: Decisions): PathVerdict {
  if (status === "failed" || decisions.rejected + decisions.reverted > 0) return "bad";
  return decisions.open > 0 && decisions.accepted + decisions.edited === 0 ? "open" : "good";
}
