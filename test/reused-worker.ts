import { readFileSync } from "node:fs";
import { ForksPoolWorker, type PoolOptions, type PoolTask, type PoolWorker, type WorkerRequest } from "vitest/node";

/**
 * A new worker needs a second of processor time to load the modules of most tests. A worker with much memory needs longer to start a
 * process, because the system copies its page tables: 1 ms with 80 MB, 5 ms with 400 MB. Between the two, a worker runs several files.
 */
const MOST_FILES = 12;
const MOST_BYTES = 240 * 1024 * 1024;

/** As vitest writes it, on Windows too. */
const HERE = import.meta.dirname.replaceAll("\\", "/");

/**
 * Files with a worker of their own: tests of the whole program, which take long beside the time for loading and start many processes,
 * those that measure the memory of their process, and those whose packages keep state in it.
 */
export const isAlone = (file: string): boolean =>
  file.startsWith(`${HERE}/`) || ALONE.some((end) => file.endsWith(end));

const ALONE = [
  "/agents/search/commit-notes.test.ts",
  "/life/backup/backup.test.ts",
  "/runtime/mastra/mastra-runtime.test.ts",
];

class ReusedWorker extends ForksPoolWorker implements PoolWorker {
  override readonly name = reusedWorkers.name;
  readonly #ran: string[] = [];
  /** Looked up once after each file: vitest asks twice, and a second answer that differs would leave the process behind. */
  #isSmall: boolean | undefined;

  override send(message: WorkerRequest): void {
    if (message.type === "run") {
      this.#ran.push(...message.context.files.map(({ filepath }) => filepath));
      this.#isSmall = undefined;
    }
    super.send(message);
  }

  canReuse({ context }: PoolTask): boolean {
    const next = context.files.map(({ filepath }) => filepath);
    if (this.#ran.length >= MOST_FILES || [...this.#ran, ...next].some(isAlone)) return false;
    return (this.#isSmall ??= ownBytes(this["_fork"]?.pid) < MOST_BYTES);
  }
}

const PAGE_BYTES = 4096;

/** Memory that a process shares with no other; 0 where the system does not tell. */
function ownBytes(pid: number | undefined): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
    return (resident! - shared!) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** Workers in processes, each of which runs several files one after the other. */
export const reusedWorkers = {
  name: "reused-forks",
  createPoolWorker: (options: PoolOptions): PoolWorker => new ReusedWorker(options),
};
