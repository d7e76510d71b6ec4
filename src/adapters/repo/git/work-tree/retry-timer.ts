const FIRST_PAUSE_MS = 300;
const LAST_PAUSE_MS = 15_000;

/** Retries `work` after pauses that double up to `LAST_PAUSE_MS`. It does not keep the process alive. */
export class RetryTimer {
  readonly #work: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #stopped = false;

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
  }

  /** Idempotent while a retry is scheduled. Work that throws is scheduled again. */
  schedule(): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#work().catch(() => this.schedule());
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(LAST_PAUSE_MS, this.#pauseMs * 2);
  }

  reset(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
