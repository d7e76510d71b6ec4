import type { Json } from "../../base/canonical.ts";
import type { JudgedPath } from "../../domain/run/run-path.ts";
import type { ArgumentNames } from "../expression/argument-names.ts";
import { followingValue } from "../walk/derived-answer.ts";
import { type Input, MAX_RUN_STEPS, type WalkOptions } from "../walk/machine.ts";
import type { JournalEntry, Request } from "../walk/request.ts";

/**
 * A run that ended, with what people said of it. Input and journal are there where the interpreter can walk it again; without them
 * only the icons that it passed speak.
 */
export interface Evidence {
  readonly path: JudgedPath;
  readonly input?: Input;
  readonly journal?: readonly JournalEntry[];
  /** What the tools of the run call their arguments, where that is more than the garden's own. */
  readonly argumentNames?: ArgumentNames;
}

/** What goes wrong with a run: it fails, people turn down what came of it, or it costs more than it has to. */
export type Trouble = "failure" | "rejection" | "cost";

/** An icon of a diagram. */
export interface Site {
  readonly diagram: string;
  readonly icon: string;
}

export const siteKey = ({ diagram, icon }: Site): string => `${diagram}\0${icon}`;

/** Whether anybody has said anything about the run yet. */
export const isJudged = ({ path }: Evidence): boolean =>
  path.status !== "cancelled" && (path.verdict !== "open" || path.logicIssue);

/** A run goes wrong in one way: what failed cannot be turned down. */
export function troubleOf({ path }: Evidence): "failure" | "rejection" | undefined {
  if (path.status === "failed") return "failure";
  return path.verdict === "bad" || path.logicIssue ? "rejection" : undefined;
}

/** How many things people could say no to. */
export const decisionsIn = ({ path }: Evidence): number =>
  path.outcome?.kind === "effects" ? Math.max(1, path.outcome.proposals.length) : 1;

/** How a run is walked again. */
export const walkingOf = ({ argumentNames }: Evidence): WalkOptions => ({
  maxSteps: MAX_RUN_STEPS,
  ...(argumentNames && { argumentNames }),
});

/** What needs nobody to answer it, and so stands in no journal; `proposed`: what was proposed for before. */
export const unaskedAnswer = (request: Request, proposed: readonly string[]): Json | undefined =>
  request.kind === "notify" ? null : followingValue(request, proposed);
