import { join } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Disk, LogFile } from "./disk.ts";
import { encodeRecord, type LogRecord, MAGIC } from "./log-record.ts";
import { FEW, InTurn } from "./sync-write-policy.ts";

/**
 * The log that every write goes through. Whoever waits while a sync is under way shares the next one, so that sixteen
 * writers cost little more than one (group commit).
 *
 * A file of the log is never appended to after a crash or a failed write: behind a torn record may lie whole ones that
 * nobody was told of, and a new record of the right length would bring them back. Opening starts a new file.
 */
export class Log {
  readonly #disk: Disk;
  readonly #folder: string;
  #file: LogFile | undefined;
  #path = "";
  #number: number;
  #position = 0;
  #room = 0;
  #seq: number;
  #answered: number;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #gather: { readonly enough: number; readonly resolve: () => void } | undefined;
  #rotations: (() => void)[] = [];
  readonly #inTurn = new InTurn();

  constructor(disk: Disk, folder: string, lastNumber: number, lastSeq: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#number = lastNumber;
    this.#seq = lastSeq;
    this.#answered = lastSeq;
  }

  /** The sequence number up to which all is on the medium. */
  get answered(): number {
    return this.#answered;
  }

  /** The file being written, and how far: undefined before the first write. */
  get current(): { readonly path: string; readonly bytes: number } | undefined {
    return this.#file && { path: this.#path, bytes: this.#position };
  }

  /**
   * Queues a record. Its number is given at once, in the order of the calls; the promise settles when it is on the
   * medium, or throws what the disk said, and then neither it nor anything queued behind it is in the log, unless
   * `LogUncertain` says so. `written` is called first, in the order of the records.
   */
  append(
    record: Omit<LogRecord, "seq" | "answered">,
    written: (place: Place) => void,
  ): { seq: number; synced: Promise<void> } {
    const seq = ++this.#seq;
    const synced = new Promise<void>((resolve, reject) =>
      this.#waiting.push({ record, seq, written, resolve, reject }),
    );
    this.#draining ??= this.#drain();
    if (this.#gather && this.#waiting.length >= this.#gather.enough) this.#gather.resolve();
    return { seq, synced };
  }

  /** Ends the current file after the batch under way; the next append begins another. */
  async rotate(): Promise<void> {
    if (this.#draining) await new Promise<void>((done) => this.#rotations.push(done));
    else this.#endFile();
  }

  /** Waits until everything that was queued is decided. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    await Promise.resolve(); // let `#draining` be set, and whoever calls in this turn come along
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#write(batch);
      } catch (error) {
        await this.#fail(batch, error);
      }
      this.#rotateIfAsked();
      // Those who were answered usually write again: let them queue before the next batch is taken, or one writer's
      // record travels alone and the other fifteen wait for it.
      await this.#gathered(batch.length);
      this.#gather = undefined;
    }
    this.#draining = undefined;
    this.#rotateIfAsked();
  }

  /** Waits until half of those who write have queued, or all who want to: the other half works while these are synced. */
  #gathered(answered: number): Promise<void> {
    return new Promise((resolve) => {
      this.#gather = { enough: Math.max((answered + this.#waiting.length) / 2, ENOUGH), resolve };
      setImmediate(resolve);
    });
  }

  #rotateIfAsked(): void {
    if (this.#rotations.length > 0) this.#endFile();
    for (const done of this.#rotations.splice(0)) done();
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const file = this.#file ?? this.#begin();
    const start = this.#position === 0 ? MAGIC.length : this.#position;
    const buffers: Uint8Array[] = this.#position === 0 ? [MAGIC] : [];
    let end = start;
    const places: Place[] = [];
    for (const { record, seq } of batch) {
      const parts = encodeRecord({ seq, answered: this.#answered, ...record });
      const from = end;
      for (const part of parts) end += part.length;
      buffers.push(...parts);
      places.push({ path: this.#path, from, to: end, seq });
    }
    crashPoint("store.log.before-write");
    const at = this.#position === 0 ? 0 : start;
    if (end <= this.#room && this.#inTurn.may(batch.length, end - start, performance.now()))
      this.#writeInTurn(file, buffers, at);
    else await this.#writeWithRoom(file, buffers, at, end);
    crashPoint("store.log.after-sync");
    this.#inTurn.wrote(batch.length, this.#waiting.length);
    this.#position = end;
    this.#answered = batch.at(-1)!.seq;
    for (let i = 0; i < batch.length; i++) batch[i]!.written(places[i]!);
    for (const { resolve } of batch) resolve();
  }

  #writeInTurn(file: LogFile, buffers: readonly Uint8Array[], at: number): void {
    const begin = performance.now();
    file.writeNow(buffers, at);
    const end = performance.now();
    this.#inTurn.took(end - begin, end);
  }

  /** Zeros behind the records make room for the next ones. On a disk too full for them, the records go alone. */
  async #writeWithRoom(file: LogFile, buffers: readonly Uint8Array[], at: number, end: number): Promise<void> {
    if (end > this.#room) {
      const more = Math.min(Math.max(this.#room, MIN_ROOM), MAX_ROOM);
      try {
        await file.write([...buffers, ZEROS.subarray(0, more)], at);
        this.#room = end + more;
        return;
      } catch {
        this.#room = end;
      }
    }
    await file.write(buffers, at);
  }

  #begin(): LogFile {
    this.#number++;
    this.#path = join(this.#folder, `${String(this.#number).padStart(8, "0")}.log`);
    this.#position = 0;
    this.#room = 0;
    this.#file = this.#disk.createLog(this.#path);
    return this.#file;
  }

  /** Takes back what a failed write may have left, and fails everybody who was waiting on it or behind it. */
  async #fail(batch: readonly Waiting[], error: unknown): Promise<void> {
    let reason = error;
    try {
      await this.#file?.cut(this.#position);
    } catch (second) {
      reason = new LogUncertain(second);
    }
    const behind = this.#waiting.splice(0); // they came while we cut, and count on what has just failed
    this.#seq = this.#answered;
    for (const { reject } of [...batch, ...behind]) reject(reason);
    this.#endFile();
  }

  #endFile(): void {
    const file = this.#file;
    this.#file = undefined;
    file?.close();
  }
}

/** Where a record lies. */
export interface Place {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly seq: number;
}

/** A write failed, and so did taking it back: after a restart it may be there. The cause is what the disk said. */
export class LogUncertain extends Error {
  constructor(cause: unknown) {
    super("a failed write could not be taken back", { cause });
  }
}

interface Waiting {
  readonly record: Omit<LogRecord, "seq" | "answered">;
  readonly seq: number;
  readonly written: (place: Place) => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const MAX_BATCH = 1024;
/** More than are ever written in turn: between two such batches timers and sockets must have theirs. */
const ENOUGH = FEW + 1;
const MIN_ROOM = 64 * 1024;
const MAX_ROOM = 4 * 1024 * 1024;
const ZEROS = Buffer.alloc(MAX_ROOM);
