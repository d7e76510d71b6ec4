import type { Json } from "../../base/canonical.ts";
import { asFailure, Failure, failureFromRecord, isFailure } from "../../base/failure.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { isExperiment, type RunRequest } from "../../domain/run/run.ts";
import { LOAD_CONTEXT } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Reader } from "../../ports/reader.ts";
import type { RunTool, Runtime } from "../../ports/runtime.ts";
import { proposeExport } from "../agents/propose-export.ts";
import { isFlowStopped } from "../core/flow/decision-needed.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import { type Pause, realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { setAgentError } from "./agent-error.ts";
import { briefId, briefingFor, contractIn, loadBrief, type RunBrief, runBrief } from "./brief.ts";
import { callJournal, isAgentStopped, stepsOnRecord } from "./call-journal.ts";
import { executeAgent } from "./execute/execute-agent.ts";
import { endingOf, executedRecord, toExecutedRecord } from "./execute/executed-record.ts";
import { type Executed, NOTHING_EXECUTED } from "./execute/execution.ts";
import { toolsOfRun, whatIfOf } from "./experiment.ts";
import { changedAfterMove } from "./failures.ts";
import { shareJournal } from "./fork.ts";
import { heldRequest } from "./hold.ts";
import { lastStep } from "./last-step.ts";
import { persistResults } from "./persist-results.ts";
import type { RunContext, RunFlow, RunFlowEnd } from "./run-flow.ts";
import { bindTraces, proposalsMadeIn } from "./run-proposals.ts";
import { proposeWork, workspaceFor } from "./run-workspace.ts";
import { askingRunOver } from "./sub-agents/failures.ts";
import { isAskingRunOver } from "./sub-agents/sub-runs.ts";
import type { LogicInsight } from "./tools/logic/logic-insight.ts";
import type { ToolContext } from "./tools/tools.ts";
import {
  calledOff,
  criticalVerdict,
  failedVerdict,
  notActiveAtStart,
  type RunVerdict,
  runVerdictOf,
  sharedMisfit,
} from "./verdict.ts";

/** Dependencies of runs besides the garden. */
export interface RunPorts {
  /** For one contract: what it may reach (`network.allow`, `mcp`) is its own. */
  equip(contract: Contract, signal: AbortSignal, pinned: PinnedStep): Promise<Equipment>;
  readonly insight: LogicInsight;
  /** Secret values: redacted from everything that is written. */
  secrets(): readonly string[];
  readonly pause?: Pause;
}

/** A step of the run: a resumed run gets the result that was recorded before it was interrupted (O-3a). */
export type PinnedStep = (name: string, input: Json, work: () => Promise<Json>) => Promise<Json>;

export interface Equipment {
  readonly runtime: Runtime;
  readonly reader: Reader;
  /** The hosts that `web-links` may reach. */
  readonly egress?: Egress;
  /** Tools of the MCP servers that the contract names. */
  readonly outsideTools: readonly RunTool[];
  close(): Promise<void>;
}

/**
 * The durable flow of one run (O-2): load-context → execute-agent → persist-results → finalize. Every model call and tool call
 * is a step of its own between the first and the second, so a process that resumes the run repeats at most the call that was in
 * flight. Failures that stop the flow from outside (cancel, lost lease, shutdown) are rethrown for the engine.
 *
 * The run is pinned to what `load-context` recorded: a changed contract takes effect in the next run. If the owner pauses,
 * archives or deletes the agent, the run is cancelled before its next call.
 */
export function runAgent(ports: RunPorts): RunFlow {
  return async (context) => {
    const { garden, place, request, flow, signal } = context;
    const input = { agent: place.slug };
    if (await isAskingRunOver(garden.store, request))
      return ended(calledOff(askingRunOver(request.spawned_by!.run), garden.config.language ?? "uk"));
    await shareJournal({ ...garden, pause: ports.pause ?? realPause }, place, request);
    const loaded = await orFailure(() =>
      flow.step<Json>(LOAD_CONTEXT, input, async () => asJson(await loadBrief(garden, place, request))),
    );
    if (loaded instanceof Failure) return ended(failedVerdict(loaded, garden.config.language ?? "uk"));
    const brief = runBrief.parse(loaded);
    const { language, agent_status: status, fault } = brief;
    if (status !== null && status !== "active") return ended(notActiveAtStart(place.slug, status, language));
    const { moved_from: moved } = request;
    if (moved && briefId(brief) !== moved.checked)
      return ended(failedVerdict(changedAfterMove(place, moved), language));
    if (fault) return await finalize(context, brief, criticalVerdict(failureFromRecord(fault), language), []);

    const { executed, halted } = await execute(ports, context, brief);
    if (halted) return endHalted(halted, request, brief);
    if (signal.aborted) throw asFailure(signal.reason);
    if (executed.kind === "later") return { kind: "later", at: executed.at };

    const record = executedRecord.parse(
      await flow.step("execute-agent", input, async () => toExecutedRecord(executed)),
    );
    const records = await ownRecords(garden, place, request);
    await lastStep(context, "persist-results", input, async () =>
      persistResults(garden.store, {
        place,
        proposals: await proposalsMadeIn(garden, records),
        agent: { version: brief.agent_version, logic: brief.logic_version },
        records,
        answer: record.kind === "answered" ? record.text : "",
        secrets: ports.secrets(),
      }),
    );
    const verdict = runVerdictOf({ ending: endingOf(record), records, language });
    return await finalize(context, brief, { ...verdict, deniedCalls: record.denied.length }, records);
  };
}

