import { setTimeout as sleep } from "node:timers/promises";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { afterEachTest } from "../../../base/testing/clean-up.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import type { World } from "../../../base/world.ts";
import type { Pause } from "../../core/flow/pause.ts";
import { movableWorld } from "../../core/flow/testing/flow-deps.ts";
import type { Garden } from "../../core/garden.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import type { RunFlow } from "../run-flow.ts";
import type { RunsEngine } from "../runs-engine.ts";
import type { RunsOptions } from "../runs-options.ts";
import { startRuns } from "./start-runs.ts";

/** A manual clock, and pauses that end when it has passed them. */
export interface TestClock {
  readonly world: World;
  readonly pause: Pause;
  /** Advances the clock in about fifty steps; a pause ends at the end of its step. */
  pass(ms: number): Promise<void>;
  /** Sets the clock without ending any pause. */
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
  const sleepers = new Set<{ readonly ends: number; readonly wake: () => void }>();
  return {
    world,
    jump: (ms) => time.move(ms),
    pause(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = { ends: steady + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          resolve();
        });
      });
    },
    async pass(ms) {
      for (let left = ms; left > 0; ) {
        const first = Math.min(...[...sleepers].map(({ ends }) => ends - steady));
        const next = Math.min(left, Math.max(first, ms / STRIDES, 1));
        steady += next;
        time.move(next);
        left -= next;
        for (const sleeper of [...sleepers].filter(({ ends }) => ends <= steady)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await sleep(1);
      }
    },
  };
}

const engines: RunsEngine[] = [];
afterEachTest(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

export interface EngineGround {
  readonly garden: Garden;
  readonly dir: string;
  readonly clock: TestClock;
  /** Closed when the test ends, if it is not closed before. */
  readonly engine: (
    flow: RunFlow,
    options?: Partial<RunsOptions> & { readonly limit?: number; readonly garden?: Garden },
  ) => Promise<RunsEngine>;
}

export async function engineGround(
  start?: string,
  notes: Readonly<Record<string, string>> = {},
): Promise<EngineGround> {
  const clock = testClock(start);
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n", ...notes }, testPorts(clock.world));
  return {
    garden,
    dir,
    clock,
    engine: async (flow, { limit = 4, garden: other = garden, ...options } = {}) => {
      const engine = await startRuns(other, {
        orchestrator: embeddedOrchestrator({ world: clock.world, limit, wait: clock.pause }),
        flow,
        pause: clock.pause,
        ...options,
      });
      engines.push(engine);
      return engine;
    },
  };
}
