import type { Json } from "../../base/canonical.ts";
import { asFailure } from "../../base/failure.ts";
import { isFlowStopped } from "../core/flow/decision-needed.ts";
import type { RunContext } from "./run-flow.ts";

/** A step of idempotent work. A failure on record would end every replay: the work is then done without the step, until it succeeds. */
export async function lastStep(
  { flow, signal }: RunContext,
  name: string,
  input: Json,
  work: () => Promise<Json>,
): Promise<void> {
  try {
    await flow.step(name, input, work);
  } catch (error) {
    if (isFlowStopped(error)) throw error;
    if (signal.aborted) throw asFailure(signal.reason);
    await work();
  }
}
