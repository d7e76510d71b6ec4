import { DatabaseSync } from "node:sqlite";

/**
 * The right to own something, a garden for instance. It must end with the process, however that ends: a lock file outlives
 * `kill -9`, and asking "is that pid alive?" is a race. SQLite takes a lock that the kernel drops with the process, on every
 * system, without a native addon. Nothing is ever stored in the file.
 */
export interface ProcessLock {
  release(): void;
}

/** Undefined if another process (or another holder in this one) has it. */
export function takeProcessLock(path: string): ProcessLock | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

const SQLITE_BUSY = 5;
