import { canonicalId, type Json } from "../../../../base/canonical.ts";
import type { Failure } from "../../../../base/failure.ts";
import type { Action } from "../../../../domain/proposal/action.ts";
import type { ToolCall } from "../../../../ports/runtime.ts";
import { type Received, receive } from "../../../changes/inbox/receive.ts";
import { realPause } from "../../../core/flow/pause.ts";
import type { ToolContext } from "../tool.ts";

/** What an agent asks for with a tool, before it goes into the inbox. */
export interface AgentProposal {
  readonly action: Action;
  readonly payload: object;
  readonly summary: string;
  readonly reasoning?: string | undefined;
  readonly priority?: "normal" | "high" | undefined;
}

/** How long a call waits for its turn where an agent proposes faster than it may. */
const MOST_WAITS = 20;
const MOST_WAIT_S = 60;
const MAX_SUMMARY = 200;

/** Receiving is quick; waiting for a turn is not. */
export const PROPOSE_LIMIT_MS = 110_000;

/**
 * Puts a wish into the inbox as this run (P-2). The correlation id follows from the call, so that a call which is repeated after a
 * crash is the same request and gets the first answer. What is refused comes back as a result that the agent can read: `proposal` is
 * empty then, and `status` says `refused`.
 */
export async function submitProposal(context: ToolContext, call: ToolCall, wish: AgentProposal): Promise<Json> {
  const received = await inTurn(context, call, () =>
    receive(context.garden, {
      identity: context.identity,
      ...wish,
      summary: wish.summary.replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUMMARY).toWellFormed(),
      correlation_id: `call-${canonicalId([context.run, call.key])}`,
    }),
  );
  if (received.kind === "refused") return refusalResult(context, wish.action, received.failure);
  const { proposal } = received;
  call.proposed(proposal.id);
  return { proposal: proposal.id, status: proposal.status, type: wish.action, target: proposal.target };
}

/** Comes again when it is told to: a run that has eleven notes to tag does not lose the last one. */
async function inTurn(context: ToolContext, { signal }: ToolCall, ask: () => Promise<Received>): Promise<Received> {
  const pause = context.pause ?? realPause;
  for (let waits = 0; ; waits++) {
    const received = await ask();
    const seconds =
      received.kind === "refused" && received.failure.code === "RATE_LIMITED" ? waitOf(received.failure) : 0;
    if (seconds === 0 || seconds > MOST_WAIT_S || waits === MOST_WAITS) return received;
    await pause(seconds * 1000, signal);
    signal.throwIfAborted();
  }
}

const waitOf = ({ details }: Failure): number => {
  const { retryAfterSeconds } = details;
  return typeof retryAfterSeconds === "number" ? retryAfterSeconds : 0;
};

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