/** Executes the agent with a runtime and tools made for this one contract and closed afterwards. */
async function execute(ports: RunPorts, runContext: RunContext, brief: RunBrief): Promise<ExecutedOrHalted> {
  const { garden, place, request, flow, signal } = runContext;
  const { slug, run } = place;
  const { contract, body } = contractIn(brief, request);
  const pause = ports.pause ?? realPause;
  const workspace = await orFailure(() => workspaceFor(runContext, brief, contract));
  if (workspace instanceof Failure) {
    // Nothing is on record yet: a branch that cannot be read for a moment is read again at the next attempt.
    if (isFailure(workspace, "UPSTREAM_UNAVAILABLE")) throw workspace;
    return notExecuted(workspace);
  }
  const recorded = await stepsOnRecord(garden.store, place);
  const whatIf = whatIfOf(request);
  const journal = callJournal({ garden, place, flow, pause, recorded, passed: workspace?.told, whatIf });
  const equipment = await orFailure(() =>
    ports.equip(contract, signal, (name, input, work) => flow.step<Json>(name, input, work)),
  );
  if (equipment instanceof Failure) return notExecuted(equipment);
  const context: ToolContext = {
    garden,
    slug,
    run,
    contract,
    get commit() {
      return workspace?.head ?? brief.garden_commit;
    },
    workspace,
    logicVersion: brief.logic_version,
    reader: equipment.reader,
    egress: equipment.egress,
    insight: ports.insight,
    identity: { type: "agent", slug, run },
    language: brief.language,
    pause,
    isExperiment: isExperiment(request),
  };
  try {
    const executed = await executeAgent({
      garden,
      contract,
      body,
      diagrams: brief.diagrams,
      briefing: briefingFor(brief, request),
      tools: toolsOfRun(context, equipment.outsideTools),
      runtime: equipment.runtime,
      journal,
      flow,
      signal,
    });
    if (!workspace || journal.halted || signal.aborted) return { executed, halted: journal.halted };
    const proposed = await orFailure(() => proposeWork(flow, context, workspace, executed, request));
    // The branch stays, and its owner can propose it.
    return { executed: proposed instanceof Failure ? failedAfter(executed, proposed) : executed, halted: undefined };
  } finally {
    await workspace?.settle();
    await equipment.close();
  }
}

type ExecutedOrHalted = { readonly executed: Executed; readonly halted: Failure | undefined };

const notExecuted = (failure: Failure): ExecutedOrHalted => ({
  executed: { ...NOTHING_EXECUTED, kind: "stopped", why: "model", failure },
  halted: undefined,
});

const failedAfter = ({ turns, tokens, toolCalls, denied, conformance }: Executed, failure: Failure): Executed => {
  const counts = { turns, tokens, toolCalls, denied, ...(conformance && { conformance }) };
  return { ...counts, kind: "stopped", why: "procedure", failure };
};

/** The journal accepts no further call of this run. Rethrows what only the engine can decide. */
function endHalted(halted: Failure, request: RunRequest, { language }: RunBrief): RunFlowEnd {
  const held = heldRequest(halted);
  if (held !== undefined) return { kind: "held", request: held };
  if (isAgentStopped(halted)) return ended(calledOff(halted, language));
  const misfit = sharedMisfit(halted, request, language);
  if (misfit) return ended(misfit);
  throw halted;
}

/** The last step: binds traces to commits and, after a critical failure, sets the agent's state to `error`. */
async function finalize(
  context: RunContext,
  brief: RunBrief,
  verdict: RunVerdict,
  records: readonly StepRecord[],
): Promise<RunFlowEnd> {
  const { garden, place, request } = context;
  const isReal = !isExperiment(request);
  await lastStep(context, "finalize", { agent: place.slug }, async () => {
    await bindTraces(garden, place, records);
    if (verdict.critical && isReal) await setAgentError(garden, place, verdict.failure);
    return asJson({ status: verdict.status, outcome: verdict.outcome });
  });
  return { ...ended(verdict), ...(isReal && brief.drift.length > 0 && { after: () => proposeExport(garden, place) }) };
}

const ended = (verdict: RunVerdict): Extract<RunFlowEnd, { kind: "ended" }> => ({
  kind: "ended",
  verdict: { deniedCalls: 0, ...verdict },
});

/** The steps of this run, without those that a fork shares with its origin. */
async function ownRecords(
  { store }: Garden,
  place: RunPlace,
  { forked_from }: RunRequest,
): Promise<readonly StepRecord[]> {
  const records = (await readJournal(store, place))?.records ?? [];
  return records.filter(({ position }) => position > (forked_from?.step ?? 0));
}

/** Returns the failure instead of throwing it. Failures that stop the flow are rethrown for the engine. */
async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (isFlowStopped(error)) throw error;
    return asFailure(error);
  }
}

const asJson = (value: unknown): Json => value as Json;
