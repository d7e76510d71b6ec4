import { openDirStore } from "../../../../adapters/store/dir/dir-store.ts";
import { fixedWorld } from "../../../../base/testing/fixed-world.ts";
import { type World } from "../../../../base/world.ts";
import type { Store } from "../../../../ports/store.ts";
import { scratch } from "../../../testing/scratch.ts";
import type { Pause } from "../pause.ts";

/** A clock that a test moves, and random bytes that never repeat. */
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

/** A pause that ends at once and records the requested time; time limits are passed through (`longest`). */
export interface TestPause {
  readonly waited: number[];
  readonly pause: Pause;
}

/** Pauses longer than `longest` end only when aborted: those are time limits. */
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
