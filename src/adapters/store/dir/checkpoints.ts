import { dirname } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Text } from "../../../base/text.ts";
import { diskSentence } from "./failures.ts";
import type { FileMaker, LogRange } from "./file-maker.ts";
import type { Log, LogPosition } from "./log.ts";
import type { LogRecord } from "./log-record.ts";
import { type FilesPlace, makeFiles } from "./make-files.ts";

/**
 * Turns log records into files and truncates the log. Files are made shortly after the write is answered; when all records of a log
 * file are in files, the files are synced and the log file is removed. Under load files are made later, so that writers get the
 * processor and overwritten values are skipped. The backlog is bounded, because opening after a crash has to work through it.
 */
export class Checkpoints {
  readonly #place: FilesPlace;
  readonly #log: Log;
  readonly #maker: FileMaker;
  readonly #pace: Pace;
  #waiting: (LogRange & { lastSeq: number })[] = [];
  #made: number;
  #making: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Records logged since the timer was set, and how often making files was postponed. */
  #logged = 0;
  #postponed = 0;
  #idle: NodeJS.Timeout | undefined;
  #checkpoint: Promise<void> | undefined;
  #onMade: (upTo: number) => void = () => undefined;
  /** Log files with records, each with the paths made from it and not yet synced. */
  readonly #unsynced = new Map<string, Set<string>>();
  readonly #handEdits = new Map<string, number>();
  #watchers: (() => void)[] = [];
  #problem: Text | undefined;
  #closing = false;
  /** Records in the logs of the last owner, until they are in files. */
  #left: LeftBehind | undefined;
  #onHandEdit: (key: string, kept: "edit" | "aside") => void = () => undefined;

  constructor(place: FilesPlace, log: Log, maker: FileMaker, pace: Pace, left: LeftBehind) {
    this.#place = place;
    this.#log = log;
    this.#maker = maker;
    this.#pace = pace;
    this.#made = 0;
    this.#left = left;
  }

  /** Sequence number up to which all records are in files. */
  get made(): number {
    return this.#made;
  }

  /** Why files cannot be made now, if so. Nothing is lost: the log has the records. */
  get problem(): Text | undefined {
    return this.#problem;
  }

  onMade(listener: (upTo: number) => void): void {
    this.#onMade = listener;
  }

  onHandEdit(listener: (key: string, kept: "edit" | "aside") => void): void {
    this.#onHandEdit = listener;
  }

