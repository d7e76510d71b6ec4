import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, type Failure, failureFromRecord } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { holdsSecret } from "../../../domain/text/redact.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { findProposal, readEvents, recordProposal } from "../../records/proposals/proposal-log.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approveByRule } from "../proposals/auto-approve.ts";
import { endSuperseded } from "../proposals/end-superseded.ts";
import { asFirst, correlate, findCorrelated } from "./correlate.ts";
import { claimEffect } from "./effect-claim.ts";
import { filePending, fileProcessed, fileRejected, rejectionOf, takeFromPending } from "./entry-files.ts";
import { samePending, secretInProposal } from "./failures.ts";
import { passGate } from "./gate.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { proposalFromEntry, proposalIdOf } from "./proposal-from-entry.ts";
import { giveBackChange, rateLimitOf, refusalsOf } from "./rate-limit.ts";
import { correlationHash, entryFromWish, type Received, type Wish } from "./wish.ts";

export type { Received, Wish } from "./wish.ts";

/**
 * Turns a wish into an inbox entry and a proposal, or refuses it with a reason (P-2). A proposal that an owner's rule approves is
 * applied in the same call. A refusal is returned as a value; throws if a part of the garden is unavailable, and the same
 * request may be sent again.
 *
 * `inbox/pending/<id>` is written first and removed last. Everything in between is derived from the entry, so that
 * `recoverInbox` can repeat it after a crash at any line.
 */
export async function receive(garden: Garden, wish: Wish): Promise<Received> {
  const config = await currentSettings(garden);
  const limit = rateLimitOf(garden);
  const refusals = refusalsOf(wish.identity, config);
  const turnedAway = refusals.turnedAway(limit);
  if (turnedAway) return { kind: "refused", entry: undefined, failure: turnedAway, repeated: false };
  const read = entryFromWish(wish, config, garden.world);
  if (read.kind === "refused") {
    refusals.count(limit);
    await auditUnreadable(garden, wish, read.failure);
    return { kind: "refused", entry: undefined, failure: read.failure, repeated: false };
  }
  const { entry } = read;
  const { identity } = wish;
  if (holdsSecret(entry, garden.secrets())) {
    const failure = secretInProposal();
    refusals.count(limit);
    await auditUnreadable(garden, wish, failure);
    return { kind: "refused", entry: undefined, failure, repeated: false };
  }
  const received = await oneAtATime(garden.store, correlationHash(entry), () =>
    wish.correlation_id === undefined || !identity
      ? receiveNew(garden, config, entry, identity)
      : receiveOnce(garden, config, entry, identity),
  );
  if (received.kind === "refused" && !received.repeated) refusals.count(limit);
  return received;
}

async function receiveNew(
  garden: Garden,
  config: GardenConfig,
  entry: InboxEntry,
  identity: Identity | undefined,
): Promise<Received> {
  await filePending(garden.store, entry);
  crashPoint("inbox.pending");
  return completeEntry(garden, config, entry, identity, false);
}

/** With a correlation id of the sender: a repetition gets the first answer. */
async function receiveOnce(
  garden: Garden,
  config: GardenConfig,
  entry: InboxEntry,
  identity: Identity,
): Promise<Received> {
  let first = await findCorrelated(garden.store, entry);
  if (!first) {
    await filePending(garden.store, entry);
    crashPoint("inbox.pending");
    first = await correlate(garden.store, entry);
    crashPoint("inbox.correlated");
    if (first.entry === entry.id) return completeEntry(garden, config, entry, identity, false);
    await takeFromPending(garden.store, entry); // another process received the same request first
  }
  let earlier: InboxEntry;
  try {
    earlier = asFirst(first, entry);
  } catch (error) {
    return { kind: "refused", entry: undefined, failure: asFailure(error), repeated: false };
  }
  const answer = await answerTo(garden, earlier);
  if (answer) return answer;
  // The first request crashed or was rate-limited: it is completed now, as the same entry.
  await filePending(garden.store, earlier);
  const completed = await completeEntry(garden, config, earlier, identity, false);
  return { ...completed, repeated: true };
}

/** The answer to an earlier entry; undefined if it has none yet, or was rate-limited. */
async function answerTo(garden: Garden, entry: InboxEntry): Promise<Received | undefined> {
  const proposal = await findProposal(garden.store, proposalIdOf(entry));
  if (proposal) return { kind: "accepted", entry, proposal, repeated: true };
  const rejection = await rejectionOf(garden.store, entry);
  if (!rejection || rejection.code === "RATE_LIMITED") return undefined;
  return { kind: "refused", entry, failure: failureFromRecord(rejection), repeated: true };
}

