import { canonicalId, type Json } from "../../../../base/canonical.ts";
import { Failure } from "../../../../base/failure.ts";
import type { Action } from "../../../../domain/proposal/action.ts";
import type { SandboxEntry } from "../../../../domain/run/sandbox.ts";
import type { ToolCallScope } from "../../../../ports/runtime.ts";
import { previewWish } from "../../../changes/inbox/preview-wish.ts";
import { rateLimitOf, secondsToChange } from "../../../changes/inbox/rate-limit.ts";
import { type Received, receive } from "../../../changes/inbox/receive.ts";
import { realPause } from "../../../core/flow/pause.ts";
import type { ToolContext, TrialEffects } from "../tool.ts";
import { evidenceFor, recordsBefore } from "./journal-evidence.ts";
import { type AgentProposal, fileInSandbox } from "./sandbox-proposal.ts";

/** Limits of the waiting for the agent's rate limit. */
const MOST_WAITS = 20;
const MOST_WAIT_S = 60;
const MAX_SUMMARY = 200;
/** Source 001 §6.2: proposals of one run, unless `budget.proposals` says otherwise. */
const MOST_PROPOSALS = 10;

/** Time limit of proposing tools: it includes the waiting. */
export const PROPOSE_LIMIT_MS = 110_000;

/**
 * Submits a proposal to the inbox as this run (P-2). The correlation id is derived from the call, so a call that is repeated after a
 * crash is idempotent. A refusal is returned as a result that the agent can read: `proposal` is empty and `status` is `refused`.
 */
export async function submitProposal(context: ToolContext, call: ToolCallScope, wish: AgentProposal): Promise<Json> {
  if (context.trial) return tryProposal(context, context.trial, wish);
  const before = await recordsBefore(context, call);
  const most = context.contract.budget.proposals ?? MOST_PROPOSALS;
  if (new Set(before.flatMap(({ proposals }) => proposals)).size >= most)
    return refusalResult(context, wish.action, overProposalBudget(most));
  const journal = await evidenceFor(context, call, before, wish.payload as Record<string, unknown>);
  if (context.isExperiment) return sandboxed(context, call, wish, { ...journal, citations: [...journal.citations] });
  const received = await withRateLimit(context, call, () =>
    receive(context.garden, {
      identity: context.identity,
      ...wish,
      journal: { ...journal, citations: [...journal.citations] },
      summary: oneLineSummary(wish.summary),
      correlation_id: `call-${canonicalId([context.run, call.key])}`,
    }),
  );
  if (received.kind === "refused") return refusalResult(context, wish.action, received.failure);
  const { proposal } = received;
  call.proposed(proposal.id);
  return { proposal: proposal.id, status: proposal.status, type: wish.action, target: proposal.target };
}

/** The agent of an experiment gets the answer that it would get otherwise: it must not act differently. */
async function sandboxed(
  context: ToolContext,
  call: ToolCallScope,
  wish: AgentProposal,
  journal: SandboxEntry["journal"],
): Promise<Json> {
  const filed = await fileInSandbox(context, call, { ...wish, summary: oneLineSummary(wish.summary) }, journal);
  if (filed.kind === "refused") return refusalResult(context, wish.action, filed.failure);
  const { id, target } = filed.entry;
  call.proposed(id);
  return { proposal: id, status: "pending", type: wish.action, target };
}

const oneLineSummary = (text: string): string =>
  text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUMMARY).toWellFormed();

/** In a trial the wish passes the same gate, and its effect is shown instead of filed. */
async function tryProposal(context: ToolContext, trial: TrialEffects, wish: AgentProposal): Promise<Json> {
  const most = context.contract.budget.proposals ?? MOST_PROPOSALS;
  const made = trial.effects.filter(({ kind }) => kind === "possible").length;
  if (made >= most) return refusalResult(context, wish.action, overProposalBudget(most));
  const seen = await previewWish(context.garden, { identity: context.identity, ...wish }, trial.agent);
  trial.effects.push(seen);
  if (seen.kind === "refused") return refusalResult(context, wish.action, seen.failure);
  return { proposal: `trial-${made + 1}`, status: "pending", type: wish.action, target: seen.target };
}

/**
 * Waits until the rate limit has room, so that a run that proposes often loses no proposal, and the wait is not recorded as a
 * refusal. A refusal by RATE_LIMITED remains possible (other runs of the agent); it is retried after the time that it names.
 */
async function withRateLimit(
  context: ToolContext,
  call: ToolCallScope,
  ask: () => Promise<Received>,
): Promise<Received> {
  const { garden, identity, pause = realPause } = context;
  for (let waits = 0; ; waits++) {
    const ahead = secondsToChange(rateLimitOf(garden), identity);
    const isEarly = ahead > 0 && ahead <= MOST_WAIT_S && waits < MOST_WAITS;
    const received = isEarly ? undefined : await ask();
    const isLimited = received?.kind === "refused" && received.failure.code === "RATE_LIMITED";
    const seconds = received ? (isLimited ? waitOf(received.failure) : 0) : ahead;
    if (received && (seconds === 0 || seconds > MOST_WAIT_S || waits >= MOST_WAITS)) return received;
    call.waits?.(seconds);
    await pause(seconds * 1000, call.signal);
    call.signal.throwIfAborted();
  }
}

const waitOf = ({ details }: Failure): number => {
  const { retryAfterSeconds } = details;
  return typeof retryAfterSeconds === "number" ? retryAfterSeconds : 0;
};

const overProposalBudget = (most: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `this run has made its ${most} proposals (budget.proposals)`,
    uk: `цей запуск уже подав свої пропозиції: ${most} (budget.proposals)`,
    hint: { en: "The rest is for a later run.", uk: "Решта — для наступного запуску." },
    details: { limit: most },
  });

export function refusalResult({ language }: ToolContext, action: Action, failure: Failure): Json {
  const { proposal: same } = failure.details;
  return {
    proposal: "",
    status: "refused",
    type: action,
    code: failure.code,
    reason: failure.text[language],
    ...(failure.hint && { hint: failure.hint[language] }),
    ...(typeof same === "string" && { same_as: same }),
  };
}
