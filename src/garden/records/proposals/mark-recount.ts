import { keys } from "../../../domain/layout.ts";
import type { Proposal, ProposalMade } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { madeIn } from "./revert-views.ts";

const MOST_LINKS = 20;

/**
 * Something happened to a proposal: the run that made it is to be counted anew (L-4a). What the owner wrote in place of a
 * proposal, and what takes one back, count to the run of the first. The mark has the event's number in its name, so that a mark
 * which is put again after a crash never hides another.
 */
export async function markRunBehind(store: Store, proposal: Proposal): Promise<void> {
  let first: Pick<ProposalMade, "source" | "edits" | "reverts"> | undefined = proposal;
  for (let links = 0; first && links < MOST_LINKS; links++) {
    const before: string | undefined = first.edits ?? first.reverts;
    if (before === undefined) break;
    first = madeIn((await store.get(keys.proposalEvent(before, 0)))?.bytes);
  }
  if (first?.source.type !== "agent" || first.source.run_id === undefined) return;
  const { identity: slug, run_id: run } = first.source;
  await store.put(keys.recount(slug, run, `${proposal.id}-${proposal.length}`), Buffer.from("{}\n"));
}
