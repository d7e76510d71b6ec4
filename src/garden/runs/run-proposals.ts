import type { Proposal } from "../../domain/proposal/proposal.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { bindTrace } from "../changes/apply/landing.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { findProposal } from "../records/proposals/proposal-log.ts";

/** The proposals that these steps made. */
export async function proposalsMadeIn({ store }: Garden, records: readonly StepRecord[]): Promise<Proposal[]> {
  const found = [];
  for (const id of new Set(records.flatMap(({ proposals }) => proposals))) found.push(await findProposal(store, id));
  return found.filter((proposal) => proposal !== undefined);
}

/** A proposal that a rule approved during the run was committed before there was a trace to bind. */
export async function bindTraces(garden: Garden, place: RunPlace, records: readonly StepRecord[]): Promise<void> {
  for (const id of records.flatMap(({ proposals }) => proposals)) {
    const proposal = await findProposal(garden.store, id);
    const commit = proposal?.apply_result?.git_commit;
    if (proposal && proposal.source.run_id === place.run && commit !== undefined)
      await bindTrace(garden, proposal, commit);
  }
}
