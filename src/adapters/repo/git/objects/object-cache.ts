import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Commit } from "../../../../ports/repo.ts";
import type { GitTree } from "./object-format.ts";

export type GitObject =
  | { readonly type: "blob" | "tag"; readonly bytes: Buffer }
  | { readonly type: "tree"; readonly tree: GitTree }
  | { readonly type: "commit"; readonly commit: Commit };

const MAX_HELD_BLOB = 512 * 1024;
/** Memory of a parsed tree or commit, as a multiple of its bytes. */
const PARSED_FACTOR = 6;
const OVERHEAD = 200;

/** LRU cache of parsed objects by id. An id names its content, so entries never become stale. */
export interface ObjectCache {
  get(oid: Oid): GitObject | undefined;
  /** `size`: length of the object's bytes. Large blobs are not cached. */
  set(oid: Oid, object: GitObject, size: number): void;
}

/** Part of the limit that blobs may use in addition: reading every note once must neither evict the trees nor fill the memory. */
const BLOB_SHARE = 0.25;

export function objectCache(maxBytes: number): ObjectCache {
  const [parsed, blobs] = [recentlyUsed(maxBytes), recentlyUsed(maxBytes * BLOB_SHARE)];
  return {
    get: (oid) => parsed.get(oid) ?? blobs.get(oid),
    set(oid, object, size) {
      if (!("bytes" in object)) parsed.set(oid, object, OVERHEAD + size * PARSED_FACTOR);
      else if (size <= MAX_HELD_BLOB) blobs.set(oid, object, OVERHEAD + size);
    },
  };
}

function recentlyUsed(maxBytes: number) {
  const held = new Map<Oid, { readonly object: GitObject; readonly cost: number; readonly turn: number }>();
  let total = 0;
  let turn = 0;
  return {
    get(oid: Oid): GitObject | undefined {
      const found = held.get(oid);
      // Only new entries make one older: a move to the end for every read would take longer than the read.
      if (found && turn - found.turn > held.size / 4) {
        held.delete(oid);
        held.set(oid, { ...found, turn });
      }
      return found?.object;
    },
    set(oid: Oid, object: GitObject, cost: number): void {
      if (held.has(oid) || cost > maxBytes) return;
      turn++;
      held.set(oid, { object, cost, turn });
      total += cost;
      for (const [oldest, { cost: freed }] of held) {
        if (total <= maxBytes) break;
        held.delete(oldest);
        total -= freed;
      }
    },
  };
}
