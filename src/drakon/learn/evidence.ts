import type { Json } from "../../base/canonical.ts";
import type { JudgedPath } from "../../domain/run/run-path.ts";
import type { ArgumentNames } from "../expression/argument-names.ts";
import { derivedValue } from "../walk/derived-answer.ts";
import { MAX_RUN_STEPS, type WalkInput, type WalkOptions } from "../walk/machine.ts";
import type { JournalEntry, Request } from "../walk/request.ts";

/**
 * A finished run with its verdict. Input and journal are present if the interpreter can replay it; without them only the
 * visited icons are known.
 */
export interface Evidence {
  readonly path: JudgedPath;
  readonly input?: WalkInput;
  readonly journal?: readonly JournalEntry[];
  /** Argument names of the run's tools, if it used more than the garden's own. */
  readonly argumentNames?: ArgumentNames;
}

/** A run fails, its proposals are rejected, or it costs more than necessary. */
export type Trouble = "failure" | "rejection" | "cost";

/** An icon of a diagram. */
export interface Site {
  readonly diagram: string;
  readonly icon: string;
}

export const siteKey = ({ diagram, icon }: Site): string => `${diagram}\0${icon}`;

/** True if the run has a verdict. */
export const isJudged = ({ path }: Evidence): boolean =>
  path.status !== "cancelled" && (path.verdict !== "open" || path.logicIssue);

/** A failed run cannot also be rejected. */
export function troubleOf({ path }: Evidence): "failure" | "rejection" | undefined {
  if (path.status === "failed") return "failure";
  return path.verdict === "bad" || path.logicIssue ? "rejection" : undefined;
}

/** Number of decisions that could have been rejections. */
export const decisionsIn = ({ path }: Evidence): number =>
  path.outcome?.kind === "effects" ? Math.max(1, path.outcome.proposals.length) : 1;

/** Options for replaying a run. */
export const replayOptions = ({ argumentNames }: Evidence): WalkOptions => ({
  maxSteps: MAX_RUN_STEPS,
  ...(argumentNames && { argumentNames }),
});

/** The answer to a request that is not journalled because it follows from earlier ones. `proposed`: targets proposed so far. */
export const unaskedAnswer = (request: Request, proposed: readonly string[]): Json | undefined =>
  request.kind === "notify" ? null : derivedValue(request, proposed);
