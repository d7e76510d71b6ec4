/**
 * Inverted index: for every key the numbers of the texts that contain it, ascending, with counts. A key is a 32-bit hash, so
 * callers must verify hits in the text. Text and count are packed into one small integer; counts are capped at 255.
 */
export interface Postings {
  /** Number of postings, over all keys. */
  readonly size: () => number;
  /** Texts must be added in ascending order. */
  readonly add: (key: number, text: number, count: number) => void;
  readonly each: (key: number, tell: (text: number, count: number) => void) => void;
  /** Removes the texts that are not kept, one key per iteration: other calls may run in between. */
  readonly keepOnly: (keeps: (text: number) => boolean) => Iterable<void>;
}

const COUNTS = 0x100;
const SHELVES = 256;

export function newPostings(): Postings {
  // Most keys occur in one text only: those need no list.
  // Many small maps: a single map with millions of entries pauses for long when it grows.
  const shelves = Array.from({ length: SHELVES }, () => new Map<number, number | number[]>());
  const shelfOf = (key: number): Map<number, number | number[]> => shelves[key & (SHELVES - 1)]!;
  let size = 0;
  const pack = (text: number, count: number): number => text * COUNTS + Math.min(count, COUNTS - 1);
  const textOf = (packed: number): number => Math.floor(packed / COUNTS);
  return {
    size: () => size,
    add: (key, text, count) => {
      const lists = shelfOf(key);
      const known = lists.get(key);
      if (known === undefined) lists.set(key, pack(text, count));
      else if (typeof known === "number") lists.set(key, [known, pack(text, count)]);
      else known.push(pack(text, count));
      size++;
    },
    each: (key, tell) => {
      const known = shelfOf(key).get(key);
      if (typeof known === "number") tell(textOf(known), known % COUNTS);
      else if (known) for (const packed of known) tell(textOf(packed), packed % COUNTS);
    },
    *keepOnly(keeps) {
      for (const lists of shelves)
        for (const [key, known] of lists) {
          const before = typeof known === "number" ? [known] : known;
          const kept = before.filter((packed) => keeps(textOf(packed)));
          if (kept.length === before.length) continue;
          size -= before.length - kept.length;
          if (kept.length === 0) lists.delete(key);
          else lists.set(key, kept.length === 1 ? kept[0]! : kept);
          yield;
        }
    },
  };
}

/** FNV-1a over the characters as a signed integer: the cheapest map keys in V8. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash ^= key.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash | 0;
}
