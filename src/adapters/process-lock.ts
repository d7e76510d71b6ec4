import { DatabaseSync } from "node:sqlite";

/**
 * An exclusive lock that ends with the process, even on `kill -9`. A lock file would outlive it, and asking "is that pid alive?" is a
 * race. SQLite takes a lock that the kernel releases, on every system, without a native addon. The file stays empty.
 */
export interface ProcessLock {
  release(): void;
}

/** Undefined if the lock is held, by another process or in this one. */
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
