import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, failureFromRecord } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import { type InboxEntry, inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import { settingsNow } from "../../core/access/settings-now.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { createProposal, findProposal, readEvents } from "../../records/proposals/proposal-log.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approveByRule } from "../proposals/auto-approve.ts";
import { asFirst, correlate, findCorrelated } from "./correlate.ts";
import {
  entryAlone,
  entryIn,
  filePending,
  fileProcessed,
  fileRejected,
  rejectionOf,
  takeFromPending,
} from "./entry-files.ts";
import { passGate, samePending } from "./gate.ts";
import { madeFrom, proposalIdOf } from "./made.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { giveBackChange, rateLimitOf, refusalsOf } from "./rate-limit.ts";
import { claimEffect } from "./same-effect.ts";
import { correlationHash, entryOf, identityOf, type Received, type Wish } from "./wish.ts";

export type { Received, Wish } from "./wish.ts";

/**
 * A wish from anyone becomes an inbox entry and a proposal, or is refused with a reason (P-2). What a rule of the owner's
 * approves is applied in the same call. What is refused comes back as a value; a part that is away is thrown, and the same
 * request may be sent again.
 *
 * `inbox/pending/<id>` is written first and removed last. In between everything follows from the entry, so that
 * `recoverInbox` can do it again from there after a crash at any line.
 */
export async function receive(garden: Garden, wish: Wish): Promise<Received> {
  const config = await settingsNow(garden);
  const limit = rateLimitOf(garden);
  const refusals = refusalsOf(wish.identity, config);
  const turnedAway = refusals.turnedAway(limit);
  if (turnedAway) return { kind: "refused", entry: undefined, failure: turnedAway, repeated: false };
  const read = entryOf(wish, config, garden.world);
  if (read.kind === "refused") {
    refusals.count(limit);
    await tellUnreadable(garden, wish, read.failure);
    return { kind: "refused", entry: undefined, failure: read.failure, repeated: false };
  }
  const { entry } = read;
  const { identity } = wish;
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
  return complete(garden, config, entry, identity, false);
}

/** With a correlation id of the sender's: the first answer stands, whoever asks again. */
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
    if (first.entry === entry.id) return complete(garden, config, entry, identity, false);
    await takeFromPending(garden.store, entry); // another process was first with the same request
  }
  let earlier: InboxEntry;
  try {
    earlier = asFirst(first, entry);
  } catch (error) {
    return { kind: "refused", entry: undefined, failure: asFailure(error), repeated: false };
  }
  const answer = await answerTo(garden, earlier);
  if (answer) return answer;
  // The first was cut off, or told to come back later: now it is done, as the same entry.
  await filePending(garden.store, earlier);
  const completed = await complete(garden, config, earlier, identity, false);
  return { ...completed, repeated: true };
}

/** What an entry was answered with; undefined while it has no answer, and where the answer was to come again. */
async function answerTo(garden: Garden, entry: InboxEntry): Promise<Received | undefined> {
  const proposal = await findProposal(garden.store, proposalIdOf(entry));
  if (proposal) return { kind: "accepted", entry, proposal, repeated: true };
  const rejection = await rejectionOf(garden.store, entry);
  if (!rejection || rejection.code === "RATE_LIMITED") return undefined;
  return { kind: "refused", entry, failure: failureFromRecord(rejection), repeated: true };
}

/** From an entry in `pending/` to its answer. Doing it twice, also at once, is doing it once. */
async function complete(
  garden: Garden,
  config: GardenConfig,
  entry: InboxEntry,
  identity: Identity | undefined,
  counted: boolean,
): Promise<Received> {
  const { store } = garden;
  const there = await findProposal(store, proposalIdOf(entry));
  if (there) return accepted(garden, config, entry, there);
  const head = await garden.repo.resolve(MAIN_REF);
  if (head === undefined) throw noMain();
  const proposal = proposalIdOf(entry);
  const answer = await passGate({ garden, config, entry, identity, proposal, head, counted });
  if (answer.kind === "refused") return refuse(garden, entry, answer.check, answer.failure);
  const { passed } = answer;
  const other = await claimEffect(store, passed.ready.effect, { proposal, entry: entry.id });
  if (other) {
    if (!counted) giveBackChange(rateLimitOf(garden), passed.identity);
    return refuse(garden, entry, "not-pending-already", samePending(other));
  }
  crashPoint("inbox.claimed");
  const made = await createProposal(store, await madeFrom(garden, config, entry, passed));
  crashPoint("inbox.proposed");
  return accepted(garden, config, entry, made);
}

