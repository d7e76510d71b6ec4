import type { Deliver, Delivery, EngineLink } from "../remote/engine-link.ts";

/** Troubles of an engine and of the network to it; each is asked for once per occasion. */
export interface EngineTroubles {
  /** Milliseconds before the engine gets an offer. */
  readonly sendDelay?: (one: Delivery) => number;
  /** `away`: the engine did not get the offer. `lost`: it did, and its answer is lost. */
  readonly sendFails?: (one: Delivery) => "away" | "lost" | undefined;
  /** The engine does not get the answer to a delivery, and delivers again. */
  readonly answerIsLost?: (one: Delivery) => boolean;
}

interface Waiting {
  readonly one: Delivery;
  readonly name: string;
}

/**
 * A durable queue with the guarantees that `EngineLink` asks for and no others: lanes in the order of arrival, at least one delivery,
 * names that merge while the first offer waits or is worked on. A model of Restate with a clock that tests move, and with troubles.
 */
export class MemoryEngine {
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #workers: Deliver[] = [];
  #lanes = new Map<string, Waiting[]>();
  #names = new Set<string>();
  #busy = new Set<string>();
  #generation = 0;
  #next = 0;
  troubles: EngineTroubles;

  constructor(sleep: (ms: number) => Promise<void>, troubles: EngineTroubles = {}) {
    this.#sleep = sleep;
    this.troubles = troubles;
  }

  /** All that waits is gone; what is worked on at a worker goes on there. */
  wipe(): void {
    this.#generation++;
    [this.#lanes, this.#names, this.#busy] = [new Map(), new Set(), new Set()];
  }

  /** The connection of one process. */
  link(): EngineLink {
    let mine: Deliver | undefined;
    return {
      name: "memory",
      start: (deliver) => {
        mine = deliver;
        this.#workers.push(deliver);
        for (const lane of this.#lanes.keys()) this.#pump(lane);
      },
      send: (one, delayMs, how) => this.#send(one, delayMs, how),
      health: async () => ({ ok: true, remarks: [] }),
      close: async () => {
        if (mine) this.#workers.splice(this.#workers.indexOf(mine), 1);
      },
    };
  }

  async #send(one: Delivery, delayMs: number, how: "merge" | "apart"): Promise<"sent" | "merged"> {
    const late = this.troubles.sendDelay?.(one) ?? 0;
    if (late > 0) await this.#sleep(late);
    const fails = this.troubles.sendFails?.(one);
    if (fails === "away") throw new Error("away");
    const name = how === "merge" ? one.key : one.ticket;
    const isKnown = this.#names.has(name);
    this.#names.add(name);
    if (!isKnown) void this.#arrive({ one, name }, delayMs);
    if (fails === "lost") throw new Error("lost");
    return isKnown ? "merged" : "sent";
  }

  async #arrive(waiting: Waiting, delayMs: number): Promise<void> {
    const generation = this.#generation;
    if (delayMs > 0) await this.#sleep(delayMs);
    if (generation !== this.#generation) return;
    const { lane } = waiting.one;
    this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), waiting]);
    this.#pump(lane);
  }

  #pump(lane: string): void {
    if (this.#busy.has(lane) || this.#workers.length === 0) return;
    const waiting = this.#lanes.get(lane)?.shift();
    if (!waiting) return;
    this.#busy.add(lane);
    const generation = this.#generation;
    void this.#work(waiting).finally(() => {
      if (generation !== this.#generation) return;
      this.#names.delete(waiting.name);
      this.#busy.delete(lane);
      this.#pump(lane);
    });
  }

  async #work({ one }: Waiting): Promise<void> {
    const generation = this.#generation;
    while (generation === this.#generation) {
      const deliver = this.#workers[this.#next++ % Math.max(1, this.#workers.length)];
      try {
        const next = await deliver?.(one);
        if (next) await this.#send(next.delivery, next.delayMs, "apart"); // the worker does it, as with Restate
        if (deliver && !this.troubles.answerIsLost?.(one)) return;
      } catch {
        // The worker is going, or could not send what follows.
      }
      await this.#sleep(RETRY_MS);
    }
  }
}

const RETRY_MS = 100;
