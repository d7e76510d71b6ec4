/** A turn of a lane: `mine` resolves when it may begin; `end` lets the next one begin, also if it never began. */
interface Turn {
  readonly mine: Promise<void>;
  end(): void;
}

/**
 * One run at a time in a lane, and at most `limit` in all lanes. The engines keep the lanes too, but may deliver twice: two deliveries
 * of one run in one process would share its lease.
 */
export class Turns {
  readonly #limit: number;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(lane: string): Turn {
    let release = (): void => undefined;
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const mine = before.then(() => this.#place());
    const mineEnds = new Promise<void>((resolve) => (release = resolve));
    const whole = mine.then(() => mineEnds);
    this.#lanes.set(lane, whole);
    let isOver = false;
    return {
      mine,
      end: () => {
        if (isOver) return;
        isOver = true;
        release();
        void mine.then(() => this.#free());
        if (this.#lanes.get(lane) === whole) this.#lanes.delete(lane);
      },
    };
  }

  #place(): Promise<void> {
    if (this.#busy < this.#limit) {
      this.#busy++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy--;
  }
}
