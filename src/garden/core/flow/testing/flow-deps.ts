import { openDirStore } from "../../../../adapters/store/dir/dir-store.ts";
import { fixedWorld, type World } from "../../../../base/world.ts";
import type { Store } from "../../../../ports/store.ts";
import { scratch } from "../../../testing/scratch.ts";
import type { Pause } from "../pause.ts";

/** A clock that stands still until a test moves it, and chance that never repeats. */
export interface MovableWorld extends World {
  move(ms: number): void;
}

export function movableWorld(start = "2026-02-14T08:00:00Z"): MovableWorld {
  let time = Date.parse(start);
  const chance = fixedWorld(0);
  return { now: () => time, random: (count) => chance.random(count), move: (ms) => void (time += ms) };
}

/** A real store in a folder of its own. */
export async function storeIn(dir: string = scratch()): Promise<{ readonly store: Store; readonly dir: string }> {
  return { store: await openDirStore({ garden: dir, world: movableWorld() }), dir };
}

/** Waits for nothing and remembers how long it was asked to; ends at once, so limits of time are told apart by `until`. */
export interface TestPause {
  readonly waited: number[];
  readonly pause: Pause;
}

/** Pauses longer than `longest` never end by themselves: those are limits, not waits. */
export function testPause(longest = 10_000): TestPause {
  const waited: number[] = [];
  return {
    waited,
    pause(ms, signal) {
      if (ms > longest) return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
      waited.push(ms);
      return Promise.resolve();
    },
  };
}
