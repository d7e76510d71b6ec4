import type { Json } from "../../base/canonical.ts";
import { asFailure, Failure, failureFromRecord } from "../../base/failure.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { LOAD_CONTEXT } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { Reader } from "../../ports/reader.ts";
import type { RunTool, Runtime } from "../../ports/runtime.ts";
import { proposeExport } from "../agents/propose-export.ts";
import { isFlowStopped } from "../core/flow/decision-needed.ts";
import { type Pause, realPause } from "../core/flow/pause.ts";
import { briefingFor, contractIn, loadBrief, type RunBrief, runBrief } from "./brief.ts";
import { callJournal, isAgentStopped, questionsOnRecord } from "./call-journal.ts";
import { type Executed, executeAgent } from "./execute/execute-agent.ts";
import { endingIn, executedRecord, recordOf } from "./executed.ts";
import {
  bindTraces,
  type EndGround,
  endRun,
  forkMisfit,
  ownRecords,
  stopAgent,
  stoppedMeanwhile,
} from "./finish-agent-run.ts";
import { shareJournal } from "./fork.ts";
import { heldRequest } from "./hold.ts";
import { failed, type Judged, notHolding, outcomeOf } from "./outcome.ts";
import { persistResults } from "./persist-results.ts";
import type { RunContext, RunFlow, RunFlowEnd } from "./runs-engine.ts";
import type { LogicInsight } from "./tools/logic-insight.ts";
import { type ToolContext, toolsFor } from "./tools/tools.ts";

/** What runs work with besides the garden. */
export interface RunPorts {
  /** For one contract: what it may reach (`network.allow`, `mcp`) is its own. */
  equip(contract: Contract, signal: AbortSignal, pinned: PinnedStep): Promise<Equipment>;
  /** `embedded`: for the manifest. */
  readonly engine: string;
  readonly insight: LogicInsight;
  /** Secret values: redacted from everything that is written. */
  secrets(): readonly string[];
  readonly pause?: Pause;
}

/** A step of the run: what it found at its beginning is what it finds when it is taken up again (O-3a). */
export type PinnedStep = (name: string, input: Json, work: () => Promise<Json>) => Promise<Json>;

export interface Equipment {
  readonly runtime: Runtime;
  readonly reader: Reader;
  /** Of the outside servers that the contract names. */
  readonly outsideTools: readonly RunTool[];
  close(): Promise<void>;
}

/**
 * The durable flow of one run (O-2): load-context → execute-agent → persist-results → finalize. Every model call and tool call
 * is a step of its own between the first and the second, so that a process which takes the run up repeats at most the call that
 * was under way. It may be called any number of times; what is on record is not done again. What stops the flow from outside is
 * let through to the engine.
 *
 * The run is held to what `load-context` recorded: a contract that changes meanwhile reaches the next run. An owner who pauses,
 * archives or deletes the agent stops it: the run is cancelled before its next call.
 */
export function runAgent(ports: RunPorts): RunFlow {
  return async (context) => {
    const { garden, place, request, flow, signal } = context;
    const input = { agent: place.slug };
    const pause = ports.pause ?? realPause;
    const ending: EndGround = { garden, pause, place, request, engine: ports.engine };

    await shareJournal({ ...garden, pause }, place, request);
    const loaded = await orFailure(() =>
      flow.step<Json>(LOAD_CONTEXT, input, async () => asJson(await loadBrief(garden, place, request))),
    );
    if (loaded instanceof Failure) return endRun(ending, undefined, failed(loaded, garden.config.language ?? "uk"));
    const brief = runBrief.parse(loaded);
    const { language, agent_status: status } = brief;
    if (status !== null && status !== "active") return endRun(ending, brief, stoppedMeanwhile(place.slug, status));
    const finalize = async (judged: Judged, records: readonly StepRecord[], denied = 0): Promise<RunFlowEnd> => {
      await flow.step("finalize", input, async () => {
        await bindTraces(garden, place, records);
        if (judged.critical) await stopAgent(ending, judged.failure);
        return asJson({ status: judged.status, outcome: judged.outcome });
      });
      const end = await endRun(ending, brief, judged, denied);
      if (brief.drift.length > 0) await proposeExport(garden, place);
      return end;
    };
    if (brief.fault) return finalize(notHolding(failureFromRecord(brief.fault), language), []);

    const { executed, halted } = await execute(ports, context, brief);
    if (halted) {
      const held = heldRequest(halted);
      if (held !== undefined) return { kind: "held", request: held };
      if (isAgentStopped(halted)) return endRun(ending, brief, { status: "cancelled", failure: halted });
      const misfit = forkMisfit(halted, request, language);
      if (misfit) return endRun(ending, brief, misfit);
      throw halted;
    }
    if (signal.aborted) throw asFailure(signal.reason);
    if (executed.kind === "later") return { kind: "later", at: executed.at };

    const record = executedRecord.parse(await flow.step("execute-agent", input, async () => recordOf(executed)));
    const records = await ownRecords(garden, place, request);
    await flow.step("persist-results", input, () =>
      persistResults(garden.store, {
        place,
        agent: { version: brief.agent_version, logic: brief.logic_version },
        records,
        answer: record.kind === "answered" ? record.text : "",
        secrets: ports.secrets(),
      }),
    );
    return finalize(outcomeOf({ ending: endingIn(record), records, language }), records, record.denied.length);
  };
}

/** The turns, with everything that they need made for this one contract and dropped afterwards. */
async function execute(
  ports: RunPorts,
  { garden, place, request, flow, signal }: RunContext,
  brief: RunBrief,
): Promise<{ readonly executed: Executed; readonly halted: Failure | undefined }> {
  const { slug, run } = place;
  const { contract, body } = contractIn(brief, slug);
  const pause = ports.pause ?? realPause;
  const answered = await questionsOnRecord(garden.store, place);
  const journal = callJournal({ garden, place, flow, pause, answered });
  const equipment = await orFailure(() =>
    ports.equip(contract, signal, (name, input, work) => flow.step<Json>(name, input, work)),
  );
  if (equipment instanceof Failure)
    return { executed: { ...NOTHING_DONE, kind: "stopped", why: "model", failure: equipment }, halted: undefined };
  const context: ToolContext = {
    garden,
    slug,
    run,
    contract,
    commit: brief.garden_commit,
    logicVersion: brief.logic_version,
    reader: equipment.reader,
    insight: ports.insight,
    identity: { type: "agent", slug, run },
    language: brief.language,
    pause,
  };
  try {
    const executed = await executeAgent({
      garden,
      contract,
      body,
      diagrams: brief.diagrams,
      briefing: briefingFor(brief, request),
      tools: [...toolsFor(context), ...equipment.outsideTools],
      runtime: equipment.runtime,
      journal,
      flow,
      signal,
    });
    return { executed, halted: journal.halted };
  } finally {
    await equipment.close();
  }
}

const NOTHING_DONE = { turns: 0, tokens: { input: 0, output: 0 }, toolCalls: 0, denied: [] } as const;

/** What went wrong as a value, except what stops the flow: that is the engine's. */
async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (isFlowStopped(error)) throw error;
    return asFailure(error);
  }
}

const asJson = (value: unknown): Json => value as Json;
