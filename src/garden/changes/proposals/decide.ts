import { canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, isFailure } from "../../../base/failure.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import { type EventOf, type Proposal, proposalMoves } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { findProposal, readProposal } from "../../records/proposals/proposal-log.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { receive } from "../inbox/receive.ts";
import { expireIfDue } from "./expire.ts";
import {
  checkedNote,
  decidedBefore,
  editedInto,
  mustBePerson,
  record,
  reportOf,
  supersede,
  type Verdict,
  whatWasSeen,
} from "./verdict.ts";

export { expireDue } from "./expire.ts";

export interface Decision {
  readonly proposal: string;
  readonly verdict: Verdict;
  /** What the person saw (P-10a). */
  readonly digest: string;
  readonly by: Identity;
  /** Why; a rejection needs it. */
  readonly note?: string | undefined;
}

export const MAX_BATCH = 50;

/**
 * One verdict of the owner's. Approving applies as well: the answer is the proposal, applied or failed. Two who decide at
 * once race for the same event, and the loser is told who won.
 */
export async function decide(garden: Garden, decision: Decision): Promise<Proposal> {
  const { by, verdict } = decision;
  mustBePerson(by);
  const note = checkedNote(verdict, decision.note);
  const proposal = await expireIfDue(garden, await readProposal(garden.store, decision.proposal));
  const to = verdict === "approve" ? "approved" : "rejected";
  if (!proposalMoves[proposal.status].includes(to)) throw decidedBefore(proposal, to);
  const seen = await whatWasSeen(garden, proposal, decision);
  const report = verdict === "approve" ? await reportOf(garden, proposal) : undefined;
  if (verdict === "approve" && proposal.edits !== undefined) await supersede(garden, proposal, by);
  const decided: EventOf<"decided"> = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: to,
    by: identityName(by),
    ...(by.type === "owner" && { via: by.via }),
    ...(note !== undefined && { note }),
    digest: decision.digest,
    effect: seen?.effect ?? proposal.effect,
    ...(seen && { head: seen.head }),
    ...(report !== undefined && { report }),
  };
  const after = await record(garden, proposal, decided);
  return verdict === "approve" ? applyProposal(garden, after.id, identityName(by)) : after;
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

/** Up to fifty at once (P-10): each succeeds or fails on its own, and none of them changes logic or merges a session. */
export async function decideBatch(
  garden: Garden,
  batch: {
    readonly proposals: readonly BatchItem[];
    readonly verdict: Verdict;
    readonly by: Identity;
    readonly note?: string | undefined;
  },
): Promise<readonly BatchAnswer[]> {
  mustBePerson(batch.by);
  checkedNote(batch.verdict, batch.note);
  const { proposals, ...how } = batch;
  if (proposals.length === 0 || proposals.length > MAX_BATCH) throw wrongSize(proposals.length);
  if (new Set(proposals.map(({ id }) => id)).size < proposals.length) throw namedTwice();
  // All at once: those that are approved share their commits' syncs.
  return Promise.all(
    proposals.map(async ({ id, digest }): Promise<BatchAnswer> => {
      try {
        const { action } = await readProposal(garden.store, id);
        if (!actionTable[action].inBatch) throw notInBatch(id, action);
        return { id, proposal: await decide(garden, { proposal: id, digest, ...how }) };
      } catch (error) {
        return { id, failure: asFailure(error) };
      }
    }),
  );
}

/** One more attempt at what was approved and could not be applied. */
export async function retry(
  garden: Garden,
  { proposal: id, by }: { readonly proposal: string; readonly by: Identity },
): Promise<Proposal> {
  mustBePerson(by);
  const proposal = await readProposal(garden.store, id);
  if (proposal.status !== "failed") throw decidedBefore(proposal, "applying");
  return applyProposal(garden, id, identityName(by));
}

/**
 * The owner's own wording in place of a proposal (P-10a): a new proposal that names the first, with its own digest. The
 * order keeps both from coming true: make the second, reject the first naming it, approve the second. A crash in between
 * leaves the second pending and, at most, the first too; asking again goes on where it stopped, and approving the second
 * by itself rejects the first.
 */
export async function editAndApprove(
  garden: Garden,
  edit: {
    readonly proposal: string;
    readonly digest: string;
    readonly by: Identity;
    /** What a sender would write for the same action (P-4a). */
    readonly payload: unknown;
    readonly note?: string | undefined;
  },
): Promise<{ readonly first: Proposal; readonly edited: Proposal }> {
  const { by, note, payload } = edit;
  mustBePerson(by);
  const first = await expireIfDue(garden, await readProposal(garden.store, edit.proposal));
  const correlation_id = `edit-${canonicalId({ edits: first.id, payload, note })}`;
  const open = first.status === "pending" || first.status === "failed";
  if (open) await whatWasSeen(garden, first, { verdict: "approve", digest: edit.digest });
  else if (!(await wasEditedSo(garden, first, correlation_id))) throw decidedBefore(first, "rejected");
  const received = await receive(garden, {
    identity: by,
    action: first.action,
    payload,
    summary: first.summary,
    ...(note !== undefined && { reasoning: note }),
    correlation_id,
    priority: first.priority,
    edits: first.id,
  });
  if (received.kind === "refused") throw received.failure;
  crashPoint("decide.edited");
  const { proposal: second } = received;
  const left = await giveWay(garden, second, by);
  crashPoint("decide.superseded");
  if (second.status !== "pending") return { first: left, edited: second };
  const edited = await decide(garden, { proposal: second.id, verdict: "approve", digest: second.digest, by, note });
  return { first: left, edited };
}

/** Whether this very edit has rejected the first already, before a crash or a lost answer. */
async function wasEditedSo({ store }: Garden, first: Proposal, correlation: string): Promise<boolean> {
  const second = editedInto(first);
  return second !== undefined && (await findProposal(store, second))?.correlation_id === correlation;
}

/** The first, rejected in favour of the second. What somebody else decided on it meanwhile stands: then the second goes. */
async function giveWay(garden: Garden, second: Proposal, by: Identity): Promise<Proposal> {
  try {
    const first = await supersede(garden, second, by);
    if (first && editedInto(first) === second.id) return first;
    throw decidedBefore(first ?? second, "rejected");
  } catch (error) {
    if (isFailure(error, "INVALID_TRANSITION")) await withdraw(garden, second, by);
    throw error;
  }
}

async function withdraw(garden: Garden, second: Proposal, by: Identity): Promise<void> {
  if (second.status !== "pending") return;
  const { id, digest, edits } = second;
  await decide(garden, { proposal: id, verdict: "reject", digest, by, note: `${edits} was decided meanwhile` });
}

const notInBatch = (id: string, action: string): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `${id} is a ${action}: it is decided on its own, never in a batch`,
      uk: `${id} — це ${action}: про неї вирішують окремо, не гуртом`,
    },
    { details: { proposal: id, action } },
  );

const wrongSize = (size: number): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `a batch has 1 to ${MAX_BATCH} proposals, this one has ${size}`,
      uk: `у гурті від 1 до ${MAX_BATCH} пропозицій, а тут ${size}`,
    },
    { details: { size, max: MAX_BATCH } },
  );

const namedTwice = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a proposal is named twice in the batch",
    uk: "пропозицію названо в гурті двічі",
  });
