import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { changesLogic, logicReportFor } from "../../records/logic/report-gate.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent } from "../../records/proposals/proposal-log.ts";
import { type Review, reviewProposal } from "../effect/review.ts";
import {
  decidedBefore,
  noDigest,
  noReportYet,
  noteNeeded,
  onlyOwnerDecides,
  otherReport,
  reviewOutdated,
  unusableNote,
} from "./failures.ts";

/** The checks of every decision, and how it is recorded. */
export type OwnerVerdict = "approve" | "reject";

const MAX_NOTE = 2000;

/** Throws FORBIDDEN unless a person decides: never an agent, a webhook, a guest or the program itself. */
export function expectPerson(by: Identity): void {
  if (!isPerson(by)) throw onlyOwnerDecides(identityName(by));
}

/**
 * Compares the digest that the person saw with what would happen now, and throws CONCURRENT_MODIFICATION if they differ. A
 * rejection of the proposal's own digest is valid whatever has changed since: then nothing is computed, and undefined returned.
 */
export async function expectSeen(
  garden: Garden,
  proposal: Proposal,
  { verdict, digest }: { readonly verdict: OwnerVerdict; readonly digest: string },
): Promise<Review | undefined> {
  if (digest === "") throw noDigest(proposal.id);
  if (verdict === "reject" && digest === proposal.digest) return undefined;
  const review = await reviewProposal(garden, proposal);
  if (review.digest === digest) return review;
  throw reviewOutdated(proposal.id, digest, review);
}

/**
 * L-8: the id of the report for exactly this digest; throws INVALID_TRANSITION for a change of logic without one, and
 * CONCURRENT_MODIFICATION if the person saw another report (`seen`).
 */
export async function expectReport(
  garden: Garden,
  proposal: Proposal,
  seen: string | undefined,
): Promise<string | undefined> {
  if (!changesLogic(proposal)) return undefined;
  const report = await logicReportFor(garden, proposal);
  if (!report) throw noReportYet(proposal);
  if (seen !== undefined && seen !== report.id) throw otherReport(proposal.id, seen, report.id);
  return report.id;
}

/** Appends the decision. Throws INVALID_TRANSITION that names the earlier decision if another process was first. */
export async function recordDecision(
  garden: Garden,
  proposal: Proposal,
  decided: EventOf<"decided">,
): Promise<Proposal> {
  const appended = await appendEvent(garden.store, proposal, decided, (next) =>
    auditEvent(garden, next, decided, next.length - 1),
  );
  if (appended.kind === "won") return appended.proposal;
  throw decidedBefore(appended.proposal, decided.decision);
}

export function checkedNote(verdict: OwnerVerdict, note: string | undefined): string | undefined {
  const text = note?.trim() ?? "";
  if (text.length > MAX_NOTE || !text.isWellFormed()) throw unusableNote(MAX_NOTE);
  if (verdict === "reject" && text === "") throw noteNeeded();
  return text === "" ? undefined : text;
}