  /** Makes files from the logs of the last owner and removes the logs. Returns false if the disk refuses; it is retried. */
  recover(): boolean {
    if (!this.#left) return true;
    const { records, logs } = this.#left;
    try {
      const { touched, handEdits } = makeFiles(this.#place, records, "a crash");
      for (const { key, kept } of handEdits) this.#onHandEdit(key, kept);
      this.#maker.syncNow(new Set(touched));
      for (const path of logs) this.#place.disk.remove(path);
      if (logs[0] !== undefined) this.#place.disk.sync(dirname(logs[0]));
    } catch (error) {
      this.#problem = problemOf(error);
      this.#timer ??= setTimeout(() => this.#startMaking(), this.#pace.retryMs).unref();
      return false;
    }
    this.#left = undefined;
    this.#problem = undefined;
    this.#made = records.at(-1)?.seq ?? 0;
    this.#onMade(this.#made);
    return true;
  }

  /** Called for each durable record, in order. */
  logged(at: LogPosition): void {
    const last = this.#waiting.at(-1);
    if (last && last.path === at.path && last.to === at.from && at.to - last.from <= MAX_RANGE) {
      last.to = at.to;
      last.lastSeq = at.seq;
    } else {
      this.#waiting.push({ path: at.path, from: at.from, to: at.to, lastSeq: at.seq });
    }
    if (!this.#unsynced.has(at.path)) this.#unsynced.set(at.path, new Set());
    this.#logged++;
    this.#timer ??= setTimeout(() => this.#makeUnlessBusy(), this.#pace.filesMs).unref();
    if (this.#closing) return;
    const tooLong = (this.#log.current?.bytes ?? 0) > this.#pace.logBytes;
    if (tooLong) this.#startCheckpoint();
    this.#idle?.refresh();
    this.#idle ??= setTimeout(() => this.#startCheckpoint(), this.#pace.idleMs).unref();
  }

  /** Makes the files of everything logged so far, now. Does not throw: on a disk error it is retried later. */
  async makeNow(): Promise<void> {
    const goal = this.#waiting.at(-1)?.lastSeq ?? 0;
    while (this.#made < goal) {
      if (!this.#making) this.#startMaking();
      await this.#making;
      if (this.#problem) return;
    }
  }

  /**
   * Makes and syncs the files of everything logged so far and empties the log, so that a crash replays none of it over what a
   * person does with the files from now on. Does not throw: on a disk error it is retried later.
   */
  async settleNow(): Promise<void> {
    await this.#checkpoint; // one that began before our record may end without it
    this.#startCheckpoint();
    await (this.#checkpoint ?? this.makeNow());
  }

  /** Makes the next files. Returns false if the disk refuses or nothing is waiting. */
  async makeSome(): Promise<boolean> {
    const before = this.#made;
    if (this.#waiting.length === 0) return false;
    this.#startMaking();
    await new Promise<void>((done) => this.#watchers.push(done));
    return this.#made > before;
  }

  /** True if a person's edit was kept instead of this record's file. */
  lostToHandEdit(key: string, seq: number): boolean {
    return (this.#handEdits.get(key) ?? -1) >= seq;
  }

  /** Makes and syncs all files and empties the log. If the disk refuses, the log stays for the next opening. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#log.idle(); // the next owner must find every answered record
    await this.#checkpoint;
    await this.#runCheckpoint();
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
    await this.#maker.close();
  }

  #makeUnlessBusy(): void {
    const waiting = (this.#waiting.at(-1)?.lastSeq ?? 0) - this.#made;
    const isBusy = this.#logged >= MANY && waiting < MAX_WAITING && this.#postponed < MAX_POSTPONED;
    if (!isBusy) return this.#startMaking();
    this.#logged = 0;
    this.#postponed++;
    this.#timer = setTimeout(() => this.#makeUnlessBusy(), this.#pace.filesMs).unref();
  }

  #startMaking(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#logged = 0;
    this.#postponed = 0;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
      this.#wakeWatchers();
    });
  }

  async #make(): Promise<void> {
    if (!this.recover()) return;
    while (this.#waiting.length > 0) {
      const range = this.#waiting[0]!;
      const { lastSeq, to } = range;
      try {
        const { touched, handEdits } = await this.#maker.make({ path: range.path, from: range.from, to });
        const unsynced = this.#unsynced.get(range.path);
        for (const path of touched) unsynced?.add(path);
        for (const { key, kept } of handEdits) {
          if (kept === "edit") this.#handEdits.set(key, lastSeq);
          this.#onHandEdit(key, kept);
        }
        this.#problem = undefined;
      } catch (error) {
        this.#problem = problemOf(error);
        this.#timer ??= setTimeout(() => this.#startMaking(), this.#pace.retryMs).unref();
        return;
      }
      if (range.to === to) this.#waiting.shift();
      else range.from = to; // it grew meanwhile
      this.#made = lastSeq;
      this.#onMade(lastSeq);
      this.#wakeWatchers();
    }
  }

  #wakeWatchers(): void {
    for (const done of this.#watchers.splice(0)) done();
  }

  #startCheckpoint(): void {
    if (this.#checkpoint || this.#closing) return;
    this.#checkpoint = this.#runCheckpoint().finally(() => {
      this.#checkpoint = undefined;
    });
  }

  async #runCheckpoint(): Promise<void> {
    await this.#log.rotate();
    const ended = [...this.#unsynced.keys()].filter((path) => path !== this.#log.current?.path);
    await this.makeNow();
    if (ended.length === 0 || this.#problem || this.#left) return;
    try {
      crashPoint("store.checkpoint.before-sync");
      await this.#maker.sync(new Set(ended.flatMap((path) => [...(this.#unsynced.get(path) ?? [])])));
      crashPoint("store.checkpoint.before-remove");
      for (const path of ended) {
        this.#place.disk.remove(path);
        crashPoint("store.checkpoint.after-remove");
        this.#unsynced.delete(path);
      }
      this.#place.disk.sync(dirname(ended[0]!));
    } catch (error) {
      this.#problem = problemOf(error);
    }
  }
}

/** The message of a disk error. Rethrows anything else: that is a bug of ours. */
function problemOf(error: unknown): Text {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return diskSentence(error);
}

/** Answered records that the last owner had not put into files, and the log files that hold them. */
export interface LeftBehind {
  readonly records: readonly LogRecord[];
  readonly logs: readonly string[];
}

/** Intervals and limits of the checkpoints. */
export interface Pace {
  /** Delay from an answer to its file. */
  readonly filesMs: number;
  /** Delay before a retry after a disk error. */
  readonly retryMs: number;
  /** Idle time after which the log is emptied. */
  readonly idleMs: number;
  /** Log size at which it is emptied during writes. */
  readonly logBytes: number;
}

/** Records within one `filesMs` that count as load. */
const MANY = 200;
/** Upper bound of records that wait for their files: making them takes two or three seconds. */
const MAX_WAITING = 25_000;
const MAX_POSTPONED = 20;

/** Bytes of the log that are turned into files in one step. */
const MAX_RANGE = 2 * 1024 * 1024;

export const realPace: Pace = { filesMs: 100, retryMs: 1000, idleMs: 3000, logBytes: 64 * 1024 * 1024 };
