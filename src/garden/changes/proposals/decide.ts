import { asFailure, type Failure } from "../../../base/failure.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import { originsOf } from "../../../domain/proposal/operation.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import { byAge } from "../../../domain/proposal/proposal-order.ts";
import { proposalMoves } from "../../../domain/proposal/proposal-state.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { expectMergeGrants } from "../../sessions/peer-sessions.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { reviewProposal } from "../effect/review.ts";
import { chosenPart } from "./chosen-part.ts";
import {
  checkedNote,
  expectPerson,
  expectReport,
  expectSeen,
  type OwnerVerdict,
  recordDecision,
} from "./decision-checks.ts";
import { endSuperseded } from "./end-superseded.ts";
import { expireIfDue } from "./expire.ts";
import { decidedBefore, namedTwiceInBatch, notInBatch, wrongBatchSize } from "./failures.ts";
import { supersede } from "./supersede.ts";

export interface OwnerDecision {
  readonly proposal: string;
  readonly verdict: OwnerVerdict;
  /** The digest that the person saw (P-10a). */
  readonly digest: string;
  readonly by: Identity;
  /** The reason; required for a rejection. */
  readonly note?: string | undefined;
  /** L-8: the id of the report that the person saw. A change of logic needs it, unless the caller shows the report itself. */
  readonly report?: string | undefined;
  /** The files of a merge that are approved; all if left out. */
  readonly files?: readonly string[] | undefined;
  /** P-10c: a rejection that asks for a revision, made by this run. */
  readonly revisionRun?: string | undefined;
  /** P-6a: an approval is applied only after this time, and can be withdrawn until then. */
  readonly graceMs?: number | undefined;
}

export const MAX_BATCH = 50;

/**
 * Records one verdict of the owner. Approving also applies: returns the proposal, applied or failed, or pending again if it would no
 * longer do what was approved (`returned`). With a grace it returns the approved proposal, and `applyAfterGrace` applies it later. Two
 * concurrent decisions race for the same event number; the loser gets INVALID_TRANSITION that names the winner.
 */
export async function decide(garden: Garden, decision: OwnerDecision): Promise<Proposal> {
  const decided = await recordVerdict(garden, decision);
  if (!isAppliedNow(decision)) return decided;
  const [applied] = await applyInOrder(garden, [decided], decision.by);
  if (applied!.status === "rejected") throw applied!.reason;
  return applied!.value;
}

const isAppliedNow = ({ verdict, graceMs = 0 }: Pick<OwnerDecision, "verdict" | "graceMs">): boolean =>
  verdict === "approve" && graceMs === 0;

/**
 * Applies approved proposals in the order in which they were proposed, so that an agent's memory updates land as the agent made
 * them (M-4). Returns the results in the given order.
 */
async function applyInOrder(
  garden: Garden,
  proposals: readonly Proposal[],
  by: Identity,
): Promise<readonly PromiseSettledResult<Proposal>[]> {
  const inOrder = proposals.toSorted(byAge);
  const results = await Promise.allSettled(inOrder.map(({ id }) => applyProposal(garden, id, identityName(by))));
  const applied = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  await endSuperseded(garden, applied);
  const settled = await Promise.all(results.map((result) => asSettled(garden, result)));
  return proposals.map((proposal) => settled[inOrder.indexOf(proposal)]!);
}

/** A returned proposal may have ended as superseded meanwhile. */
async function asSettled(
  { store }: Garden,
  result: PromiseSettledResult<Proposal>,
): Promise<PromiseSettledResult<Proposal>> {
  if (result.status === "rejected" || result.value.status !== "pending") return result;
  return { status: "fulfilled", value: await readProposal(store, result.value.id) };
}

