import { canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { isFailure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { findProposal, readProposal } from "../../records/proposals/proposal-log.ts";
import { supersededBy } from "../../records/proposals/superseded-by.ts";
import { receive } from "../inbox/receive.ts";
import { decide } from "./decide.ts";
import { expectPerson, expectSeen } from "./decision-checks.ts";
import { expireIfDue } from "./expire.ts";
import { decidedBefore } from "./failures.ts";
import { supersede } from "./supersede.ts";

/**
 * Replaces a proposal by the owner's own wording (P-10a): a new proposal that names the first in `edits`, with its own digest. The
 * order keeps both from being applied: create the second, reject the first with `superseded_by`, approve the second. A crash
 * leaves the second pending and possibly the first too; the same call continues there, and approving the second also
 * rejects the first.
 */
export async function editAndApprove(
  garden: Garden,
  edit: {
    readonly proposal: string;
    readonly digest: string;
    readonly by: Identity;
    /** The payload, as a sender would write it for the same action (P-4a). */
    readonly payload: unknown;
    readonly note?: string | undefined;
    readonly graceMs?: number | undefined;
  },
): Promise<{ readonly first: Proposal; readonly edited: Proposal }> {
  const { by, note, payload, graceMs } = edit;
  expectPerson(by);
  const first = await expireIfDue(garden, await readProposal(garden.store, edit.proposal));
  const correlation_id = `edit-${canonicalId({ edits: first.id, payload, note })}`;
  const open = first.status === "pending" || first.status === "failed";
  if (open) await expectSeen(garden, first, { verdict: "approve", digest: edit.digest });
  else if (!(await isThisEdit(garden, first, correlation_id))) throw decidedBefore(first, "rejected");
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
  const left = await rejectFirst(garden, second, by);
  crashPoint("decide.superseded");
  if (second.status !== "pending") return { first: left, edited: second };
  const { id, digest } = second;
  const edited = await decide(garden, { proposal: id, verdict: "approve", digest, by, note, graceMs });
  return { first: left, edited };
}

/** True if this same edit has rejected the first already, before a crash or a lost answer. */
async function isThisEdit({ store }: Garden, first: Proposal, correlation: string): Promise<boolean> {
  const second = await supersededBy(store, first);
  return second !== undefined && (await findProposal(store, second))?.correlation_id === correlation;
}

/** Rejects the first in favour of the second. If the first was decided otherwise meanwhile, the second is rejected instead. */
async function rejectFirst(garden: Garden, second: Proposal, by: Identity): Promise<Proposal> {
  try {
    const first = await supersede(garden, second, by);
    if (first && (await supersededBy(garden.store, first)) === second.id) return first;
    throw decidedBefore(first ?? second, "rejected");
  } catch (error) {
    if (isFailure(error, "INVALID_TRANSITION")) await rejectSecond(garden, second, by);
    throw error;
  }
}

async function rejectSecond(garden: Garden, second: Proposal, by: Identity): Promise<void> {
  if (second.status !== "pending") return;
  const { id, digest, edits } = second;
  await decide(garden, { proposal: id, verdict: "reject", digest, by, note: `${edits} was decided meanwhile` });
}
