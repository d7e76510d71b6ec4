/**
 * Decides between a synchronous log write and one in the thread pool. On a disk that syncs in 0.1 ms, a lone write costs less than
 * the thread switch. A slow disk would block the event loop, and many concurrent writers are served best by group commit.
 */
export class SyncWritePolicy {
  /** Batches in a row that left no write waiting. */
  #alone = 0;
  #quickest = Number.POSITIVE_INFINITY;
  #seen = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #notBefore = 0;

  /** `count` and `bytes` describe the next batch. */
  allows(count: number, bytes: number, now: number): boolean {
    return count <= MAX_SYNC_RECORDS && bytes <= SMALL && this.isAlone && now >= this.#notBefore;
  }

  /** One writer at a time, for some batches now. */
  get isAlone(): boolean {
    return this.#alone >= ALONE;
  }

  /** Records a written batch; `waiting`: writes queued behind it. */
  wrote(count: number, waiting: number): void {
    this.#alone = count <= MAX_SYNC_RECORDS && waiting === 0 ? this.#alone + 1 : 0;
  }

  /**
   * Records the duration of a synchronous write. One slow write may be a busy processor; if the fastest of several is slow, or one
   * takes `STALLED_MS`, the disk is slow, and synchronous writes pause for a time that doubles.
   */
  took(ms: number, now: number): void {
    this.#quickest = Math.min(this.#quickest, ms);
    if (++this.#seen < SEVERAL && ms < STALLED_MS) return;
    const isSlow = this.#quickest > QUICK_MS || ms >= STALLED_MS;
    this.#quickest = Number.POSITIVE_INFINITY;
    this.#seen = 0;
    if (!isSlow && now - this.#notBefore > FORGIVEN_MS) this.#pauseMs = FIRST_PAUSE_MS;
    if (!isSlow) return;
    this.#notBefore = now + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Maximum number of records in a synchronous batch. */
export const MAX_SYNC_RECORDS = 4;
const SMALL = 64 * 1024;
const ALONE = 4;
const SEVERAL = 4;
const QUICK_MS = 1;
const STALLED_MS = 20;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 60_000;
const FORGIVEN_MS = 10_000;
