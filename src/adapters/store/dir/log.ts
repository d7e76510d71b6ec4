import { join } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Disk, LogFile } from "./disk.ts";
import { encodeRecord, type LogRecord, MAGIC } from "./log-record.ts";
import { MAX_SYNC_RECORDS, SyncWritePolicy } from "./sync-write-policy.ts";

/**
 * The write-ahead log, with group commit: writes that arrive during a sync share the next one, so that sixteen writers cost little
 * more than one.
 *
 * A log file is never appended to after a crash or a failed write: behind a torn record there may be complete, unanswered ones, and
 * a new record of the same length would revive them. Opening starts a new file.
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
  #waiting: QueuedRecord[] = [];
  #draining: Promise<void> | undefined;
  #gather: { readonly enough: number; readonly resolve: () => void } | undefined;
  #rotations: (() => void)[] = [];
  /** Records of a lone writer since other work of the process had its turn. */
  #inARow = 0;
  #isTurnDue = false;
  readonly #syncWrites = new SyncWritePolicy();

  constructor(disk: Disk, folder: string, lastNumber: number, lastSeq: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#number = lastNumber;
    this.#seq = lastSeq;
    this.#answered = lastSeq;
  }

  /** Sequence number up to which everything is durable. */
  get answered(): number {
    return this.#answered;
  }

  /** The current file and its length; undefined before the first write. */
  get current(): { readonly path: string; readonly bytes: number } | undefined {
    return this.#file && { path: this.#path, bytes: this.#position };
  }

  /**
   * Queues a record and returns its sequence number. Records that are queued in one turn of the event loop are adjacent. `written` is
   * called when the record is durable, in record order, before `group.synced` settles.
   */
  append(record: NewRecord, group: RecordGroup, written: (place: LogPosition) => void): number {
    const seq = ++this.#seq;
    group.missing++;
    this.#waiting.push({ record, seq, written, group });
    this.#draining ??= this.#drain();
    if (this.#gather && this.#waiting.length >= this.#gather.enough) this.#gather.resolve();
    return seq;
  }

  /** Closes the current file after the batch under way; the next append starts another. */
  async rotate(): Promise<void> {
    if (this.#draining) await new Promise<void>((done) => this.#rotations.push(done));
    else this.#endFile();
  }

  /** Waits until every queued record has succeeded or failed. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    await Promise.resolve(); // lets `#draining` be set, and other calls of this turn join the batch
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#write(batch);
      } catch (error) {
        await this.#fail(batch, error);
      }
      this.#rotateIfAsked();
      // Answered writers usually write again. Without this pause one writer's record would be synced alone while the others wait.
      await this.#waitForWriters(batch.length);
      this.#gather = undefined;
    }
    this.#draining = undefined;
    this.#rotateIfAsked();
  }

  /**
   * Group commit: waits until half of the active writers have queued, so that the rest can prepare during the sync. A lone writer is
   * served at once, some records in a row: then timers and sockets get their turn.
   */
  #waitForWriters(answered: number): Promise<void> {
    return new Promise((resolve) => {
      if (answered === 1 && this.#syncWrites.isAlone && this.#inARow < MAX_IN_A_ROW) {
        this.#inARow++;
        this.#gather = { enough: 1, resolve };
        if (!this.#isTurnDue)
          setImmediate(() => {
            this.#isTurnDue = false;
            this.#gather?.resolve();
          });
        this.#isTurnDue = true;
        return;
      }
      this.#inARow = 0;
      this.#gather = { enough: Math.max((answered + this.#waiting.length) / 2, ENOUGH), resolve };
      setImmediate(resolve);
    });
  }

  #rotateIfAsked(): void {
    if (this.#rotations.length > 0) this.#endFile();
    for (const done of this.#rotations.splice(0)) done();
  }

  async #write(batch: readonly QueuedRecord[]): Promise<void> {
    const file = this.#file ?? this.#begin();
    const start = this.#position === 0 ? MAGIC.length : this.#position;
    const buffers: Uint8Array[] = this.#position === 0 ? [MAGIC] : [];
    let end = start;
    const places: LogPosition[] = [];
    for (const { record, seq } of batch) {
      const parts = encodeRecord({ seq, answered: this.#answered, ...record });
      const from = end;
      for (const part of parts) end += part.length;
      buffers.push(...parts);
      places.push({ path: this.#path, from, to: end, seq });
    }
    crashPoint("store.log.before-write");
    const at = this.#position === 0 ? 0 : start;
    if (end <= this.#room && this.#syncWrites.allows(batch.length, end - start, performance.now()))
      this.#writeSync(file, buffers, at);
    else await this.#writeWithRoom(file, buffers, at, end);
    crashPoint("store.log.after-sync");
    this.#syncWrites.wrote(batch.length, this.#waiting.length);
    this.#position = end;
    this.#answered = batch.at(-1)!.seq;
    for (let i = 0; i < batch.length; i++) batch[i]!.written(places[i]!);
    for (const { group } of batch) if (--group.missing === 0) group.resolve();
  }

  #writeSync(file: LogFile, buffers: readonly Uint8Array[], at: number): void {
    const begin = performance.now();
    file.writeNow(buffers, at);
    const end = performance.now();
    this.#syncWrites.took(end - begin, end);
  }

  /** Appends zeros as room for the next records, unless the disk is too full for them. */
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

  /** Truncates what a failed write may have left, and rejects its batch and everything queued behind it. */
  async #fail(batch: readonly QueuedRecord[], error: unknown): Promise<void> {
    let reason = error;
    try {
      await this.#file?.cut(this.#position);
    } catch (second) {
      reason = new LogUncertain(second);
    }
    const behind = this.#waiting.splice(0); // queued meanwhile, based on state that has just failed
    this.#seq = this.#answered;
    for (const { group } of [...batch, ...behind]) group.reject(reason);
    this.#endFile();
  }

  #endFile(): void {
    const file = this.#file;
    this.#file = undefined;
    file?.close();
  }
}

/** The position of a record. */
export interface LogPosition {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly seq: number;
}

/** A write failed and could not be truncated: after a restart it may be there. The cause is the disk error. */
export class LogUncertain extends Error {
  constructor(cause: unknown) {
    super("a failed write could not be rolled back", { cause });
  }
}

export type NewRecord = Omit<LogRecord, "seq" | "answered">;

/** Records that are answered together. All are queued in one turn of the event loop. */
export interface RecordGroup {
  /**
   * Resolves when all are durable. If it rejects, a prefix of them may be, and nothing behind it is in the log, except after
   * `LogUncertain`.
   */
  readonly synced: Promise<void>;
  missing: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function recordGroup(): RecordGroup {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined); // a caller that fails while it queues the group does not wait for it
  return { synced: promise, missing: 0, resolve, reject };
}

interface QueuedRecord {
  readonly record: NewRecord;
  readonly seq: number;
  readonly written: (place: LogPosition) => void;
  readonly group: RecordGroup;
}

const MAX_BATCH = 1024;
const MAX_IN_A_ROW = 3;
/** More than a synchronous batch may hold, so that timers and sockets run between two of those. */
const ENOUGH = MAX_SYNC_RECORDS + 1;
const MIN_ROOM = 64 * 1024;
const MAX_ROOM = 4 * 1024 * 1024;
const ZEROS = Buffer.alloc(MAX_ROOM);
