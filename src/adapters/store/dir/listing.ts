import { join } from "node:path";
import { compareUtf8 } from "../../../base/order.ts";
import { isReadableKey } from "../../../domain/store-key.ts";
import type { Disk } from "./disk.ts";

/**
 * Keys of the files under a root that begin with `prefix` and come after `after`, in order of their UTF-8 bytes, lazily:
 * only the folders that lie on the way are read. Names that cannot be keys are passed over (`bloom verify` tells them).
 */
export function* walkKeys(disk: Disk, root: string, prefix: string, after: string): Generator<string> {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  yield* walkFolder(disk, root, folder, prefix, after);
}

function* walkFolder(disk: Disk, root: string, folder: string, prefix: string, after: string): Generator<string> {
  const names = disk.names(join(root, folder)) ?? [];
  // A folder sorts as its name with the slash, so that `a-b` stands before `a/x`, as it does in a bucket.
  const keys = names.map(({ name, folder: isFolder }) => folder + name + (isFolder ? "/" : "")).toSorted(compareUtf8);
  for (const key of keys) {
    if (key.endsWith("/")) {
      const mayHold = key.startsWith(prefix) || prefix.startsWith(key);
      const behind = compareUtf8(key, after) < 0 && !after.startsWith(key);
      if (mayHold && !behind) yield* walkFolder(disk, root, key, prefix, after);
    } else if (key.startsWith(prefix) && compareUtf8(key, after) > 0 && isReadableKey(key)) {
      yield key;
    }
  }
}

/** Two ordered lists of keys as one; a key in both is told once. */
export function* mergeKeys(left: Iterable<string>, right: Iterable<string>): Generator<string> {
  const a = left[Symbol.iterator]();
  const b = right[Symbol.iterator]();
  let x = a.next();
  let y = b.next();
  while (!x.done || !y.done) {
    const order = x.done ? 1 : y.done ? -1 : compareUtf8(x.value, y.value);
    yield (order <= 0 ? x.value : y.value) as string;
    if (order <= 0) x = a.next();
    if (order >= 0) y = b.next();
  }
}
