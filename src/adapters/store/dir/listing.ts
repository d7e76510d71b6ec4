import { join } from "node:path";
import { compareUtf8 } from "../../../base/order.ts";
import type { World } from "../../../base/world.ts";
import { isReadableKey } from "../../../domain/store-key.ts";
import type { Disk } from "./disk.ts";

/**
 * Keys of the files under a root, in order of their UTF-8 bytes, lazily: only the folders that lie on the way are read.
 * Names that cannot be keys are passed over (`bloom verify` tells them).
 */
export class Listing {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #world: Pick<World, "now">;
  /** Folders just read, so that paging through a large one does not read and sort it for every page. */
  readonly #recent = new Map<
    string,
    { readonly names: readonly string[]; readonly stamp: number; readonly until: number }
  >();

  constructor(disk: Disk, root: string, world: Pick<World, "now">) {
    this.#disk = disk;
    this.#root = root;
    this.#world = world;
  }

  /** Keys that begin with `prefix` and come after `after`. */
  *keys(prefix: string, after: string): Generator<string> {
    for (const key of walkKeys((folder) => this.#names(folder), prefix, after)) if (isReadableKey(key)) yield key;
  }

  /** A folder sorts as its name with the slash, so that `a-b` stands before `a/x`, as it does in a bucket. */
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
    // One that has just changed may change again without another stamp: its clock stands still for some milliseconds.
    const isQuiet = this.#world.now() - stamp > QUIET_MS;
    if (isQuiet && names.length >= WORTH_KEEPING) {
      this.#recent.set(folder, { names, stamp, until: performance.now() + KEPT_MS });
      if (this.#recent.size > MAX_KEPT) this.#recent.delete(this.#recent.keys().next().value!);
    }
    return names;
  }
}

/** Keys that begin with `prefix` and come after `after`, in order; `names` tells what lies in a folder, in order. */
export function* walkKeys(
  names: (folder: string) => readonly string[],
  prefix: string,
  after: string,
  folder = prefix.slice(0, prefix.lastIndexOf("/") + 1),
): Generator<string> {
  const here = names(folder);
  // What matters begins at the prefix, or where the last page ended: at `after` itself, or at the folder that holds it.
  const from =
    after.startsWith(folder) && compareUtf8(after, prefix) > 0
      ? firstPart(after.slice(folder.length))
      : prefix.slice(folder.length);
  for (let i = firstFrom(here, from); i < here.length; i++) {
    const key = folder + here[i]!;
    if (!key.startsWith(prefix)) return; // sorted: nothing behind it fits
    if (key.endsWith("/")) yield* walkKeys(names, key, after, key);
    else if (compareUtf8(key, after) > 0) yield key;
  }
}

const NONE: readonly string[] = [];
const WORTH_KEEPING = 16;
const MAX_KEPT = 32;
const KEPT_MS = 2000;
/** Longer than the clock of any file system stands still. */
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
