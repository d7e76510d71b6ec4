import { dirname } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Text } from "../../../base/text.ts";
import { diskSentence } from "./failures.ts";
import type { FileMaker, LogRange } from "./file-maker.ts";
import type { Log, Place } from "./log.ts";
import type { LogRecord } from "./log-record.ts";
import { type FilesPlace, makeFiles } from "./make-files.ts";

/**
 * Keeps the files close behind the log, and the log short: files are made a moment after the answer, and when a part of the log is
 * all in files, the files are synced and that part is removed. While many are writing, files wait a little longer, so that the
 * writers have the processor and what is overwritten meanwhile is never made; how far they stay behind is bounded, because
 * after a crash somebody waits for them.
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
  /** Records that came since the timer was set, and how often it was set again for them. */
  #came = 0;
  #putOff = 0;
  #idle: NodeJS.Timeout | undefined;
  #checkpoint: Promise<void> | undefined;
  #onMade: (upTo: number) => void = () => undefined;
  /** Files of the log that hold records, with the paths made from them and not yet synced. */
  readonly #unsynced = new Map<string, Set<string>>();
  readonly #handEdits = new Map<string, number>();
  #watchers: (() => void)[] = [];
  #problem: Text | undefined;
  #closing = false;
  /** What the last owner left in its logs, until it is in files. */
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

  /** Everything up to this number shows in the files. */
  get made(): number {
    return this.#made;
  }

  /** Why the files stay behind, if they do. Nothing is lost: the log has it. */
  get problem(): Text | undefined {
    return this.#problem;
  }

  onMade(listener: (upTo: number) => void): void {
    this.#onMade = listener;
  }

  onHandEdit(listener: (key: string, kept: "edit" | "aside") => void): void {
    this.#onHandEdit = listener;
  }

  /** Makes the files that the last owner left in its logs, and removes the logs. False if the disk does not let it now. */
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

  /** A record is on the medium. Called in order. */
  logged(at: Place): void {
    const last = this.#waiting.at(-1);
    if (last && last.path === at.path && last.to === at.from && at.to - last.from <= MAX_RANGE) {
      last.to = at.to;
      last.lastSeq = at.seq;
    } else {
      this.#waiting.push({ path: at.path, from: at.from, to: at.to, lastSeq: at.seq });
    }
    if (!this.#unsynced.has(at.path)) this.#unsynced.set(at.path, new Set());
    this.#came++;
    this.#timer ??= setTimeout(() => this.#makeUnlessBusy(), this.#pace.filesMs).unref();
    if (this.#closing) return;
    const tooLong = (this.#log.current?.bytes ?? 0) > this.#pace.logBytes;
    if (tooLong) this.#startCheckpoint();
    this.#idle?.refresh();
    this.#idle ??= setTimeout(() => this.#startCheckpoint(), this.#pace.idleMs).unref();
  }

  /** Makes the files of everything logged so far, at once. Does not throw: what cannot be made now is made later. */
  async makeNow(): Promise<void> {
    const goal = this.#waiting.at(-1)?.lastSeq ?? 0;
    while (this.#made < goal) {
      if (!this.#making) this.#startMaking();
      await this.#making;
      if (this.#problem) return;
    }
  }

  /** Makes the next files. False if the disk does not let it, or if there are none to make. */
  async makeSome(): Promise<boolean> {
    const before = this.#made;
    if (this.#waiting.length === 0) return false;
    this.#startMaking();
    await new Promise<void>((done) => this.#watchers.push(done));
    return this.#made > before;
  }

  /** Whether a person's edit stood in the way of this record's file, and was kept. */
  lostToHand(key: string, seq: number): boolean {
    return (this.#handEdits.get(key) ?? -1) >= seq;
  }

  /** Makes all files, syncs them and empties the log. If the disk does not let it, the log stays for the next opening. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#log.idle(); // whoever comes after us must find every record that we answer for
    await this.#checkpoint;
    await this.#runCheckpoint();
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
    await this.#maker.close();
  }

  #makeUnlessBusy(): void {
    const waiting = (this.#waiting.at(-1)?.lastSeq ?? 0) - this.#made;
    const isBusy = this.#came >= MANY && waiting < MAX_WAITING && this.#putOff < MAX_PUT_OFF;
    if (!isBusy) return this.#startMaking();
    this.#came = 0;
    this.#putOff++;
    this.#timer = setTimeout(() => this.#makeUnlessBusy(), this.#pace.filesMs).unref();
  }

  #startMaking(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#came = 0;
    this.#putOff = 0;
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
      else range.from = to; // it grew while we worked
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

/** What the disk said. Anything else that is thrown is our own mistake, and is not swallowed. */
function problemOf(error: unknown): Text {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return diskSentence(error);
}

/** Records that an owner had answered for when it ended, and the files of the log that hold them. */
export interface LeftBehind {
  readonly records: readonly LogRecord[];
  readonly logs: readonly string[];
}

/** How long things may take. Tests are impatient. */
export interface Pace {
  /** From an answer to its file. */
  readonly filesMs: number;
  /** Between attempts when the disk refuses. */
  readonly retryMs: number;
  /** Without writes, until the log is emptied. */
  readonly idleMs: number;
  /** Length at which the log is emptied while writing goes on. */
  readonly logBytes: number;
}

/** Records within one `filesMs` that make it a busy one. */
const MANY = 200;
/** Records that may wait for their files however busy it is: some are overwritten, and the others are made in two or three seconds. */
const MAX_WAITING = 25_000;
const MAX_PUT_OFF = 20;

/** How much of the log is turned into files in one go. */
const MAX_RANGE = 2 * 1024 * 1024;

export const realPace: Pace = { filesMs: 100, retryMs: 1000, idleMs: 3000, logBytes: 64 * 1024 * 1024 };
