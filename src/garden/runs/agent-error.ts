import { crashPoint } from "../../base/crash-point.ts";
import { type Failure, isFailure } from "../../base/failure.ts";
import { changeAgentStatus } from "../agents/lifecycle/change-status.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";

/** C-7. An agent that was stopped or deleted meanwhile keeps the state that its owner gave it. */
export async function setAgentError(
  garden: Garden,
  { slug, run }: RunPlace,
  failure: Failure | undefined,
): Promise<void> {
  try {
    await changeAgentStatus(garden, { slug, to: "error", by: { type: "agent", slug, run }, reason: failure?.text.en });
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND") && !isFailure(error, "VALIDATION_FAILED")) throw error;
  }
  crashPoint("run.agent-stopped");
}
