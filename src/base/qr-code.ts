/**
 * A QR code (ISO/IEC 18004) of a short text: bytes, error correction M, versions 1 to 10. Rows of modules, true is dark, without the quiet
 * zone of four modules that has to stay around it. Throws RangeError for a text of more than 213 bytes.
 */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const version = ECC_BYTES.findIndex((_, i) => bytes.length + (i + 1 < 10 ? 2 : 3) <= dataBytes(i + 1)) + 1;
  if (version === 0) throw new RangeError("the text is too long for this QR code");
  const grid = new Grid(version);
  grid.place(interleaved(codewords(bytes, version), version));
  return grid.masked();
}

/** By version: bytes of error correction in a block, and blocks. */
const ECC_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];

function rawBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
  if (aligned > 0) modules -= (25 * aligned - 10) * aligned - 55;
  return Math.floor((modules - (version >= 7 ? 36 : 0)) / 8);
}

const dataBytes = (version: number): number => rawBytes(version) - ECC_BYTES[version - 1]! * BLOCKS[version - 1]!;

/** Mode, length, bytes, end and padding. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const length = version < 10 ? [bytes.length] : [bytes.length >> 8, bytes.length & 255];
  const nibbles = [4, ...[...length, ...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  if (nibbles.length % 2 === 1) nibbles.push(0);
  const words = Array.from({ length: nibbles.length / 2 }, (_, i) => (nibbles[2 * i]! << 4) | nibbles[2 * i + 1]!);
  const room = dataBytes(version);
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words.slice(0, room);
}

/** The bytes of all blocks in turn, then their error correction in turn. */
function interleaved(data: readonly number[], version: number): number[] {
  const [count, ecc] = [BLOCKS[version - 1]!, ECC_BYTES[version - 1]!];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const divisor = generator(ecc);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = data.slice(at, (at += short + (i >= count - longer ? 1 : 0)));
    return { block, check: remainder(block, divisor) };
  });
  const all: number[] = [];
  for (let i = 0; i <= short; i++) for (const { block } of blocks) if (i < block.length) all.push(block[i]!);
  for (let i = 0; i < ecc; i++) for (const { check } of blocks) all.push(check[i]!);
  return all;
}

/** In the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

function generator(degree: number): number[] {
  const result = Array.from({ length: degree }, (_, i): number => (i === degree - 1 ? 1 : 0));
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) result[j] = times(result[j]!, root) ^ (result[j + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    for (const [i, coefficient] of divisor.entries()) rest[i] = rest[i]! ^ times(coefficient, factor);
  }
  return rest;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly #version: number;
  readonly #size: number;
  readonly #dark: boolean[][];
  /** Modules that are not data: no mask touches them. */
  readonly #fixed: boolean[][];

  constructor(version: number) {
    this.#version = version;
    this.#size = version * 4 + 17;
    const empty = (): boolean[][] => Array.from({ length: this.#size }, () => Array<boolean>(this.#size).fill(false));
    [this.#dark, this.#fixed] = [empty(), empty()];
    this.#drawPatterns();
  }

  #set(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    this.#dark[y]![x] = isDark;
    this.#fixed[y]![x] = true;
  }

  #drawPatterns(): void {
    const size = this.#size;
    for (let i = 0; i < size; i++) {
      this.#set(6, i, i % 2 === 0);
      this.#set(i, 6, i % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ] as const)
      this.#drawSquare(x, y, 4, [2, 4]);
    const places = this.#alignments();
    const last = places.length - 1;
    for (const [i, x] of places.entries())
      for (const [j, y] of places.entries())
        if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)))
          this.#drawSquare(x, y, 2, [1]);
    this.#drawFormat(0);
    if (this.#version >= 7) this.#drawVersion();
  }

  /** Rings around a module: those at the light distances are light. */
  #drawSquare(x: number, y: number, radius: number, light: readonly number[]): void {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++)
        this.#set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  }

  #alignments(): number[] {
    if (this.#version === 1) return [];
    const count = Math.floor(this.#version / 7) + 2;
    const step = Math.ceil((this.#version * 4 + 4) / (count * 2 - 2)) * 2;
    return [6, ...Array.from({ length: count - 1 }, (_, i) => this.#size - 7 - i * step).toReversed()];
  }

  /** Error correction M and the mask, twice. */
  #drawFormat(mask: number): void {
    let rest = mask;
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (i: number): boolean => ((bits >> i) & 1) === 1;
    const size = this.#size;
    for (let i = 0; i <= 5; i++) this.#set(8, i, bit(i));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) this.#set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) this.#set(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) this.#set(8, size - 15 + i, bit(i));
    this.#set(8, size - 8, true);
  }

  #drawVersion(): void {
    let rest = this.#version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.#version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [a, b] = [this.#size - 11 + (i % 3), Math.floor(i / 3)];
      this.#set(a, b, ((bits >> i) & 1) === 1);
      this.#set(b, a, ((bits >> i) & 1) === 1);
    }
  }

  /** In pairs of columns from the right, up and down in turn, around everything that is fixed. */
  place(bytes: readonly number[]): void {
    let i = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.#size; step++)
        for (const x of [right, right - 1]) {
          const y = ((right + 1) & 2) === 0 ? this.#size - 1 - step : step;
          if (this.#fixed[y]![x] || i >= bytes.length * 8) continue;
          this.#dark[y]![x] = ((bytes[i >> 3]! >> (7 - (i & 7))) & 1) === 1;
          i++;
        }
    }
  }

  /** The modules under the mask that is easiest to read. */
  masked(): readonly (readonly boolean[])[] {
    const tried = MASKS.map((flips, mask) => {
      this.#drawFormat(mask);
      return this.#dark.map((row, y) => row.map((dark, x) => dark !== (!this.#fixed[y]![x] && flips(x, y))));
    });
    return tried.toSorted((a, b) => penalty(a) - penalty(b))[0]!;
  }
}

/** Long runs, blocks of one colour, patterns like a finder's, and an uneven share of dark modules. */
function penalty(rows: readonly (readonly boolean[])[]): number {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]!));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if ([rows[y]![x - 1], rows[y - 1]![x], rows[y - 1]![x - 1]].every((dark) => dark === rows[y]![x])) sum += 3;
  const dark = rows.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
