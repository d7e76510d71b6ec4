import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { realWorld, type World } from "../../../base/world.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { RETRY_PAUSES_MS } from "../../../domain/run/run-step.ts";
import { recoverChanges } from "../../changes/recover-changes.ts";
import { type RunPlace, readJournal } from "../../core/flow/journal.ts";
import { type Pause, realPause } from "../../core/flow/pause.ts";
import type { DurableFlow } from "../../core/flow/step.ts";
import type { Garden } from "../../core/garden.ts";
import { daysOf, runsOfDay } from "../../records/runs/run-folders.ts";
import { agentSlugs } from "../../records/status.ts";
import { answerRequest } from "../answer.ts";
import { openRequests } from "../hold.ts";
import { manifestAt, openRunAt, openRunIds } from "../open-runs.ts";
import { runAgent } from "../run-agent.ts";
import { type RunsEngine } from "../runs-engine.ts";
import { portsWith } from "./agent-ground.ts";
import type { KillScenario, Scene } from "./kill-scenario.ts";
import { startRuns } from "./start-runs.ts";

/** Notes of the processes of one garden, in the order of events. A life is one process. */
export type Noted =
  /** A process starts, and these steps are recorded. */
  | { readonly life: number; readonly records: readonly string[] }
  /** A call of a model or a tool: the key of its step, and the attempt. */
  | { readonly call: string; readonly attempt: number }
  /** The call is recorded and its caller got the result. */
  | { readonly done: string }
  /** An outside effect of a tool that is not idempotent. */
  | { readonly act: string }
  | { readonly failed: true };

export const notesIn = (file: string): Noted[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Noted)
    : [];

export interface LifeWorld extends World {
  /** Advances the clock. */
  skip(ms: number): void;
}

const BEGUN = Date.parse("2026-02-14T08:00:10Z");
const HOUR = 3_600_000;
/** Each life begins this long after the one before, so that leases of killed processes have expired. */
const LIFE_MS = 2 * HOUR;

/**
 * A clock that starts on a morning in February and moves on with each life. The garden is made in life -1. Concurrent processes
 * share one clock, as on one machine: it has the same start for all of them.
 */
export function worldOfLife(life: number, lifeMs = LIFE_MS, began = realWorld.now()): LifeWorld {
  const offset = BEGUN + life * lifeMs - began;
  let skipped = 0;
  return {
    now: () => realWorld.now() + offset + skipped,
    random: (count) => realWorld.random(count),
    skip: (ms) => void (skipped += ms),
  };
}

/** From the evening to the next morning; nothing expires within two such nights. */
const NIGHT_MS = 14 * HOUR;

export const lifeLength = ({ answers }: KillScenario): number =>
  answers === "the next day" ? 2 * NIGHT_MS + LIFE_MS : LIFE_MS;

/** Retries at once; other pauses of the engine are real, because its loops would otherwise spin. */
const pause: Pause = (ms, signal) => (RETRY_PAUSES_MS.includes(ms) ? Promise.resolve() : realPause(ms, signal));

/** A length that no retry pause has. */
const LOOK_MS = 200;
/** Long enough that a live process keeps its lease on a busy machine; it expires in the time between two lives. */
const LEASE_MS = HOUR / 2;
/** Limit for pauses such as the one before a busy lease is tried again. */
const LONGEST_WAIT_MS = 50;
const MOST_ROUNDS = 2000;

