/**
 * A packed, immutable part of an inverted index: sorted keys, and for each key its texts as differences in variable length, each
 * with a last bit that says whether a count above 1 follows. Numbers of texts begin at 0, so a segment can be stored and used at another place.
 */
export interface PostingsSegment {
  /** Number of postings. */
  readonly size: number;
  readonly each: (key: number, tell: (text: number, count: number) => void) => void;
  /** A copy without the texts that are not kept; the same segment if all are. */
  readonly keepOnly: (keeps: (text: number) => boolean) => PostingsSegment;
  readonly bytes: () => Uint8Array;
}

interface KeyPostings {
  readonly key: number;
  readonly texts: readonly { readonly text: number; readonly count: number }[];
}

interface Parts {
  readonly size: number;
  readonly keys: Int32Array;
  /** Where the postings of each key begin in `data`, and where the last ones end. */
  readonly offsets: Uint32Array;
  readonly data: Uint8Array;
}

/** From keys in ascending order, the texts of each in ascending order. */
export function sealedSegment(lists: readonly KeyPostings[]): PostingsSegment {
  const size = lists.reduce((sum, { texts }) => sum + texts.length, 0);
  const keys = new Int32Array(lists.length);
  const offsets = new Uint32Array(lists.length + 1);
  const data = new Uint8Array(size * (MOST_VARINT + 1));
  let end = 0;
  for (const [index, { key, texts }] of lists.entries()) {
    keys[index] = key;
    offsets[index] = end;
    let last = 0;
    for (const { text, count } of texts) {
      // The number that is written has up to 33 bits: no bit operations on it as a whole.
      let left = (text - last) * 2 + (count === 1 ? 0 : 1);
      last = text;
      for (; left > 0x7f; left = Math.floor(left / 0x80)) data[end++] = (left % 0x80) | 0x80;
      data[end++] = left;
      if (count !== 1) data[end++] = count;
    }
  }
  offsets[lists.length] = end;
  return segmentOf({ size, keys, offsets, data: data.slice(0, end) });
}

const MOST_VARINT = 5;
const HEAD = 3;

/** Reads `PostingsSegment.bytes`; undefined if the lengths do not match. */
export function readSegment(bytes: Uint8Array): PostingsSegment | undefined {
  if (bytes.length < HEAD * 4) return undefined;
  const own = new Uint8Array(bytes); // a copy: aligned, and without the memory around it
  const [size, count, length] = new Uint32Array(own.buffer, 0, HEAD) as unknown as [number, number, number];
  const data = (HEAD + 2 * count + 1) * 4;
  if (own.length !== data + length) return undefined;
  return segmentOf({
    size,
    keys: new Int32Array(own.buffer, HEAD * 4, count),
    offsets: new Uint32Array(own.buffer, (HEAD + count) * 4, count + 1),
    data: own.subarray(data),
  });
}

function segmentOf({ size, keys, offsets, data }: Parts): PostingsSegment {
  const eachAt = (place: number, tell: (text: number, count: number) => void): void => {
    const end = offsets[place + 1]!;
    for (let [at, text] = [offsets[place]!, 0]; at < end; ) {
      let [read, unit] = [0, 1];
      for (; data[at]! > 0x7f; unit *= 0x80) read += (data[at++]! & 0x7f) * unit;
      read += data[at++]! * unit;
      text += Math.floor(read / 2);
      tell(text, read % 2 === 0 ? 1 : data[at++]!);
    }
  };
  const segment: PostingsSegment = {
    size,
    each(key, tell) {
      let [low, high] = [0, keys.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (keys[middle]! < key) low = middle + 1;
        else high = middle;
      }
      if (keys[low] === key) eachAt(low, tell);
    },
    keepOnly(keeps) {
      const lists: KeyPostings[] = [];
      let kept = 0;
      for (let place = 0; place < keys.length; place++) {
        const texts: { text: number; count: number }[] = [];
        eachAt(place, (text, count) => {
          if (keeps(text)) texts.push({ text, count });
        });
        kept += texts.length;
        if (texts.length > 0) lists.push({ key: keys[place]!, texts });
      }
      return kept === size ? segment : sealedSegment(lists);
    },
    bytes() {
      const head = Uint32Array.of(size, keys.length, data.length);
      return Buffer.concat([head, keys, offsets, data].map(bytesOf));
    },
  };
  return segment;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
