import { join } from "node:path";
import { compareUtf8 } from "../../../base/order.ts";
import type { World } from "../../../base/world.ts";
import { isReadableKey } from "../../../domain/store-key.ts";
import type { Disk } from "./disk.ts";

/**
 * Keys of the files under a root, in order of their UTF-8 bytes. Lazy: only the folders on the way are read. Names that cannot be
 * keys are skipped (`bloom verify` reports them).
 */
export class Listing {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #world: Pick<World, "now">;
  /** Cache of recently read folders, so that paging does not read and sort a large folder for every page. */
  readonly #recent = new Map<
    string,
    { readonly names: readonly string[]; readonly stamp: number; readonly until: number }
  >();

  constructor(disk: Disk, root: string, world: Pick<World, "now">) {
    this.#disk = disk;
    this.#root = root;
    this.#world = world;
  }

  /** Keys with `prefix` after `after`. */
  *keys(prefix: string, after: string): Generator<string> {
    for (const key of walkKeys((folder) => this.#names(folder), prefix, after)) if (isReadableKey(key)) yield key;
  }

  /** A folder sorts as its name with the slash, so that `a-b` comes before `a/x`, as in an S3 bucket. */
  #names(folder: string): readonly string[] {
    const path = join(this.#root, folder);
    const stamp = this.#disk.stamp(path);
    if (stamp === 0) return NONE;
    const known = this.#recent.get(folder);
    if (known && known.stamp === stamp && performance.now() < known.until) return known.names;
    const names = (this.#disk.names(path) ?? [])
      .map(({ name, folder: is }) => (is ? `${name}/` : name))
      .toSorted(compareUtf8);
    this.#recent.delete(folder);
    // A folder that has just changed may change again within one clock tick, without a new stamp.
    const isQuiet = this.#world.now() - stamp > QUIET_MS;
    if (isQuiet && names.length >= MIN_CACHED_NAMES) {
      this.#recent.set(folder, { names, stamp, until: performance.now() + CACHED_MS });
      if (this.#recent.size > MAX_CACHED) this.#recent.delete(this.#recent.keys().next().value!);
    }
    return names;
  }
}

/** Keys with `prefix` after `after`, sorted; `names` returns the sorted entries of a folder. */
export function* walkKeys(
  names: (folder: string) => readonly string[],
  prefix: string,
  after: string,
  folder = prefix.slice(0, prefix.lastIndexOf("/") + 1),
): Generator<string> {
  const here = names(folder);
  // Starts at the prefix, or where the last page ended: at `after` itself or at the folder that contains it.
  const from =
    after.startsWith(folder) && compareUtf8(after, prefix) > 0
      ? firstPart(after.slice(folder.length))
      : prefix.slice(folder.length);
  for (let i = firstFrom(here, from); i < here.length; i++) {
    const key = folder + here[i]!;
    if (!key.startsWith(prefix)) return; // sorted: no later key matches
    if (key.endsWith("/")) yield* walkKeys(names, key, after, key);
    else if (compareUtf8(key, after) > 0) yield key;
  }
}

const NONE: readonly string[] = [];
const MIN_CACHED_NAMES = 16;
const MAX_CACHED = 32;
const CACHED_MS = 2000;
/** Longer than the clock granularity of any file system. */
const QUIET_MS = 2000;

/** `b/c/d` begins in the folder `b/`; `b` is a file. */
const firstPart = (rest: string): string => (rest.includes("/") ? rest.slice(0, rest.indexOf("/") + 1) : rest);

/** Index of the first name that is not before `start`. */
function firstFrom(names: readonly string[], start: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareUtf8(names[middle]!, start) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges two sorted lists of keys; a key in both occurs once. */
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
