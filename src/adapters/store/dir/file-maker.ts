import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { realDisk } from "./disk.ts";
import { scanLog } from "./log-record.ts";
import { type FilesPlace, foldersOf, type MadeFiles, makeFiles } from "./make-files.ts";

/** A part of a log file. */
export interface LogRange {
  readonly path: string;
  from: number;
  to: number;
}

/** Turns parts of the log into files, and forces files to the medium. */
export interface FileMaker {
  make(range: Readonly<LogRange>): Promise<MadeFiles>;
  sync(paths: ReadonlySet<string>): Promise<void>;
  /** The same, and the whole process waits for it: at opening. */
  syncNow(paths: ReadonlySet<string>): void;
  close(): Promise<void>;
}

export function makeFromLog(place: FilesPlace, range: Readonly<LogRange>): MadeFiles {
  const { records } = scanLog(place.disk.readRange(range.path, range.from, range.to), 0);
  return makeFiles(place, records);
}

/** Files and the names of their folders, one by one. */
function syncEach(place: FilesPlace, paths: ReadonlySet<string>): void {
  for (const path of paths) place.disk.sync(path);
  for (const folder of foldersOf(place.root, paths)) place.disk.sync(folder);
}

/**
 * Thousands of files are synced at once by `sync -f` (one system call for the whole file system) where that exists. Only
 * Linux has it, and only there does it report errors; everywhere else each file is synced by itself.
 */
export function syncMany(place: FilesPlace, paths: ReadonlySet<string>): void {
  if (process.platform === "linux" && spawnSync("sync", ["-f", place.root]).status === 0) return;
  syncEach(place, paths);
}

/** In the caller's own thread: simple, and observable call by call. */
export const inlineMaker = (place: FilesPlace): FileMaker => ({
  make: async (range) => makeFromLog(place, range),
  sync: async (paths) => syncEach(place, paths),
  syncNow: (paths) => syncEach(place, paths),
  close: async () => undefined,
});

/** About as much as one run writes: made in some milliseconds, and a thread for it would take 40 MB for good. */
const SMALL_RANGE = 64 * 1024;
const FEW_FILES = 32;

/** The ending is that of this very file: `.ts` in the repository, `.js` in the published package. */
const THREAD = new URL(
  `./file-maker-thread${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`,
  import.meta.url,
);

/** Small work at once, large work in a thread of its own, so that the event loop goes on answering. */
export function threadedMaker(place: Omit<FilesPlace, "disk">, program = THREAD): FileMaker {
  const here = { ...place, disk: realDisk };
  let thread: MakerThread | undefined;
  /** A thread that ended, for want of memory or of threads, answers nobody: the next request has another one. */
  const ask = (request: MakerRequest): Promise<unknown> => {
    if (!thread || thread.hasEnded) thread = new MakerThread(place, program);
    return thread.ask(request);
  };
  return {
    async make(range) {
      if (range.to - range.from <= SMALL_RANGE) return makeFromLog(here, range);
      return (await ask({ make: range })) as MadeFiles;
    },
    async sync(paths) {
      if (paths.size <= FEW_FILES) return syncEach(here, paths);
      await ask({ sync: paths });
    },
    syncNow: (paths) => (paths.size <= FEW_FILES ? syncEach(here, paths) : syncMany(here, paths)),
    async close() {
      await thread?.close();
      thread = undefined;
    },
  };
}

/** What the thread is asked; it answers `{result}` or `{error}`, in order. */
export type MakerRequest = { make: Readonly<LogRange> } | { sync: ReadonlySet<string> };

class MakerThread {
  readonly #worker: Worker;
  #asked: { resolve: (result: unknown) => void; reject: (reason: unknown) => void }[] = [];
  hasEnded = false;

  constructor(place: Omit<FilesPlace, "disk">, program: URL) {
    this.#worker = new Worker(program, { workerData: place });
    this.#worker.unref();
    this.#worker.on("message", (answer: { result?: unknown; error?: { message: string; code?: string } }) => {
      const next = this.#asked.shift();
      if (this.#asked.length === 0) this.#worker.unref();
      if (answer.error === undefined) next?.resolve(answer.result);
      else next?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    });
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the thread that makes files has ended")));
  }

  #end(error: unknown): void {
    this.hasEnded = true;
    // With a code, so that it is taken for trouble of the machine, which may be over at the next attempt.
    const { message, code = "EAGAIN" } = error as NodeJS.ErrnoException;
    for (const { reject } of this.#asked.splice(0)) reject(Object.assign(new Error(message), { code }));
  }

  ask(request: MakerRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.ref(); // the process may not end while work is under way
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
