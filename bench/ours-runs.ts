import { embeddedOrchestrator } from "../src/adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { contractKey } from "../src/domain/layout.ts";
import { contractText } from "../src/garden/agents/testing/contract-text.ts";
import { realPause } from "../src/garden/core/flow/pause.ts";
import { type DurableFlow, openFlow } from "../src/garden/core/flow/step.ts";
import { closeGarden, type Garden } from "../src/garden/core/garden.ts";
import { requestRun } from "../src/garden/runs/request-run.ts";
import type { RunFlow } from "../src/garden/runs/run-flow.ts";
import { startRuns } from "../src/garden/runs/testing/start-runs.ts";
import type { RunVerdict } from "../src/garden/runs/verdict.ts";
import type { Contender } from "./harness.ts";
import { gardenIn } from "./ours-garden.ts";
import { checkedOut, type Repository, repositoryOf } from "./repository.ts";

export const NOTES = 40;
export const fewNotes = (scratch: string): Repository => checkedOut(repositoryOf(NOTES, 1, scratch));

/** An agent whose contract says that it is active. */
export async function plant({ store }: Garden, slug: string): Promise<void> {
  await store.create(contractKey(slug), Buffer.from(contractText(slug, { status: "active" })));
}

/** Waits until all writes are in files, so that making them is not measured as part of the next contender. A swap forces that. */
export async function filesMade({ store }: Garden): Promise<void> {
  const key = contractKey("files-made");
  const text = Buffer.from(contractText("files-made"));
  await store.create(key, text);
  const there = await store.get(key);
  if (there) await store.swap(key, there.hash, text);
}

const fourSteps = async (flow: DurableFlow): Promise<void> => {
  for (const name of ["a", "b", "c", "d"]) await flow.step(name, null, async () => 1);
};

const NOOP: RunVerdict = {
  status: "completed",
  outcome: { kind: "noop", reason: "nothing to do" },
  error: null,
  critical: false,
};

/** The whole path: request, lease, four steps, manifest, events, and removal from the open runs. */
export const fourStepRun: RunFlow = async ({ flow }) => {
  await fourSteps(flow);
  return { kind: "ended", verdict: NOOP };
};

/** From asking for a run to its manifest, with the engine of the product. Every worker has an agent: runs of one agent are in single file. */
export const engineRuns = (repository: Repository, workers: number): Contender => ({
  name: "bloom (synced)",
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    for (let worker = 0; worker < workers; worker++) await plant(garden, `agent-${worker}`);
    const { runToEnd, rest, close } = await runsToEnd(garden, fourStepRun, workers);
    return { once: (worker) => runToEnd(`agent-${worker}`), rest, close };
  },
});

interface RunsToEnd {
  /** Requests a run of this agent and waits until it has completed. */
  readonly runToEnd: (slug: string) => Promise<void>;
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The engine of the product over a garden. */
export async function runsToEnd(garden: Garden, flow: RunFlow, limit: number): Promise<RunsToEnd> {
  const engine = await startRuns(garden, {
    orchestrator: embeddedOrchestrator({ world: garden.world, limit }),
    flow,
  });
  const ended = new Map<string, PromiseWithResolvers<unknown>>();
  const endOf = (run: string): PromiseWithResolvers<unknown> => {
    const there = ended.get(run) ?? Promise.withResolvers<unknown>();
    ended.set(run, there);
    return there;
  };
  garden.signals.subscribe(({ record: { kind, subject, details } }) => {
    if (kind === "run-finished" && subject !== undefined) endOf(subject).resolve(details["status"]);
  });
  return {
    async runToEnd(slug) {
      const { run_id } = await requestRun(garden, { slug, trigger: "manual", by: "owner" });
      const status = await endOf(run_id).promise;
      ended.delete(run_id);
      if (status !== "completed") throw new Error(`${run_id} is ${JSON.stringify(status)}`);
    },
    async rest() {
      await engine.settled();
      await filesMade(garden);
    },
    async close() {
      await engine.close();
      await closeGarden(garden);
    },
  };
}

/** Four steps on record and nothing around them: what the store alone costs. */
export const journalAlone = (repository: Repository): Contender => ({
  name: "the same four steps without engine and manifest (synced)",
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    let count = 0;
    return {
      async once() {
        const run = `run_2026-02-14_080000_${(count++).toString(36).padStart(6, "0")}`;
        await fourSteps(openFlow({ ...garden, pause: realPause }, { slug: "bench", run }));
      },
      rest: () => filesMade(garden),
      close: () => closeGarden(garden),
    };
  },
});
