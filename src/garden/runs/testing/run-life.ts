import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded.ts";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { realWorld, type World } from "../../../base/world.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { RETRY_PAUSES_MS } from "../../../domain/run-step.ts";
import { type RunPlace, readJournal } from "../../flow/journal.ts";
import { type Pause, realPause } from "../../flow/pause.ts";
import type { Flow } from "../../flow/step.ts";
import type { Garden } from "../../garden.ts";
import { runAgent } from "../../run-agent.ts";
import { answerRequest } from "../answer.ts";
import { openRequests } from "../hold.ts";
import { manifestAt } from "../open-runs.ts";
import { requestRun } from "../request-run.ts";
import { startRuns } from "../runs-engine.ts";
import { portsWith } from "./agent-ground.ts";
import type { KillScenario } from "./kill-scenarios.ts";

/** What the lives of one run wrote down beside the garden: which steps were on record when a life began, and each call made in it. */
export type Noted =
  | { readonly life: readonly string[] }
  | { readonly call: string; readonly kind: string }
  | { readonly failed: true };

export const notesIn = (file: string): Noted[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Noted)
    : [];

/** Every life begins an hour after the one before, so that nobody waits for the lease of the dead. */
export const worldOfLife = (life: number): World => ({ ...realWorld, now: () => realWorld.now() + life * 3_600_000 });

/** Retries at once; the rest of the engine's pauses are real, or its loops would turn without end. */
const pause: Pause = (ms, signal) => (RETRY_PAUSES_MS.includes(ms) ? Promise.resolve() : realPause(ms, signal));

/** No length of a retry's pause. */
const LOOK_MS = 700;

/** Asks for the run, works on it with the engine, answers for the person, until its manifest stands and everything is told. */
export async function lifeOfRun(garden: Garden, scenario: KillScenario, place: RunPlace, file: string): Promise<void> {
  const write = (noted: Noted): void => appendFileSync(file, `${JSON.stringify(noted)}\n`);
  const before = (await readJournal(garden.store, place))?.records ?? [];
  write({ life: before.map(({ position, name }) => `${place.run}/${position}-${name}`) });
  let failed = notesIn(file).some((noted) => "failed" in noted);
  const fails = (): boolean => {
    if (failed) return false;
    failed = true;
    write({ failed: true });
    return true;
  };
  const flow = runAgent({ ...portsWith(scriptedModel(scenario.script(fails))), pause });
  const engine = await startRuns(garden, {
    orchestrator: embeddedOrchestrator({ world: garden.world, limit: 4 }),
    flow: (context) => flow({ ...context, flow: counted(context.flow, write) }),
    pause,
    lookMs: LOOK_MS,
  });
  try {
    await requestRun(garden, { slug: place.slug, trigger: "manual", by: "owner", id: place.run });
    for (let round = 0; ; round++) {
      await engine.settled();
      for (const { id } of await openRequests(garden))
        await answerRequest(garden, { request: id, value: { choice: "b" }, by: commandLineOwner, note: "yes" });
      await engine.offer(place);
      await engine.settled();
      if (await manifestAt(garden.store, place)) return;
      if (round > 50) throw new Error(`the run does not end: ${JSON.stringify(notesIn(file).slice(-3))}`);
    }
  } finally {
    await engine.close();
  }
}

/** Writes down every piece of work that is really done, by the key of its step. */
const counted = (flow: Flow, write: (noted: Noted) => void): Flow => ({
  step: (name, input, work, options) =>
    flow.step(
      name,
      input,
      (call) => {
        write({ call: call.key, kind: options?.kind ?? "step" });
        return work(call);
      },
      options,
    ),
});