/** A proposal stands: tell of it, let a rule decide, file the entry. */
async function accepted(
  garden: Garden,
  config: GardenConfig,
  entry: InboxEntry,
  proposal: Proposal,
): Promise<Received> {
  const { store } = garden;
  // Of one that was there already, a rule may have decided, and its process died before it told.
  for (const [number, event] of (await readEvents(store, proposal.id)).entries())
    await auditEvent(garden, proposal, event, number);
  crashPoint("inbox.told");
  // An edited copy waits for the decision that made it: the first one has to give way before (see `editAndApprove`).
  const decided =
    proposal.edits === undefined ? await approveByRule(garden, config, proposal, proposal.base.revision) : proposal;
  crashPoint("inbox.decided-by-rule");
  await fileProcessed(store, entry, proposal.id);
  crashPoint("inbox.processed");
  await takeFromPending(store, entry);
  crashPoint("inbox.done");
  const isApproved = decided.status === "auto_approved";
  const now = isApproved ? await applyProposal(garden, decided.id, "owner") : decided;
  return { kind: "accepted", entry, proposal: now, repeated: false };
}

/** Files the entry with the reason, and leaves the record of the refusal (P-12). */
async function refuse(garden: Garden, entry: InboxEntry, check: string, failure: Failure): Promise<Received> {
  const { store } = garden;
  // Another process completed the same entry meanwhile, and what it made is what stood in our way.
  const made = await findProposal(store, proposalIdOf(entry));
  if (made) {
    await takeFromPending(store, entry);
    return { kind: "accepted", entry, proposal: made, repeated: true };
  }
  await fileRejected(store, entry, check, failure);
  crashPoint("inbox.rejected");
  await recordAudit(garden, `${entry.id}-refused`, {
    kind: "refused",
    at: entry.source.timestamp,
    by: entry.source.identity,
    subject: entry.id,
    why: failure.text.en,
    details: { check, code: failure.code, action: entry.intent.action, target: entry.intent.target },
  });
  crashPoint("inbox.refusal-told");
  await takeFromPending(store, entry);
  return { kind: "refused", entry, failure, repeated: false };
}

/** What cannot be an entry has no file; that it was refused is told all the same. */
async function tellUnreadable(garden: Garden, { identity, action }: Wish, failure: Failure): Promise<void> {
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

/**
 * Completes what a crash left in `inbox/pending/`, as if the sender had waited: called when a garden is served. An entry
 * whose sender is no longer known is refused by the gate, and one that breaks us is refused too. Returns what became of each.
 */
export async function recoverInbox(garden: Garden): Promise<readonly Received[]> {
  const config = await settingsNow(garden);
  const done: Received[] = [];
  for await (const { key } of everyKey(garden.store, PENDING)) {
    const filed = await entryIn(garden.store, key);
    if (!filed || isFresh(garden, filed.source.timestamp)) continue;
    const entry = inboxEntry.parse(entryAlone(filed));
    const received = await oneAtATime(garden.store, correlationHash(entry), () =>
      recover(garden, config, entry).catch((error: unknown) => giveUp(garden, entry, asFailure(error))),
    );
    if (received) done.push(received);
  }
  return done;
}

/** Another process may still be at work on it, with the sender waiting. */
const FRESH_MS = 10_000;
function isFresh({ world }: Garden, timestamp: string): boolean {
  const age = world.now() - Date.parse(timestamp);
  return age >= 0 && age < FRESH_MS;
}

async function recover(garden: Garden, config: GardenConfig, entry: InboxEntry): Promise<Received | undefined> {
  if (!(await entryIn(garden.store, keys.pendingEntry(entry.id)))) return undefined; // done while we waited
  if (entry.metadata.correlation_id !== entry.id) {
    const first = await correlate(garden.store, entry);
    if (first.entry !== entry.id) {
      await takeFromPending(garden.store, entry);
      return undefined;
    }
  }
  const rejection = await rejectionOf(garden.store, entry);
  if (rejection) return refuse(garden, entry, rejection.check, failureFromRecord(rejection));
  return complete(garden, config, entry, identityOf(entry.source, config), true);
}

/**
 * What breaks us once breaks us every time, and would hold up all that came after it: it is filed as refused, where people
 * see it. A part that is away comes back, and then so do we.
 */
async function giveUp(garden: Garden, entry: InboxEntry, failure: Failure): Promise<Received> {
  if (failure.code === "UPSTREAM_UNAVAILABLE") throw failure;
  return refuse(garden, entry, "recovered", failure);
}

const PENDING = "inbox/pending/";

const noMain = (): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: "the garden has no main branch", uk: "у саду немає гілки main" },
    { hint: { en: "`bloom verify` says more.", uk: "Докладніше — `bloom verify`." }, details: { part: "git" } },
  );
