import { setTimeout as delay } from "node:timers/promises";
import type { Text } from "../../../base/text.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { foldProposal, type Proposal } from "../../../domain/proposal/proposal.ts";
import { isInGrace } from "../../../domain/proposal/proposal-grace.ts";
import { byAge } from "../../../domain/proposal/proposal-order.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { GIT_BUSY, gitBusy } from "../../core/git-busy.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import {
  dropStaleView,
  findReadable,
  formerStates,
  isOpen,
  readEvents,
  readProposal,
  settleViews,
} from "../../records/proposals/proposal-log.ts";
import { approvedViews, cardIn } from "../../records/proposals/proposal-views.ts";
import type { ApplyCall } from "./apply-call.ts";
import { applyRound } from "./apply-round.ts";
import { auditResult } from "./conclude.ts";
import { keptChanging } from "./failures.ts";

/**
 * Applies an approved proposal (P-7): it ends up applied exactly once, or failed with nothing changed. Returns the proposal after
 * that; one that failed before is tried again. Throws INVALID_TRANSITION if it is not approved. If the store or git is
 * unavailable, throws and leaves the proposal open for `resumeApplying`. Safe in several processes at once.
 *
 * While a git command of a person is running, returns the proposal as it is, still approved, and goes on trying in the background
 * until it lands; after a restart `resumeApplying` does. `waiting` has the reason.
 */
export const applyProposal = (garden: Garden, id: string, by: string): Promise<Proposal> =>
  enqueue(garden, id, by, { retry: true });

/**
 * Completes every proposal that a crash left approved or applying, and returns their ids. Those in their grace (P-6a) stay. Called
 * when a garden is served; safe beside processes that apply.
 */
export async function resumeApplying(garden: Garden): Promise<readonly string[]> {
  const open: OpenView[] = [];
  for await (const view of approvedViews(garden.store)) open.push(await openView(garden.store, view));
  const ended = await Promise.all(open.toSorted(byProposal).map((view) => resumeOne(garden, view)));
  return ended.filter((proposal) => proposal !== undefined).map(({ id }) => id);
}

/** P-6a: applies approved proposals whose grace has passed, in their order, and returns them. Cheap if none is open. */
export async function applyAfterGrace(garden: Garden): Promise<readonly Proposal[]> {
  const over: OpenView[] = [];
  for await (const view of approvedViews(garden.store)) {
    const card = await cardIn(garden.store, view.key);
    const isOver = card?.apply_after !== undefined && Date.parse(card.apply_after) <= garden.world.now();
    if (isOver && card.status === "approved") over.push(await openView(garden.store, view));
  }
  const ended = await Promise.all(over.toSorted(byProposal).map((view) => resumeOne(garden, view)));
  return ended.filter((proposal) => proposal !== undefined);
}

/** The view of an approved proposal, and its record if it can be read. */
interface OpenView {
  readonly id: string;
  readonly key: string;
  readonly proposal: Proposal | undefined;
}

const openView = async (store: Store, view: Omit<OpenView, "proposal">): Promise<OpenView> => ({
  ...view,
  proposal: await findReadable(store, view.id),
});

const byProposal = (one: OpenView, other: OpenView): number =>
  one.proposal && other.proposal ? byAge(one.proposal, other.proposal) : 0;

/** Takes its place in the queue at once, so that proposals are applied in the order of the calls. */
async function resumeOne(garden: Garden, { id, key, proposal }: OpenView): Promise<Proposal | undefined> {
  try {
    if (proposal && isInGrace(proposal, garden.world.now())) return undefined;
    if (proposal && isOpen(proposal.status) && proposal.status !== "pending") {
      if (queues.get(garden.store)?.waiting.some((call) => call.id === id)) return undefined;
      const after = await enqueue(garden, id, "gateway", { retry: false });
      if (isOpen(after.status) && after.status !== "pending") return undefined; // waits for git
      if (proposal.attempt > 1) await settle(garden, id); // an earlier attempt may have left its view
      return after;
    }
    if (proposal) await settle(garden, id);
    await dropStaleView(garden.store, id, key);
    return undefined;
  } catch {
    return undefined; // stays open for the next turn, and does not stop the others
  }
}

/** The same proposals or cards, the approved ones with the reason why they are not applied yet, if git is busy. */
export async function withWaiting<T extends Pick<Proposal, "status">>(
  { repo }: Pick<Garden, "repo">,
  proposals: readonly T[],
): Promise<readonly (T & { readonly waiting?: Text })[]> {
  const isApproved = ({ status }: T): boolean => isOpen(status) && status !== "pending";
  const waiting = proposals.some(isApproved) ? await repo.busy(MAIN_REF) : undefined;
  return waiting ? proposals.map((each) => (isApproved(each) ? { ...each, waiting } : each)) : proposals;
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
/** Short, so that a change lands between two commands of a person who works with git all the time. */
const BUSY_PAUSE_MS = 100;

/** One queue per open store and process. Queues of several processes race; the event numbers decide. */
const queues = new WeakMap<Store, ApplyQueue>();

function enqueue(garden: Garden, id: string, by: string, { retry }: { retry: boolean }): Promise<Proposal> {
  let queue = queues.get(garden.store);
  if (!queue) queues.set(garden.store, (queue = { waiting: [], working: false, width: WIDEST }));
  const { promise, resolve, reject } = Promise.withResolvers<Proposal>();
  const began = garden.world.now();
  const done = (proposal: Proposal): void => {
    garden.meter.observe("bloom_apply_seconds", Math.max(0, garden.world.now() - began) / 1000);
    garden.meter.add("bloom_applies_total", { result: proposal.status });
    resolve(proposal);
  };
  queue.waiting.push({ id, by, retry, alone: false, rounds: 0, done, failed: reject });
  if (!queue.working) void drain(garden, queue);
  return promise;
}

async function drain(garden: Garden, queue: ApplyQueue): Promise<void> {
  queue.working = true;
  try {
    while (queue.waiting.length > 0) {
      const isBusy = await runRound(garden, queue);
      // Does not keep the process alive: the proposals are resumed by the next one.
      if (isBusy) await delay(BUSY_PAUSE_MS, undefined, { ref: false });
    }
  } finally {
    queue.working = false;
  }
}

/** Returns true if git was busy. */
async function runRound(garden: Garden, queue: ApplyQueue): Promise<boolean> {
  const calls = takeCalls(queue);
  try {
    const { again, waiting, crowded } = await applyRound(garden, calls);
    queue.width = crowded ? Math.max(1, queue.width >> 1) : Math.min(WIDEST, queue.width * 2);
    const kept = await Promise.all(waiting.map((call) => answerWaiting(garden, call)));
    queue.waiting.unshift(...waiting.filter((_, index) => kept[index]), ...again.filter(mayGoOn));
    return waiting.length > 0;
  } catch (error) {
    for (const call of calls) call.failed(error); // no effect on calls that are done
    return false;
  }
}

/** Answers a caller while git is busy. Returns true if the call stays in the queue: its proposal is approved. */
async function answerWaiting(garden: Garden, call: ApplyCall): Promise<boolean> {
  const proposal = await readProposal(garden.store, call.id);
  const waiting = (await garden.repo.busy(MAIN_REF)) ?? GIT_BUSY;
  if (isOpen(proposal.status)) call.done({ ...proposal, waiting });
  else call.failed(gitBusy(waiting));
  return isOpen(proposal.status);
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
