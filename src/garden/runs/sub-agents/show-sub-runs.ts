import type { RunState } from "../../../domain/run/run.ts";
import type { Outcome } from "../../../domain/run/run-manifest.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { type QuestionAndAnswer, requestsOf } from "../hold.ts";
import { requestAt } from "../open-runs.ts";
import { runCard } from "../read-runs.ts";
import { childPlace, openRunsBelow, presentRun, subRunsOf } from "./sub-runs.ts";

/** A sub-agent of a run, as it is shown with that run. */
export interface SubRunCard {
  readonly run_id: string;
  readonly agent_slug: string;
  readonly goal: string;
  readonly state: RunState;
  readonly outcome?: Outcome;
}

/** The sub-agents of a run in their order, without those whose runs were deleted. */
export async function subRunCards({ store }: Pick<Garden, "store">, place: RunPlace): Promise<readonly SubRunCard[]> {
  const cards: SubRunCard[] = [];
  for (const record of await subRunsOf(store, place)) {
    const child = await presentRun(store, childPlace(record));
    const request = await requestAt(store, child);
    if (!request) continue;
    const { state, outcome } = await runCard({ store }, child);
    const goal = (request.input as { readonly goal?: unknown } | undefined)?.goal;
    cards.push({
      run_id: child.run,
      agent_slug: child.slug,
      goal: typeof goal === "string" ? goal : "",
      state,
      ...(outcome && { outcome }),
    });
  }
  return cards;
}

/** The open questions of a run and of the sub-agents that it waits for. */
export async function questionsBelow(
  { store }: Pick<Garden, "store">,
  place: RunPlace,
): Promise<readonly QuestionAndAnswer[]> {
  const asked = [...(await requestsOf(store, place))];
  for (const child of await openRunsBelow(store, place)) asked.push(...(await requestsOf(store, child)));
  return asked.filter(({ answer }) => !answer);
}
