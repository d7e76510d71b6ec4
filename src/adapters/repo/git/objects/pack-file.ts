import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { crc32, deflate, deflateSync } from "node:zlib";
import type { ObjectType } from "./object-format.ts";
import type { NewObject } from "./object-writer.ts";

/** Git's pack and pack index formats (version 2). Every object is stored whole; `git repack` makes deltas later. */
export interface PackFile {
  /** Checksum in hex, part of the file names. */
  readonly name: string;
  readonly pack: Buffer;
  readonly index: Buffer;
}

const TYPES: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const FAST = { level: 1 };
const SMALL = 32 * 1024;
/** Our index has 31-bit offsets only. Larger sets are written as loose objects. */
export const MAX_PACK_BYTES = 512 * 1024 * 1024;
const deflateLarge = promisify(deflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;

/** Objects must be distinct. */
export async function packOf(objects: readonly NewObject[]): Promise<PackFile> {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const pieces = [header];
  const places: { oid: Buffer; crc: number; offset: number }[] = [];
  let offset = header.length;
  for (const { oid, type, bytes } of objects) {
    const stored = bytes.length <= SMALL ? deflateSync(bytes, FAST) : await deflateLarge(bytes, FAST);
    const piece = Buffer.concat([entryHeader(type, bytes.length), stored]);
    places.push({ oid: Buffer.from(oid, "hex"), crc: crc32(piece), offset });
    pieces.push(piece);
    offset += piece.length;
  }
  const body = Buffer.concat(pieces);
  const sum = createHash("sha1").update(body).digest();
  return { name: sum.toString("hex"), pack: Buffer.concat([body, sum]), index: indexOf(places, sum) };
}

/** Type and size: four bits of the size beside the type, then seven bits per byte, lowest first. */
function entryHeader(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (TYPES[type] << 4) | (size & 0x0f);
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes.push(byte | 0x80);
    byte = left & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}

function indexOf(places: readonly { oid: Buffer; crc: number; offset: number }[], packSum: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => a.oid.compare(b.oid));
  const head = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const fanout = Buffer.alloc(256 * 4);
  let upTo = 0;
  for (let first = 0; first < 256; first++) {
    while (upTo < sorted.length && sorted[upTo]!.oid[0]! <= first) upTo++;
    fanout.writeUInt32BE(upTo, first * 4);
  }
  const crcs = Buffer.alloc(sorted.length * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  for (const [i, { crc, offset }] of sorted.entries()) {
    crcs.writeUInt32BE(crc, i * 4);
    offsets.writeUInt32BE(offset, i * 4);
  }
  const body = Buffer.concat([head, fanout, ...sorted.map(({ oid }) => oid), crcs, offsets, packSum]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}
