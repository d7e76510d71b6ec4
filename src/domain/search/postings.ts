import { type PostingsSegment, sealedSegment } from "./segment.ts";

/**
 * Inverted index: for every key the numbers of the texts that contain it, with counts. A key is a 32-bit hash, so callers must verify
 * hits in the text. Counts are capped at 255. New postings are in maps, which are fast to add to and cost about 40 bytes each;
 * `seal` packs them into a segment at about 3 bytes each.
 */
export interface Postings {
  /** Number of postings, over all keys. */
  readonly size: () => number;
  /** Number of postings that are not sealed. */
  readonly loose: () => number;
  /** Texts must be added in ascending order. */
  readonly add: (key: number, text: number, count: number) => void;
  readonly each: (key: number, tell: (text: number, count: number) => void) => void;
  /** Packs the loose postings, whose texts are `base` and above. */
  readonly seal: (base: number) => PostingsSegment;
  /** Adds a segment whose first text gets the number `base`. */
  readonly adopt: (segment: PostingsSegment, base: number) => void;
  /** Removes the texts that are not kept, one key per iteration: other calls may run in between. */
  readonly keepOnly: (keeps: (text: number) => boolean) => Iterable<void>;
}

const COUNTS = 0x100;
const SHELVES = 256;
export const MOST_COUNT = COUNTS - 1;

interface Placed {
  readonly base: number;
  readonly segment: PostingsSegment;
}

export function newPostings(): Postings {
  // Most keys occur in one text only: those need no list.
  // Many small maps: a single map with millions of entries pauses for long when it grows.
  const shelves = Array.from({ length: SHELVES }, () => new Map<number, number | number[]>());
  const shelfOf = (key: number): Map<number, number | number[]> => shelves[key & (SHELVES - 1)]!;
  let sealed: Placed[] = [];
  let [size, loose] = [0, 0];
  const pack = (text: number, count: number): number => text * COUNTS + Math.min(count, MOST_COUNT);
  const textOf = (packed: number): number => Math.floor(packed / COUNTS);
  return {
    size: () => size,
    loose: () => loose,
    add: (key, text, count) => {
      const lists = shelfOf(key);
      const known = lists.get(key);
      if (known === undefined) lists.set(key, pack(text, count));
      else if (typeof known === "number") lists.set(key, [known, pack(text, count)]);
      else known.push(pack(text, count));
      size++;
      loose++;
    },
    each: (key, tell) => {
      for (const { base, segment } of sealed) segment.each(key, (text, count) => tell(base + text, count));
      const known = shelfOf(key).get(key);
      if (typeof known === "number") tell(textOf(known), known % COUNTS);
      else if (known) for (const packed of known) tell(textOf(packed), packed % COUNTS);
    },
    seal(base) {
      const lists = shelves.flatMap((shelf) => [...shelf]).toSorted(([a], [b]) => a - b);
      const segment = sealedSegment(
        lists.map(([key, known]) => ({
          key,
          texts: (typeof known === "number" ? [known] : known).map((packed) => ({
            text: textOf(packed) - base,
            count: packed % COUNTS,
          })),
        })),
      );
      for (const shelf of shelves) shelf.clear();
      sealed = [...sealed, { base, segment }];
      loose = 0;
      return segment;
    },
    adopt(segment, base) {
      sealed = [...sealed, { base, segment }];
      size += segment.size;
    },
    *keepOnly(keeps) {
      for (const lists of shelves)
        for (const [key, known] of lists) {
          const before = typeof known === "number" ? [known] : known;
          const kept = before.filter((packed) => keeps(textOf(packed)));
          if (kept.length === before.length) continue;
          size -= before.length - kept.length;
          loose -= before.length - kept.length;
          if (kept.length === 0) lists.delete(key);
          else lists.set(key, kept.length === 1 ? kept[0]! : kept);
          yield;
        }
      const before = sealed; // replaced below, never changed in place
      for (const placed of before) {
        const segment = placed.segment.keepOnly((text) => keeps(placed.base + text));
        size -= placed.segment.size - segment.size;
        sealed = sealed.flatMap((each) =>
          each !== placed ? [each] : segment.size === 0 ? [] : [{ base: placed.base, segment }],
        );
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
