import { setTimeout as sleep } from "node:timers/promises";

type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Sends in the order of the calls within each lane. While the engine is away, a lane tries again with growing pauses; nothing is
 * dropped before `close`, and after it the store still has the open runs.
 */
export class SendQueue {
  readonly #wait: Wait;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #over = new AbortController();

  constructor(wait: Wait = realWait) {
    this.#wait = wait;
  }

  add(lane: string, send: () => Promise<void>): void {
    const mine: Promise<void> = (this.#lanes.get(lane) ?? Promise.resolve())
      .then(() => this.#try(send))
      .finally(() => {
        if (this.#lanes.get(lane) === mine) this.#lanes.delete(lane);
      });
    this.#lanes.set(lane, mine);
  }

  /** Resolves when all that was added to the lane before is sent, or the queue is closed. */
  async sent(lane: string): Promise<void> {
    await this.#lanes.get(lane);
  }

  close(): void {
    this.#over.abort();
  }

  async #try(send: () => Promise<void>): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.#over.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await send();
      } catch {
        await this.#wait(pause, this.#over.signal); // `health` tells why
      }
    }
  }
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

const realWait: Wait = (ms, signal) =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
