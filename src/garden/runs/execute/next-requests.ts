import type { WalkMachine } from "../../../drakon/walk/machine.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { Briefing } from "../../../ports/runtime.ts";

/**
 * The pending requests of the walk to answer together, oldest first. Questions to people, timers and sub-agents come last and
 * alone, so that no other request waits for them. Under a budget, model calls come alone too: the rest of the budget is known only after each.
 */
export function nextRequests(
  { pending }: Pick<WalkMachine, "pending">,
  budget: Briefing["budget"],
): readonly Request[] {
  const isBounded = budget.tokens !== undefined || budget.calls !== undefined;
  const together: Request[] = [];
  let waits: Request | undefined;
  for (const { request } of pending.values()) {
    const isForModel = request.kind === "llm" || request.kind === "judge";
    if (request.kind === "human" || request.kind === "sleep" || request.kind === "spawn") waits ??= request;
    else if (isBounded && isForModel) return together.length > 0 ? together : [request];
    else together.push(request);
  }
  return together.length > 0 ? together : waits ? [waits] : [];
}
