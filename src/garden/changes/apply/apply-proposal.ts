import { foldProposal, type Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import {
  dropStaleView,
  findProposal,
  formerStates,
  isOpen,
  readEvents,
  settleViews,
} from "../../records/proposals/proposal-log.ts";
import { approvedViews } from "../../records/proposals/proposal-views.ts";
import { type ApplyCall, applyRound } from "./apply-round.ts";
import { auditResult } from "./conclude.ts";
import { keptChanging } from "./failures.ts";

/**
 * Applies an approved proposal (P-7): it ends up applied exactly once, or failed with nothing changed. Returns the proposal after
 * that; one that failed before is tried again. Throws INVALID_TRANSITION if it is not approved. If the store or git is
 * unavailable, throws and leaves the proposal open for `resumeApplying`. Safe in several processes at once.
 */
export const applyProposal = (garden: Garden, id: string, by: string): Promise<Proposal> =>
  enqueue(garden, id, by, { retry: true });

/**
 * Completes every proposal that a crash left approved or applying, and returns their ids. Called when a garden is served; safe
 * beside processes that apply.
 */
export async function resumeApplying(garden: Garden): Promise<readonly string[]> {
  const work: Promise<string | undefined>[] = [];
  for await (const { id, key } of approvedViews(garden.store)) work.push(resumeOne(garden, id, key));
  const ended = await Promise.all(work);
  return ended.filter((id) => id !== undefined);
}

async function resumeOne(garden: Garden, id: string, key: string): Promise<string | undefined> {
  try {
    const proposal = await findProposal(garden.store, id);
    if (proposal && isOpen(proposal.status) && proposal.status !== "pending") {
      await enqueue(garden, id, "gateway", { retry: false });
      if (proposal.attempt > 1) await settle(garden, id); // an earlier attempt may have left its view
      return id;
    }
    if (proposal) await settle(garden, id);
    await dropStaleView(garden.store, id, key);
    return undefined;
  } catch {
    return undefined; // stays open for the next turn, and does not stop the others
  }
}

/** Repeats the audit records that a crash may have cut off, and removes the views of former states. Idempotent. */
async function settle(garden: Garden, id: string): Promise<void> {
  const events = await readEvents(garden.store, id);
  const proposal = foldProposal(events);
  for (const [number, event] of events.entries()) await auditEvent(garden, proposal, event, number);
  await auditResult(garden, proposal, events.at(-1)!);
  await settleViews(garden.store, proposal, formerStates(events));
}

/**
 * Group commit: proposals that arrive during a round are applied together in the next one, with one move of main and shared
 * syncs. A proposal that arrives alone starts at once.
 */
interface ApplyQueue {
  readonly waiting: ApplyCall[];
  working: boolean;
  /** Calls per round. Halved when other processes interfere, so that a round is short enough to succeed. */
  width: number;
}

const WIDEST = 64;
const MAX_ROUNDS = 200;

/** One queue per open store and process. Queues of several processes race; the event numbers decide. */
const queues = new WeakMap<Store, ApplyQueue>();

function enqueue(garden: Garden, id: string, by: string, { retry }: { retry: boolean }): Promise<Proposal> {
  let queue = queues.get(garden.store);
  if (!queue) queues.set(garden.store, (queue = { waiting: [], working: false, width: WIDEST }));
  const { promise, resolve, reject } = Promise.withResolvers<Proposal>();
  queue.waiting.push({ id, by, retry, alone: false, rounds: 0, done: resolve, failed: reject });
  if (!queue.working) void drain(garden, queue);
  return promise;
}

async function drain(garden: Garden, queue: ApplyQueue): Promise<void> {
  queue.working = true;
  try {
    while (queue.waiting.length > 0) await runRound(garden, queue);
  } finally {
    queue.working = false;
  }
}

async function runRound(garden: Garden, queue: ApplyQueue): Promise<void> {
  const calls = takeCalls(queue);
  try {
    const { again, crowded } = await applyRound(garden, calls);
    queue.width = crowded ? Math.max(1, queue.width >> 1) : Math.min(WIDEST, queue.width * 2);
    queue.waiting.unshift(...again.filter(mayGoOn));
  } catch (error) {
    for (const call of calls) call.failed(error); // no effect on calls that are done
  }
}

/** The next calls that may share a round: a call marked `alone` goes alone, and a proposal is in a round once. */
function takeCalls({ waiting, width }: ApplyQueue): ApplyCall[] {
  const calls: ApplyCall[] = [];
  while (calls.length < width && waiting.length > 0) {
    const next = waiting[0]!;
    if (calls.length > 0 && (next.alone || calls.some(({ id }) => id === next.id))) break;
    calls.push(waiting.shift()!);
    if (next.alone) break;
  }
  return calls;
}

function mayGoOn(call: ApplyCall): boolean {
  call.rounds++;
  if (call.rounds < MAX_ROUNDS) return true;
  call.failed(keptChanging(call.id));
  return false;
}
