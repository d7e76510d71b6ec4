import { crashPoint } from "../../base/crash-point.ts";
import { Failure, failureToRecord, isFailure } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { contractHash } from "../../domain/contract/contract-file.ts";
import { keys } from "../../domain/layout.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import type { LoadedContext } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { everyKey } from "../../ports/store.ts";
import { changeAgentStatus } from "../agents/lifecycle/change-status.ts";
import { bindTrace } from "../changes/apply/landing.ts";
import { finishRun } from "../core/flow/finish-run.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { findProposal } from "../records/proposals/proposal-log.ts";
import { contractIn, type RunBrief } from "./brief.ts";
import { tellCancel } from "./cancel-run.ts";
import { failed, type Judged } from "./outcome.ts";
import type { RunFlowEnd } from "./runs-engine.ts";

/** How a run is over: judged by its outcome, or called off before it had one. */
export type RunOver = Judged | { readonly status: "cancelled"; readonly failure: Failure };

export interface EndGround {
  readonly garden: Garden;
  readonly pause: Pause;
  readonly place: RunPlace;
  readonly request: RunRequest;
  readonly engine: string;
}

/** What the steps of this run are, without those that a fork shares with its origin. */
export async function ownRecords(
  { store }: Pick<Garden, "store">,
  place: RunPlace,
  { forked_from }: Pick<RunRequest, "forked_from">,
): Promise<readonly StepRecord[]> {
  const records = (await readJournal(store, place))?.records ?? [];
  return records.filter(({ position }) => position > (forked_from?.step ?? 0));
}

/** C-7: a critical failure sets `error`. An agent that was stopped or deleted meanwhile stays as its owner left it. */
export async function stopAgent({ garden, place }: EndGround, failure: Failure | undefined): Promise<void> {
  const { slug, run } = place;
  try {
    await changeAgentStatus(garden, { slug, to: "error", by: { type: "agent", slug, run }, reason: failure?.text.en });
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND") && !isFailure(error, "VALIDATION_FAILED")) throw error;
  }
  crashPoint("run.agent-stopped");
}

/** Writes the manifest, the last word about the run (O-9). What follows from it is the engine's. */
export async function endRun(
  ground: EndGround,
  brief: RunBrief | undefined,
  over: RunOver,
  denied = 0,
): Promise<RunFlowEnd> {
  const { garden, pause, place, request, engine } = ground;
  if (!(await garden.store.get(keys.runRequest(place.slug, place.run)))) return forget(garden, place);
  await tellCancel(garden, place); // a wish that came too late is on record all the same
  const language = brief?.language ?? garden.config.language ?? "uk";
  await finishRun({ store: garden.store, world: garden.world, pause }, place, {
    ...pinsOf(brief),
    trigger: request.trigger,
    status: over.status,
    model_used: modelIn(brief, place.slug),
    error: over.failure?.text[language] ?? null,
    outcome: "outcome" in over ? over.outcome : null,
    engine,
    forked_from: request.forked_from ? { run: request.forked_from.run, step: request.forked_from.step } : null,
    error_details: over.failure ? detailsOf(over.failure) : null,
    denied_calls: denied,
  });
  return { kind: "ended" };
}

/** Deleted with its agent. What was written since then would be found by the next agent of that name. */
async function forget({ store }: Garden, { slug, run }: RunPlace): Promise<RunFlowEnd> {
  for await (const { key } of everyKey(store, `${keys.runs(slug)}${run}/`)) {
    const stored = await store.get(key);
    if (stored) await store.remove(key, stored.hash);
  }
  return { kind: "ended" };
}

/** What a rule approved during the run was committed before there was a trace to bind. */
export async function bindTraces(
  garden: Garden,
  place: RunPlace,
  records: readonly Pick<StepRecord, "proposals">[],
): Promise<void> {
  for (const id of records.flatMap(({ proposals }) => proposals)) {
    const proposal = await findProposal(garden.store, id);
    const commit = proposal?.apply_result?.git_commit;
    if (proposal && proposal.source.run_id === place.run && commit !== undefined)
      await bindTrace(garden, proposal, commit);
  }
}

const pinsOf = (brief: RunBrief | undefined): Omit<LoadedContext, "contract"> => ({
  agent_version: brief?.agent_version ?? "?",
  contract_hash: brief?.contract_hash ?? contractHash(""),
  logic_version: brief?.logic_version ?? null,
  behaviour_id: brief?.behaviour_id ?? null,
  garden_commit: brief?.garden_commit ?? "0".repeat(40),
});

function modelIn(brief: RunBrief | undefined, slug: string): string {
  try {
    return brief ? contractIn(brief, slug).contract.model : "?";
  } catch {
    return "?";
  }
}

function detailsOf(failure: Failure): Record<string, never> {
  const { code, text, hint, details } = failureToRecord(failure);
  return JSON.parse(JSON.stringify({ ...details, code, message: text, ...(hint && { hint }) })) as Record<
    string,
    never
  >;
}

/** C-6: only an active agent runs. It was stopped after this run had been asked for. */
export const stoppedMeanwhile = (slug: string, status: AgentState): RunOver => ({
  status: "cancelled",
  failure: new Failure(
    "INVALID_AGENT_TRANSITION",
    {
      en: `the agent ${slug} was ${status} when this run was to begin`,
      uk: `агент ${slug} мав стан ${status}, коли цей запуск мав початися`,
    },
    { details: { agent: slug, status } },
  ),
});

/** A fork whose shared steps do not fit its edited input: nothing was done, and nobody needs to be asked. */
export function forkMisfit(failure: Failure, { forked_from }: RunRequest, language: Language): Judged | undefined {
  const position = failure.details["position"];
  if (!forked_from || typeof position !== "number" || position > forked_from.step) return undefined;
  return failed(
    new Failure(
      "VALIDATION_FAILED",
      {
        en: `step ${position}, which the fork shares with ${forked_from.run}, depends on what was changed`,
        uk: `крок ${position}, який відгалуження поділяє з ${forked_from.run}, залежить від зміненого`,
      },
      {
        hint: {
          en: `Fork it at step ${position - 1} or before.`,
          uk: `Відгалузьте на кроці ${position - 1} або раніше.`,
        },
        details: failure.details,
      },
    ),
    language,
  );
}
