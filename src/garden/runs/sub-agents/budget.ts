import { z } from "zod";
import type { Capabilities } from "../../../domain/contract/ceiling.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { SPAWN_AGENT } from "../../../domain/run/sub-run.ts";

const count = z.int().nonnegative();

/** In the result of a sub-agent: what its run has used, with the runs below it. It counts against the run that asked. */
export const usedBySubAgent = z.strictObject({ tokens: count, calls: count, agents: count });
export type UsedBudget = z.infer<typeof usedBySubAgent>;

const result = z.object({ used: usedBySubAgent });

/** The used part of a run's budget so far, by its journal. A sub-agent that was refused counts as a call only. */
export function usedIn(records: readonly Pick<StepRecord, "kind" | "name" | "output" | "tokens">[]): UsedBudget {
  const used = { tokens: 0, calls: 0, agents: 0 };
  for (const { kind, name, output, tokens } of records) {
    if (kind === "step") continue;
    used.calls++;
    used.tokens += (tokens?.input ?? 0) + (tokens?.output ?? 0);
    const below = name === SPAWN_AGENT ? usedInResult(output) : undefined;
    if (!below) continue;
    used.tokens += below.tokens;
    used.calls += below.calls;
    used.agents += below.agents + 1;
  }
  return used;
}

export const usedInResult = (output: unknown): UsedBudget | undefined => result.safeParse(output).data?.used;

/** The capabilities of a run without what it has used, the call under way included. Negative figures are none. */
export function capabilitiesLeft(all: Capabilities, used: UsedBudget): Capabilities {
  const rest = (most: number, of: number): number => Math.max(0, most - of);
  return {
    ...all,
    ...(all.tokens !== undefined && { tokens: rest(all.tokens, used.tokens) }),
    ...(all.calls !== undefined && { calls: rest(all.calls, used.calls + 1) }),
    agents: rest(all.agents, used.agents),
  };
}