/** Requests runs, works with the engine and answers for the person, until every run has its manifest and all events are delivered. */
export async function liveThrough(
  garden: Garden & { readonly world: LifeWorld },
  scenario: KillScenario,
  file: string,
  life: number,
): Promise<void> {
  const write = (noted: Noted): void => appendFileSync(file, `${JSON.stringify(noted)}\n`);
  write({ life, records: await recordsIn(garden) });
  let engine: RunsEngine | undefined;
  const scene = sceneOf(file, write, async (place) => engine?.cancel(place, "owner", "enough").catch(() => undefined));
  const start = async (): Promise<RunsEngine> => (engine = await engineFor(garden, scenario, scene, write));
  const answering = new Set<Promise<unknown>>();
  const stopHearing = garden.signals.subscribe(({ record: { kind, details } }) => {
    const { request } = details;
    if (scenario.answers !== "at once" || kind !== "run-held" || typeof request !== "string") return;
    answering.add(answer(garden, request).catch(() => undefined));
  });
  try {
    await recoverChanges(garden);
    await start();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await scenario.wishes(garden);
      await engine!.settled();
      await Promise.all(answering);
      if (await isOver(garden, scenario.runs)) return;
      const open = await openRequests(garden);
      if (open.length > 0 && scenario.answers === "the next day") {
        await engine!.close();
        garden.world.skip(NIGHT_MS);
        await start();
      }
      for (const { id } of open) await answer(garden, id);
      await engine!.settled();
      await sleep(5);
    }
    const open = await Promise.all((await openRunIds(garden.store)).map((run) => openRunAt(garden.store, run)));
    throw new Error(`it does not end: ${JSON.stringify(open)}`);
  } finally {
    stopHearing();
    await engine?.close();
  }
}

async function answer(garden: Garden, request: string): Promise<void> {
  const asked = (await openRequests(garden)).find(({ id }) => id === request);
  if (!asked) return;
  // A choice between repeating the call and cancelling, or the last option of the procedure.
  const choice = asked.reason === "asked" ? asked.ask.options?.at(-1) : asked.ask.options?.[0];
  await answerRequest(garden, { request, value: { choice: choice! }, by: commandLineOwner, note: "yes" });
}

function sceneOf(file: string, write: (noted: Noted) => void, cancel: Scene["cancel"]): Scene {
  let failed = notesIn(file).some((noted) => "failed" in noted);
  return {
    cancel,
    act: (key) => write({ act: key }),
    fails() {
      if (failed) return false;
      failed = true;
      write({ failed: true });
      return true;
    },
  };
}

function engineFor(
  garden: Garden,
  { script, outside }: KillScenario,
  scene: Scene,
  write: (noted: Noted) => void,
): Promise<RunsEngine> {
  const model = scriptedModel(script?.(scene) ?? []);
  const flow = runAgent({ ...portsWith(model, { outsideTools: outside?.(scene) ?? [] }), pause });
  const wait: Pause = (ms, signal) => realPause(Math.min(ms, LONGEST_WAIT_MS), signal);
  return startRuns(garden, {
    orchestrator: embeddedOrchestrator({ world: garden.world, limit: 4, wait }),
    flow: (context) => flow({ ...context, flow: counted(context.flow, context.place, write) }),
    pause,
    leaseMs: LEASE_MS,
    lookMs: LOOK_MS,
  });
}

/** Records every call that is made, by the key of its step, and every call that got its result. */
function counted(flow: DurableFlow, { run }: RunPlace, write: (noted: Noted) => void): DurableFlow {
  return {
    async step(name, input, work, options) {
      if ((options?.kind ?? "step") === "step") return flow.step(name, input, work, options);
      let made: string | undefined;
      const given = await flow.step(
        name,
        input,
        (call) => {
          made = call.key;
          write({ call: call.key, attempt: call.attempt });
          return work(call);
        },
        options,
      );
      if (made?.startsWith(run)) write({ done: made });
      return given;
    },
  };
}

export async function runsIn({ store }: Garden): Promise<RunPlace[]> {
  const found: RunPlace[] = [];
  for (const slug of await agentSlugs(store))
    for (const day of await daysOf(store, slug)) found.push(...(await runsOfDay(store, slug, day)));
  return found;
}

/** `run/position-name` of every step with a recorded end. */
export async function recordsIn(garden: Garden): Promise<string[]> {
  const found: string[] = [];
  for (const place of await runsIn(garden))
    for (const { position, name } of (await readJournal(garden.store, place))?.records ?? [])
      found.push(`${place.run}/${position}-${name}`);
  return found;
}

async function isOver(garden: Garden, runs: number): Promise<boolean> {
  const { store } = garden;
  const pending = await store.list(keys.pendingEvents, { limit: 1 });
  if (pending.entries.length > 0 || (await openRunIds(store)).length > 0) return false;
  const ended = await Promise.all((await runsIn(garden)).map((place) => manifestAt(store, place)));
  return ended.filter((manifest) => manifest !== undefined).length >= runs;
}
