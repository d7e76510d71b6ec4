import type { RunRequest } from "../../domain/run/run.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Flow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";

/**
 * Carries out one run, from its first step to its manifest. Called again after a crash, a hold or a timer, on any machine: what
 * is on record is given back by `flow.step`. Failures that `isFlowStopped` knows are let through, never judged.
 */
export type RunFlow = (context: RunContext) => Promise<RunFlowEnd>;

export interface RunContext {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly request: RunRequest;
  readonly flow: Flow;
  /** Given to stop: cancelled, out of time, taken over, or the program ends. */
  readonly signal: AbortSignal;
}

export type RunFlowEnd =
  /** The manifest stands. */
  | { readonly kind: "ended" }
  /** It waits for the answer to this request; it occupies nothing meanwhile. */
  | { readonly kind: "held"; readonly request: string }
  /** Not before this time (ms since 1970). */
  | { readonly kind: "later"; readonly at: number };
