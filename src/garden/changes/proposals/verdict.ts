import { Failure } from "../../../base/failure.ts";
import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import { type EventOf, invalidMove, type Proposal, type ProposalState } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { changesLogic, logicReportFor } from "../../records/logic/report-gate.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent, findProposal } from "../../records/proposals/proposal-log.ts";
import { type Review, reviewProposal } from "../effect/review.ts";

/** What every decision has to pass, and how it is written. */
export type Verdict = "approve" | "reject";

const MAX_NOTE = 2000;

/** No agent, webhook or guest ever satisfies a gate that is meant for a person, nor does the program itself. */
export function mustBePerson(by: Identity): void {
  if (isPerson(by)) return;
  throw new Failure("FORBIDDEN", {
    en: `${identityName(by)} may not decide: that is the owner's`,
    uk: `${identityName(by)} не може вирішувати: це справа власника`,
  });
}

/** Compares what the person saw with what would happen now. A rejection of what was proposed stands whatever moved since. */
export async function whatWasSeen(
  garden: Garden,
  proposal: Proposal,
  { verdict, digest }: { readonly verdict: Verdict; readonly digest: string },
): Promise<Review | undefined> {
  if (digest === "") throw noDigest(proposal.id);
  if (verdict === "reject" && digest === proposal.digest) return undefined;
  const review = await reviewProposal(garden, proposal);
  if (review.digest === digest) return review;
  throw new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: `what ${proposal.id} would do now is not what was looked at`,
      uk: `те, що тепер зробила б ${proposal.id}, — не те, що переглянуто`,
    },
    {
      hint: {
        en: `Look at it anew (\`bloom proposals show ${proposal.id}\`) and decide with the digest that is shown there.`,
        uk: `Перегляньте її знову (\`bloom proposals show ${proposal.id}\`) і вирішуйте з показаним там digest.`,
      },
      details: { proposal: proposal.id, seen: digest, digest: review.digest, head: review.head, merged: review.merged },
    },
  );
}

/** L-8: without a report for exactly this digest, no change of logic is approved. */
export async function reportOf(garden: Garden, proposal: Proposal): Promise<string | undefined> {
  if (!changesLogic(proposal)) return undefined;
  const report = await logicReportFor(garden, proposal);
  if (report) return report.id;
  throw new Failure(
    "INVALID_TRANSITION",
    {
      en: `${proposal.id} changes logic and has no report of what recorded runs would have done`,
      uk: `${proposal.id} змінює логіку й не має звіту про те, як повелися б записані запуски`,
    },
    {
      hint: {
        en: `\`bloom proposals show ${proposal.id}\` makes it and shows it.`,
        uk: `Його складе й покаже \`bloom proposals show ${proposal.id}\`.`,
      },
      details: {
        proposal: proposal.id,
        from: proposal.status,
        to: "approved",
        needs: "report",
        digest: proposal.digest,
      },
    },
  );
}

/** Writes the decision, or tells who was first. */
export async function record(garden: Garden, proposal: Proposal, decided: EventOf<"decided">): Promise<Proposal> {
  const appended = await appendEvent(garden.store, proposal, decided, (next) =>
    auditEvent(garden, next, decided, next.length - 1),
  );
  if (appended.kind === "won") return appended.proposal;
  throw decidedBefore(appended.proposal, decided.decision);
}

const EDITED = "edited: ";

/** The proposal that took the place of this one. */
export function editedInto({ approval }: Proposal): string | undefined {
  const note = approval?.decision === "rejected" ? approval.decision_note : undefined;
  return note?.startsWith(EDITED) ? note.slice(EDITED.length) : undefined;
}

/**
 * The first one of an edited pair gives way before the second is approved: they never both come true. Answers with the
 * first as it is then; throws if it was approved meanwhile.
 */
export async function supersede(garden: Garden, edited: Proposal, by: Identity): Promise<Proposal | undefined> {
  const first = edited.edits === undefined ? undefined : await findProposal(garden.store, edited.edits);
  if (!first || first.status === "rejected" || first.status === "expired") return first;
  if (first.status !== "pending" && first.status !== "failed") throw decidedBefore(first, "rejected");
  return record(garden, first, {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "rejected",
    by: identityName(by),
    ...(by.type === "owner" && { via: by.via }),
    note: `${EDITED}${edited.id}`,
    digest: first.digest,
    effect: first.effect,
  });
}

export function checkedNote(verdict: Verdict, note: string | undefined): string | undefined {
  const text = note?.trim() ?? "";
  if (text.length > MAX_NOTE || !text.isWellFormed())
    throw new Failure("VALIDATION_FAILED", {
      en: `note: expected text of up to ${MAX_NOTE} characters`,
      uk: `note: потрібен текст до ${MAX_NOTE} символів`,
    });
  if (verdict === "reject" && text === "")
    throw new Failure(
      "VALIDATION_FAILED",
      { en: "a rejection needs a reason (note)", uk: "відхилення потребує причини (note)" },
      {
        hint: {
          en: "The one who proposed it reads the reason on the next run.",
          uk: "Той, хто запропонував, прочитає причину під час наступного запуску.",
        },
      },
    );
  return text === "" ? undefined : text;
}

/** P-6: both states are named, and who decided. */
export function decidedBefore(proposal: Proposal, to: ProposalState): Failure {
  const { approval } = proposal;
  const plain = invalidMove(proposal, to);
  if (!approval) return plain;
  return new Failure(
    "INVALID_TRANSITION",
    {
      en: `${plain.text.en}: ${approval.decided_by} decided ${approval.decision} at ${approval.decided_at}`,
      uk: `${plain.text.uk}: ${approval.decided_by} вирішив ${approval.decision} о ${approval.decided_at}`,
    },
    { details: { ...plain.details, decided_by: approval.decided_by, decided_at: approval.decided_at } },
  );
}

const noDigest = (id: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    { en: "a decision names the digest of what was looked at", uk: "рішення називає digest того, що переглянуто" },
    {
      hint: { en: `\`bloom proposals show ${id}\` prints it.`, uk: `Його друкує \`bloom proposals show ${id}\`.` },
      details: { proposal: id },
    },
  );
