import { keys } from "../../../domain/layout.ts";
import type { Proposal, ProposalMade } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { firstEventIn } from "./revert-views.ts";

const MOST_LINKS = 20;

/**
 * Marks the run that made a proposal for recounting after an event (L-4a). An edited copy and a revert count to the run
 * of the first proposal. The mark's name has the event number, so that writing it again after a crash is idempotent.
 */
export async function markRunForRecount(store: Store, proposal: Proposal): Promise<void> {
  let first: Pick<ProposalMade, "source" | "edits" | "reverts"> | undefined = proposal;
  for (let links = 0; first && links < MOST_LINKS; links++) {
    const before: string | undefined = first.edits ?? first.reverts;
    if (before === undefined) break;
    first = firstEventIn((await store.get(keys.proposalEvent(before, 0)))?.bytes);
  }
  if (first?.source.type !== "agent" || first.source.run_id === undefined) return;
  const { identity: slug, run_id: run } = first.source;
  await store.put(keys.recount(slug, run, `${proposal.id}-${proposal.length}`), Buffer.from("{}\n"));
}
