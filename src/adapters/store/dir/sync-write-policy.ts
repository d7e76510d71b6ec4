/**
 * Whether the next write of the log is made and synced in this very turn of the event loop, or by another thread. On a disk that
 * syncs in a tenth of a millisecond, a lone write costs less than handing it over and being woken again; a slow disk would
 * keep the whole process waiting, and many writers are served best together while the last sync is under way.
 */
export class InTurn {
  /** Batches in a row behind which nobody was waiting. */
  #alone = 0;
  #quickest = Number.POSITIVE_INFINITY;
  #seen = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #notBefore = 0;

  /** `count` and `bytes` of the batch that is to be written now. */
  may(count: number, bytes: number, now: number): boolean {
    return count <= FEW && bytes <= SMALL && this.#alone >= ALONE && now >= this.#notBefore;
  }

  /** A batch was written; this many wait already. */
  wrote(count: number, waiting: number): void {
    this.#alone = count <= FEW && waiting === 0 ? this.#alone + 1 : 0;
  }

  /**
   * How long a write in turn took. One that is late met a busy processor; when the quickest of several is late, or one is very
   * late, it is the disk, and other threads wait for it for a while, longer each time.
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

/** Of a batch that may be written in turn. */
export const FEW = 4;
const SMALL = 64 * 1024;
const ALONE = 4;
const SEVERAL = 4;
const QUICK_MS = 1;
const STALLED_MS = 20;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 60_000;
const FORGIVEN_MS = 10_000;
