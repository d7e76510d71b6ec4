import { setTimeout as delay } from "node:timers/promises";
import type { World } from "../../../../base/world.ts";

/** The pause after a push of main, as a share of its duration: another machine fetches, follows, plans and pushes meanwhile. */
const MIN_REST = 0.5;
const MAX_REST = 3;
const MAX_REST_MS = 500;

/** Pauses of a process that moves main, so that the others get their turn. */
export class PushTurns {
  readonly #world: World;
  #restUntil = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async next(): Promise<void> {
    const rest = this.#restUntil - performance.now();
    if (rest > 0) await delay(rest);
  }

  /** A push of main that began then was accepted. */
  taken(began: number): void {
    const now = performance.now();
    const share = MIN_REST + (this.#world.random(1)[0]! / 255) * (MAX_REST - MIN_REST);
    this.#restUntil = now + Math.min(MAX_REST_MS, (now - began) * share);
  }
}
