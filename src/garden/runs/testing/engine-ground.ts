import { setTimeout as sleep } from "node:timers/promises";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded.ts";
import type { Json } from "../../../base/canonical.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import type { World } from "../../../base/world.ts";
import { contractHash } from "../../../domain/contract-file.ts";
import { contractKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import { type RunStatus, runStatus } from "../../../domain/run.ts";
import { LOAD_CONTEXT, type RunManifest } from "../../../domain/run-manifest.ts";
import type { Store } from "../../../ports/store.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { finishRun } from "../../flow/finish-run.ts";
import type { RunPlace } from "../../flow/journal.ts";
import { type Pause, realPause } from "../../flow/pause.ts";
import { movableWorld } from "../../flow/testing/flow-ground.ts";
import type { Garden } from "../../garden.ts";
import { gardenWith, testGround } from "../../testing/scratch.ts";
import { manifestAt } from "../open-runs.ts";
import {
  type RunContext,
  type RunFlow,
  type RunFlowEnd,
  type RunsEngine,
  type RunsOptions,
  startRuns,
} from "../runs-engine.ts";

/** Time that only a test moves, and pauses that end when it has passed them. */
export interface TestClock {
  readonly world: World;
  readonly pause: Pause;
  /** Lets time go by, in some fifty strides: what ends in between ends at the end of its stride. */
  pass(ms: number): Promise<void>;
  /** Sets the clock, without time going by. */
  jump(ms: number): void;
}

const STRIDES = 50;

export function testClock(start?: string): TestClock {
  const time = movableWorld(start);
  const chance = seeded(1);
  const world: World = {
    now: () => time.now(),
    random: (count) => Uint8Array.from({ length: count }, () => Math.floor(chance() * 256)),
  };
  let steady = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    world,
    jump: (ms) => time.move(ms),
    pause(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = { until: steady + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          resolve();
        });
      });
    },
    async pass(ms) {
      for (let left = ms; left > 0; ) {
        const first = Math.min(...[...sleepers].map(({ until: at }) => at - steady));
        const next = Math.min(left, Math.max(first, ms / STRIDES, 1));
        steady += next;
        time.move(next);
        left -= next;
        for (const sleeper of [...sleepers].filter(({ until }) => until <= steady)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await sleep(1);
      }
    },
  };
}

export interface EngineGround {
  readonly garden: Garden;
  readonly dir: string;
  readonly clock: TestClock;
  /** Engines are closed by whoever started them. */
  engine(
    flow: RunFlow,
    options?: Partial<RunsOptions> & { readonly limit?: number; readonly garden?: Garden },
  ): Promise<RunsEngine>;
}

export async function engineGround(
  start?: string,
  notes: Readonly<Record<string, string>> = {},
): Promise<EngineGround> {
  const clock = testClock(start);
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n", ...notes }, testGround(clock.world));
  return {
    garden,
    dir,
    clock,
    engine: (flow, { limit = 4, garden: other = garden, ...options } = {}) =>
      startRuns(other, {
        orchestrator: embeddedOrchestrator({ world: clock.world, limit, wait: clock.pause }),
        flow,
        pause: clock.pause,
        ...options,
      }),
  };
}

/** Puts an active agent's contract into the store, as if it had been there. */
export async function withAgent(
  { store }: { readonly store: Store },
  slug: string,
  over: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  const bytes = Buffer.from(contractText(slug, { status: "active", ...over }));
  const there = await store.get(contractKey(slug));
  if (there) await store.swap(contractKey(slug), there.hash, bytes);
  else await store.create(contractKey(slug), bytes);
}

/** A run with the pins at its beginning and a manifest at its end; what lies in between is the test's. */
export const flowOf =
  (program: (context: RunContext) => Promise<RunFlowEnd | void>): RunFlow =>
  async (context) => {
    const { garden, place, request, flow } = context;
    const pins = await flow.step(LOAD_CONTEXT, { agent: place.slug }, async () => {
      const contract = Buffer.from((await garden.store.get(contractKey(place.slug)))!.bytes).toString();
      return {
        agent_version: "1.0.0",
        contract_hash: contractHash(contract),
        logic_version: null,
        behaviour_id: null,
        garden_commit: (await garden.repo.resolve(MAIN_REF))!,
        contract,
      };
    });
    const end = await program(context);
    if (end) return end;
    const { contract: _, ...held } = pins;
    await finishRun({ ...garden, pause: realPause }, place, {
      ...held,
      trigger: request.trigger,
      status: "completed",
      model_used: "bloom/follower",
      error: null,
      outcome: { kind: "noop", reason: "as the test wants it" },
      engine: "embedded",
      forked_from: null,
      error_details: null,
    });
    return { kind: "ended" };
  };

/** Steps that do nothing but say so. */
export const steps =
  (count: number, said: (line: string) => void = () => undefined) =>
  async ({ flow, place }: RunContext): Promise<void> => {
    for (let n = 1; n <= count; n++) {
      await flow.step(`step-${n}`, { n }, async (): Promise<Json> => {
        said(`${place.run} ${n}`);
        return n;
      });
    }
  };

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 5000) throw new Error("it never came");
    await sleep(2);
  }
}

export const endOf = (garden: Garden, place: RunPlace): Promise<RunManifest | undefined> =>
  manifestAt(garden.store, place);

export async function statusOf({ store }: Garden, { slug, run }: RunPlace): Promise<RunStatus | undefined> {
  const stored = await store.get(keys.runStatus(slug, run));
  return stored && runStatus.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
}
