/** A Bloom filter of keys: `mayHave` is true for every key that was added, and for few others. Its size does not grow. */
export class KeyFilter {
  readonly #bits = new Uint32Array(BITS / 32);

  add(key: string): void {
    const hash = hashOf(key);
    for (const bit of [hash & MASK, second(hash)]) this.#bits[bit >>> 5]! |= 1 << (bit & 31);
  }

  mayHave(key: string): boolean {
    const hash = hashOf(key);
    return this.#has(hash & MASK) && this.#has(second(hash));
  }

  #has(bit: number): boolean {
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }
}

/** 128 KB: of 100,000 keys, three in a hundred others are taken for one of them. */
const BITS = 1 << 20;
const MASK = BITS - 1;

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash;
}

/** A second bit from the same hash. */
const second = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 12;