async function recordVerdict(garden: Garden, decision: OwnerDecision): Promise<Proposal> {
  const { by, verdict } = decision;
  expectPerson(by);
  const note = checkedNote(verdict, decision.note);
  const proposal = await expireIfDue(garden, await readProposal(garden.store, decision.proposal));
  const to = verdict === "approve" ? "approved" : "rejected";
  if (!proposalMoves[proposal.status].includes(to)) throw decidedBefore(proposal, to);
  const seen = await expectSeen(garden, proposal, decision);
  const files = verdict === "approve" && decision.files ? chosenPart(proposal, seen!, decision.files) : undefined;
  const part = files && (await reviewProposal(garden, proposal, files));
  if (verdict === "approve") await expectMergeGrants(garden, originsOf(proposal.operation));
  const report = verdict === "approve" ? await expectReport(garden, proposal, decision.report) : undefined;
  if (verdict === "approve" && proposal.edits !== undefined) await supersede(garden, proposal, by);
  const now = garden.world.now();
  const graceMs = verdict === "approve" ? (decision.graceMs ?? 0) : 0;
  const decided: EventOf<"decided"> = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(now).toISOString(),
    decision: to,
    by: identityName(by),
    ...(by.type === "owner" && { via: by.via }),
    ...(note !== undefined && { note }),
    // A part of a merge has its own digest: it follows from the whole, which the person saw, and the files.
    digest: part?.digest ?? decision.digest,
    effect: (part ?? seen)?.effect ?? proposal.effect,
    ...(files && { files: [...files] }),
    ...(seen && { head: seen.head }),
    ...(report !== undefined && { report }),
    ...(decision.revisionRun !== undefined && { revision_requested: { run: decision.revisionRun } }),
    ...(graceMs > 0 && { apply_after: new Date(now + graceMs).toISOString() }),
  };
  return recordDecision(garden, proposal, decided);
}

export interface BatchItem {
  readonly id: string;
  readonly digest: string;
}

export interface BatchAnswer {
  readonly id: string;
  readonly proposal?: Proposal;
  readonly failure?: Failure;
}

/** Up to fifty proposals at once (P-10); each succeeds or fails on its own. Changes of logic and merges of sessions are refused. */
export async function decideBatch(
  garden: Garden,
  batch: {
    readonly proposals: readonly BatchItem[];
    readonly verdict: OwnerVerdict;
    readonly by: Identity;
    readonly note?: string | undefined;
    readonly graceMs?: number | undefined;
  },
): Promise<readonly BatchAnswer[]> {
  expectPerson(batch.by);
  checkedNote(batch.verdict, batch.note);
  const { proposals, ...how } = batch;
  if (proposals.length === 0 || proposals.length > MAX_BATCH) throw wrongBatchSize(proposals.length, MAX_BATCH);
  if (new Set(proposals.map(({ id }) => id)).size < proposals.length) throw namedTwiceInBatch();
  const recorded = await Promise.all(
    proposals.map(async ({ id, digest }): Promise<BatchAnswer> => {
      try {
        const { action } = await readProposal(garden.store, id);
        if (!actionTable[action].inBatch) throw notInBatch(id, action);
        return { id, proposal: await recordVerdict(garden, { proposal: id, digest, ...how }) };
      } catch (error) {
        return { id, failure: asFailure(error) };
      }
    }),
  );
  if (!isAppliedNow(how)) return recorded;
  const approved = recorded.flatMap(({ proposal }) => proposal ?? []);
  const applied = await applyInOrder(garden, approved, batch.by); // together: they share one move of main
  return recorded.map((answer) => {
    const result = answer.proposal && applied[approved.indexOf(answer.proposal)];
    if (!result) return answer;
    return result.status === "fulfilled"
      ? { id: answer.id, proposal: result.value }
      : { id: answer.id, failure: asFailure(result.reason) };
  });
}

/** One more attempt to apply a failed proposal. */
export async function retryApply(
  garden: Garden,
  { proposal: id, by }: { readonly proposal: string; readonly by: Identity },
): Promise<Proposal> {
  expectPerson(by);
  const proposal = await readProposal(garden.store, id);
  if (proposal.status !== "failed") throw decidedBefore(proposal, "applying");
  return applyProposal(garden, id, identityName(by));
}
