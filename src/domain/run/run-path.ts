import type { LogicVersion } from "../logic/logic-version.ts";
import type { Outcome, RunManifest } from "./run-manifest.ts";

/**
 * How the way of a run through its diagram is known: `fact`, the interpreter walked it (`flow`, the follower); `claim`, the model
 * said so with its calls and the lines were a path (`prompt`); `unknown`, there is nothing to go by (R-1a).
 */
export type Certainty = "fact" | "claim" | "unknown";

/** One icon that a run passed, with what was recorded there. */
export interface PassedIcon {
  readonly diagram: string;
  readonly icon: string;
  /** Of a question its answer, of a select the number of its case (null for none), of a loop whether there was another round. */
  readonly answer?: boolean | number | null;
  /** Model calls and tool calls made here. */
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  /** A call here failed for good, or the run ended here as failed. */
  readonly failed: boolean;
  /** Proposals that came of it. */
  readonly proposals: readonly string[];
}

/** A run that ended, as a way through its diagram. */
export interface RunPath {
  readonly run: string;
  readonly version: LogicVersion | null;
  readonly behaviour: string | null;
  readonly certainty: Certainty;
  readonly passed: readonly PassedIcon[];
  readonly status: RunManifest["status"];
  readonly outcome: Outcome | null;
  readonly tokens: number;
  /** The run itself, or a person, marked it as the logic's fault (`logic_issue: true`, source 000 §2.2). */
  readonly logicIssue: boolean;
}

/** What people decided about the proposals of a run (L-4a). */
export interface Decisions {
  readonly accepted: number;
  /** Accepted after an edit. */
  readonly edited: number;
  readonly rejected: number;
  /** Accepted and later taken back. */
  readonly reverted: number;
  /** Nobody has decided yet, or it expired. */
  readonly open: number;
}

/**
 * `bad`: it failed, or a proposal of it was rejected or taken back. `good`: it finished, and nothing of it was. `open`: it finished,
 * and all that it proposed still waits: such a run says nothing yet.
 */
export type Verdict = "good" | "bad" | "open";

export interface JudgedPath extends RunPath {
  readonly verdict: Verdict;
}

export function verdictOf({ status }: Pick<RunPath, "status">, decisions: Decisions): Verdict {
  if (status === "failed" || decisions.rejected + decisions.reverted > 0) return "bad";
  return decisions.open > 0 && decisions.accepted + decisions.edited === 0 ? "open" : "good";
}
