import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { scanLog } from "./log-record.ts";
import {
  type FilesMade,
  type FilesPlace,
  type FilesPlaceNames,
  filesPlace,
  foldersOf,
  makeFiles,
} from "./make-files.ts";

/** A part of a log file. */
export interface LogRange {
  readonly path: string;
  from: number;
  to: number;
}

/** Makes files from parts of the log, and syncs files. */
export interface FileMaker {
  make(range: Readonly<LogRange>): Promise<FilesMade>;
  sync(paths: ReadonlySet<string>): Promise<void>;
  /** Synchronous `sync`, for opening. */
  syncNow(paths: ReadonlySet<string>): void;
  close(): Promise<void>;
}

export function makeFromLog(place: FilesPlace, range: Readonly<LogRange>): FilesMade {
  const { records } = scanLog(place.disk.readRange(range.path, range.from, range.to), 0);
  return makeFiles(place, records);
}

/** Syncs files and their folders one by one. */
function syncEach(place: FilesPlace, paths: ReadonlySet<string>): void {
  for (const path of paths) place.disk.sync(path);
  for (const folder of foldersOf(place.root, paths)) place.disk.sync(folder);
}

/**
 * Syncs thousands of files with one `sync -f` (one system call for the whole file system). Only Linux has it with error
 * reporting; elsewhere each file is synced by itself.
 */
export function syncMany(place: FilesPlace, paths: ReadonlySet<string>): void {
  if (process.platform === "linux" && spawnSync("sync", ["-f", place.root]).status === 0) return;
  syncEach(place, paths);
}

/** Works in the caller's thread, so that tests can observe each call. */
export const inlineMaker = (place: FilesPlace): FileMaker => ({
  make: async (range) => makeFromLog(place, range),
  sync: async (paths) => syncEach(place, paths),
  syncNow: (paths) => syncEach(place, paths),
  close: async () => undefined,
});

/** About what one run writes: takes some milliseconds, while a thread would cost 40 MB permanently. */
const SMALL_RANGE = 64 * 1024;
const FEW_FILES = 32;

/** The extension is that of this file: `.ts` in the repository, `.js` in the published package. */
const THREAD = new URL(
  `./file-maker-thread${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`,
  import.meta.url,
);

/** Small work runs inline, large work in a worker thread, so that the event loop stays responsive. */
export function threadedMaker(place: FilesPlaceNames, program = THREAD): FileMaker {
  const here = filesPlace(place);
  let thread: MakerThread | undefined;
  /** A thread that exited (out of memory) is replaced at the next request. */
  const ask = (request: MakerRequest): Promise<unknown> => {
    if (!thread || thread.hasEnded) thread = new MakerThread(place, program);
    return thread.ask(request);
  };
  return {
    async make(range) {
      if (range.to - range.from <= SMALL_RANGE) return makeFromLog(here, range);
      return (await ask({ make: range })) as FilesMade;
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

/** Requests to the thread; it answers `{result}` or `{error}`, in order. */
export type MakerRequest = { make: Readonly<LogRange> } | { sync: ReadonlySet<string> };

class MakerThread {
  readonly #worker: Worker;
  #requests: { resolve: (result: unknown) => void; reject: (reason: unknown) => void }[] = [];
  hasEnded = false;

  constructor(place: FilesPlaceNames, program: URL) {
    this.#worker = new Worker(program, { workerData: place });
    this.#worker.unref();
    this.#worker.on("message", (answer: { result?: unknown; error?: { message: string; code?: string } }) => {
      const next = this.#requests.shift();
      if (this.#requests.length === 0) this.#worker.unref();
      if (answer.error === undefined) next?.resolve(answer.result);
      else next?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    });
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the file maker thread has exited")));
  }

  #end(error: unknown): void {
    this.hasEnded = true;
    // With a code, so that it counts as a disk error and is retried.
    const { message, code = "EAGAIN" } = error as NodeJS.ErrnoException;
    for (const { reject } of this.#requests.splice(0)) reject(Object.assign(new Error(message), { code }));
  }

  ask(request: MakerRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ resolve, reject });
      this.#worker.ref(); // keeps the process alive during the request
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