/** From an entry in `pending/` to its answer. Idempotent, also in several processes at once. */
export async function completeEntry(
  garden: Garden,
  config: GardenConfig,
  entry: InboxEntry,
  identity: Identity | undefined,
  counted: boolean,
): Promise<Received> {
  const { store } = garden;
  const there = await findProposal(store, proposalIdOf(entry));
  if (there) return accept(garden, config, entry, there);
  const head = await headOf(garden.repo);
  const proposal = proposalIdOf(entry);
  const answer = await passGate({ garden, config, entry, identity, proposal, head, counted });
  if (answer.kind === "refused") return refuseEntry(garden, entry, answer.check, answer.failure);
  const { passed } = answer;
  const other = await claimEffect(store, passed.ready.effect, { proposal, entry: entry.id });
  if (other) {
    if (!counted) await giveBackChange(garden, passed.identity, config);
    return refuseEntry(garden, entry, "not-pending-already", samePending(other));
  }
  crashPoint("inbox.claimed");
  const made = await recordProposal(store, await proposalFromEntry(garden, config, entry, passed));
  crashPoint("inbox.proposed");
  return accept(garden, config, entry, made);
}

/** The proposal exists: writes its audit records, lets a rule decide, files the entry. */
async function accept(garden: Garden, config: GardenConfig, entry: InboxEntry, proposal: Proposal): Promise<Received> {
  const { store } = garden;
  // All events: after a crash the decision of a rule may be without its audit record.
  for (const [number, event] of (await readEvents(store, proposal.id, proposal.length)).entries())
    await auditEvent(garden, proposal, event, number);
  crashPoint("inbox.told");
  // An edited copy is approved by `editAndApprove`, which rejects the first one before.
  const decided =
    proposal.edits === undefined ? await approveByRule(garden, config, proposal, proposal.base.revision) : proposal;
  crashPoint("inbox.decided-by-rule");
  await fileProcessed(store, entry, proposal.id);
  crashPoint("inbox.processed");
  await takeFromPending(store, entry);
  crashPoint("inbox.done");
  const isApproved = decided.status === "auto_approved";
  const now = isApproved ? await applyOrLeave(garden, decided) : decided;
  if (isApproved) await endSuperseded(garden, [now]);
  return { kind: "accepted", entry, proposal: now, repeated: false };
}

/**
 * Applies a proposal that a rule has approved. While git is away it stays approved, and the upkeep applies it later: the wish is
 * accepted, so its sender, such as a step of a run, must not fail.
 */
async function applyOrLeave(garden: Garden, approved: Proposal): Promise<Proposal> {
  try {
    return await applyProposal(garden, approved.id, "owner");
  } catch (error) {
    if (asFailure(error).code === "UPSTREAM_UNAVAILABLE") return approved;
    throw error;
  }
}

/** Files the entry with the reason, and writes the audit record of the refusal (P-12). */
export async function refuseEntry(
  garden: Garden,
  entry: InboxEntry,
  check: string,
  failure: Failure,
): Promise<Received> {
  const { store } = garden;
  // Another process completed the same entry meanwhile; the duplicate that we found is its proposal.
  const made = await findProposal(store, proposalIdOf(entry));
  if (made) {
    await takeFromPending(store, entry);
    return { kind: "accepted", entry, proposal: made, repeated: true };
  }
  await fileRejected(store, entry, check, failure);
  crashPoint("inbox.rejected");
  await auditRefusal(garden, entry, check, failure);
  crashPoint("inbox.refusal-told");
  await takeFromPending(store, entry);
  return { kind: "refused", entry, failure, repeated: false };
}

/** The audit record of a refusal. Idempotent. */
export const auditRefusal = (garden: Garden, entry: InboxEntry, check: string, failure: Failure): Promise<void> =>
  recordAudit(garden, `${entry.id}-refused`, {
    kind: "refused",
    at: entry.source.timestamp,
    by: entry.source.identity,
    subject: entry.id,
    why: failure.text.en,
    details: { check, code: failure.code, action: entry.intent.action, target: entry.intent.target },
  });

/** A wish that cannot be an entry has no file: only the audit record of its refusal. */
async function auditUnreadable(garden: Garden, { identity, action }: Wish, failure: Failure): Promise<void> {
  const at = new Date(garden.world.now()).toISOString();
  await recordAudit(garden, `unreadable-${Buffer.from(garden.world.random(6)).toString("hex")}`, {
    kind: "refused",
    at,
    by: identity ? identityName(identity) : "unknown",
    subject: "inbox",
    why: failure.text.en,
    details: { check: "readable", code: failure.code, action: action.toWellFormed().slice(0, 100) },
  });
}
