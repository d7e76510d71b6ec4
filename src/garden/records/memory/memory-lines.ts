import { Failure } from "../../../base/failure.ts";
import { withLinesOnce } from "../../../domain/memory/memory-record.ts";
import type { Store } from "../../../ports/store.ts";

const MAX_TRIES = 20;

/**
 * Adds missing lines to a file of `agents/<slug>/memory/`; idempotent. The owner may edit or delete the file (C-10), so
 * it is swapped against what was read, or created again.
 */
export async function addMemoryLines(store: Store, key: string, lines: readonly string[]): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await store.get(key);
    const before = stored ? Buffer.from(stored.bytes).toString() : "";
    const after = withLinesOnce(before, lines);
    if (after === before) return [];
    const bytes = Buffer.from(after);
    const done = stored ? await store.swap(key, stored.hash, bytes) : await store.create(key, bytes);
    if (done.kind === "swapped" || done.kind === "created") return [key];
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `${key} keeps changing while it is being written`,
    uk: `${key} змінюється під час запису`,
    details: { key },
  });
}
