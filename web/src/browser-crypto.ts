/**
 * The part of `node:crypto` that `domain/` and `drakon/` use, for the browser: synchronous SHA-1. `crypto.subtle` is asynchronous, and
 * ids are computed synchronously. Here they are names only; no security depends on them.
 */
export function createHash(algorithm: string): Hash {
  return new Hash(algorithm);
}

export const hash = (algorithm: string, data: string | Uint8Array): string =>
  createHash(algorithm).update(data).digest("hex");

class Hash {
  readonly #algorithm: string;
  readonly #parts: Uint8Array[] = [];

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
  }

  update(data: string | Uint8Array): this {
    this.#parts.push(typeof data === "string" ? new TextEncoder().encode(data) : data);
    return this;
  }

  digest(encoding: "hex"): string {
    if (encoding !== "hex" || this.#algorithm !== "sha1") throw new Error(`${this.#algorithm} ${encoding}`);
    return sha1(joined(this.#parts));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** FIPS 180-4, §6.1. */
function sha1(message: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
  words.setUint32(padded.length - 4, message.length << 3);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const schedule = new Uint32Array(80);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 80; t++)
      schedule[t] =
        t < 16
          ? words.getUint32(block + t * 4)
          : turned(schedule[t - 3]! ^ schedule[t - 8]! ^ schedule[t - 14]! ^ schedule[t - 16]!, 1);
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
    for (let t = 0; t < 80; t++) {
      const next = (turned(a, 5) + mixed(t, b, c, d) + e + CONSTANTS[Math.floor(t / 20)]! + schedule[t]!) >>> 0;
      [e, d, c, b, a] = [d, c, turned(b, 30), a, next];
    }
    for (const [index, value] of [a, b, c, d, e].entries()) state[index] = state[index]! + value;
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

const CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
const turned = (word: number, by: number): number => ((word << by) | (word >>> (32 - by))) >>> 0;
const mixed = (t: number, b: number, c: number, d: number): number =>
  t < 20 ? (b & c) | (~b & d) : t >= 40 && t < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
