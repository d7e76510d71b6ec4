import type { LanguageModelV4 } from "@ai-sdk/provider";
import { localReader } from "../../../adapters/reader/local/local-reader.ts";
import { aiSdkRuntime } from "../../../adapters/runtime/ai-sdk/ai-sdk-runtime.ts";
import { followerModel } from "../../../adapters/runtime/follower/follower-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { movedSteps } from "../../../domain/run/run.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import { runManifest } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { changeAgentStatus } from "../../agents/lifecycle/change-status.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { type RunPlace, readJournal } from "../../core/flow/journal.ts";
import { type Pause, realPause } from "../../core/flow/pause.ts";
import { type FlowWatch, openFlow } from "../../core/flow/step.ts";
import type { Garden } from "../../core/garden.ts";
import { inspectLogic } from "../../insight/learning/analyse-logic.ts";
import { logicPerformance } from "../../insight/learning/logic-performance.ts";
import { endRun } from "../end-run.ts";
import { requestAt } from "../open-runs.ts";
import { requestRun } from "../request-run.ts";
import { type Equipment, type RunPorts, runAgent } from "../run-agent.ts";
import type { RunFlowEnd } from "../run-flow.ts";

/** An agent that reads and proposes, active, with these lines of its contract changed and this body. */
export async function activeAgent(
  garden: Garden,
  slug: string,
  over: Readonly<Record<string, string | undefined>> = {},
  body?: string,
): Promise<void> {
  await garden.store.create(contractKey(slug), Buffer.from(contractText(slug, over, body)));
  await changeAgentStatus(garden, { slug, to: "active", by: commandLineOwner });
}

/** Real ports with a scripted language model. `bloom/follower` is the real follower. */
export const portsWith = (model: LanguageModelV4, over: Partial<Equipment> = {}): RunPorts => ({
  equip: async () => ({
    runtime: aiSdkRuntime({ models: (id) => (id === FOLLOWER ? followerModel() : model) }),
    reader: localReader(),
    outsideTools: [],
    close: async () => undefined,
    ...over,
  }),
  insight: { inspectLogic, logicPerformance },
  secrets: () => ["a-secret-of-the-owner"],
});

/** Retries at once; time limits are real. */
export const noPause: Pause = (ms, signal) => (ms > 5000 ? realPause(ms, signal) : Promise.resolve());

export async function requestedRun(garden: Garden, slug: string, input?: Json): Promise<RunPlace> {
  const request = await requestRun(garden, {
    slug,
    trigger: "manual",
    by: "owner",
    ...(input !== undefined && { input }),
  });
  return { slug, run: request.run_id };
}

/** Executes a run once without an engine: its flow and, if the flow has a verdict, the end of the run. */
export async function live(
  garden: Garden,
  place: RunPlace,
  ports: RunPorts,
  watch: FlowWatch = {},
): Promise<Exclude<RunFlowEnd, { kind: "ended" }> | { readonly kind: "ended" }> {
  const pause = ports.pause ?? noPause;
  const request = (await requestAt(garden.store, place))!;
  const flow = openFlow({ ...garden, pause }, place, undefined, { movedSteps: movedSteps(request), ...watch });
  const signal = watch.signal ?? new AbortController().signal;
  const end = await runAgent({ ...ports, pause })({ garden, place, request, flow, signal });
  if (end.kind !== "ended") return end;
  await endRun({ ...ENDING, garden, pause }, place, request, end.verdict);
  await end.after?.();
  return { kind: "ended" };
}

/** The dependencies of `endRun` besides the garden, without an engine. */
export const ENDING = {
  engine: "embedded",
  pause: realPause,
  isAwaited: () => Promise.resolve(false),
  isRequestAudited: () => false,
} as const;

export async function manifestOf({ store }: Garden, { slug, run }: RunPlace): Promise<RunManifest> {
  const stored = await store.get(keys.runManifest(slug, run));
  return runManifest.parse(JSON.parse(Buffer.from(stored!.bytes).toString()));
}

export const stepsOf = async ({ store }: Garden, place: RunPlace): Promise<readonly StepRecord[]> =>
  (await readJournal(store, place))!.records;

export const namesOf = async (garden: Garden, place: RunPlace): Promise<string[]> =>
  (await stepsOf(garden, place)).map(({ name }) => name);
