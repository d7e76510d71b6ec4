import type { RunRequest } from "../../domain/run/run.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { DurableFlow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import type { RunVerdict } from "./verdict.ts";

/**
 * Carries out one run, from its first step to its verdict. It is called again after a crash, a hold or a timer, on any machine:
 * `flow.step` returns recorded results instead of repeating the work. Failures that `isFlowStopped` knows are rethrown.
 */
export type RunFlow = (context: RunContext) => Promise<RunFlowEnd>;

export interface RunContext {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly request: RunRequest;
  readonly flow: DurableFlow;
  /** Aborted when the run is cancelled, out of time or taken over, and when the program ends. */
  readonly signal: AbortSignal;
}

export type RunFlowEnd =
  /** The engine writes the verdict (`endRun`), then calls `after`. A crash in between loses `after`. */
  | { readonly kind: "ended"; readonly verdict: RunVerdict; readonly after?: () => Promise<unknown> }
  /** It waits for the answer to this request and occupies nothing meanwhile. */
  | { readonly kind: "held"; readonly request: string }
  /** Not before this time (ms since 1970). */
  | { readonly kind: "later"; readonly at: number };
