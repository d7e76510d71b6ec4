import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Oid } from "../../../../domain/git/git-names.ts";

/**
 * The format of git's index, versions 2 to 4, both ways. Pure. Files that it could not write back without loss (split and
 * sparse indexes, unknown mandatory extensions) are reported as unreadable; git itself handles those. Entries stay bytes and are
 * decoded when they are asked for: a move changes a few of many thousands.
 */
export interface IndexFile extends IndexEntries {
  readonly version: 2 | 3 | 4;
  /** The entries in the form of versions 2 and 3, in order of name, then stage. Never changed in place. */
  readonly body: Buffer;
  /** The place in `body` where each entry begins, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Extensions that stay valid when entries change. */
  readonly kept: readonly Buffer[];
}

/** Entries in order of name, then stage. */
export interface IndexEntries {
  readonly size: number;
  /** The path's bytes, one character each (latin1). */
  nameAt(position: number): string;
  entryAt(position: number): IndexEntry;
}

export interface IndexEntry {
  /** The path's bytes, one character each (latin1). */
  readonly name: string;
  /** 0, or 1 to 3 for the sides of an unmerged path. */
  readonly stage: number;
  /** As in a tree: `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly oid: Oid;
  /** The person keeps it out of the work tree (sparse checkout). */
  readonly skipped: boolean;
  /** Added with `git add -N`: a name without content. */
  readonly announced: boolean;
  /** Git's 40-byte cache of the file's `stat`. All zeros make git read the file again. */
  readonly statData: Buffer;
  readonly assumed: boolean;
}

const STAT_LENGTH = 40;
const CHANGED_AT = 8;
const MODE = 24;
const FLAGS = 60;
const FIXED = 62;
const EXTENDED = 0x4000;
/** REUC records how conflicts were resolved. Other optional extensions are caches of the entries, which git rebuilds. */
const KEPT = ["REUC"];
export const NO_STAT_DATA: Buffer = Buffer.alloc(STAT_LENGTH);

/** Returns undefined if this format could not write back everything in the file. */
export function parseIndex(bytes: Buffer): IndexFile | undefined {
  if (bytes.length < 32 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3 && version !== 4) return undefined;
  const end = bytes.length - 20;
  const sum = bytes.subarray(end);
  // All zeros: the checksum is switched off (index.skipHash).
  if (sum.some((byte) => byte !== 0) && !createHash("sha1").update(bytes.subarray(0, end)).digest().equals(sum))
    return undefined;
  const count = bytes.readUInt32BE(8);
  const found = version === 4 ? expanded(bytes, count, end) : plain(bytes, count, end);
  if (!found) return undefined;
  const kept: Buffer[] = [];
  let at = found.end;
  while (at + 8 <= end) {
    const signature = bytes.toString("latin1", at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end || !/^[A-Z]/.test(signature)) return undefined; // a lower-case first letter marks a mandatory extension
    if (KEPT.includes(signature)) kept.push(bytes.subarray(at, next));
    at = next;
  }
  return indexFile(version, found.body, found.starts, kept);
}

export const emptyIndex = (): IndexFile => indexFile(2, Buffer.alloc(0), new Uint32Array(1), []);

function indexFile(version: 2 | 3 | 4, body: Buffer, starts: Uint32Array, kept: readonly Buffer[]): IndexFile {
  const nameAt = (position: number): string => {
    const from = starts[position]! + fixedLength(body, starts[position]!);
    return body.toString("latin1", from, body.indexOf(0, from));
  };
  return {
    version,
    body,
    starts,
    kept,
    size: starts.length - 1,
    nameAt,
    entryAt: (position) => decoded(body, starts[position]!, nameAt(position)),
  };
}

const flagsAt = (bytes: Buffer, start: number): number => (bytes[start + FLAGS]! << 8) | bytes[start + FLAGS + 1]!;
const fixedLength = (bytes: Buffer, start: number): number => (flagsAt(bytes, start) & EXTENDED ? FIXED + 2 : FIXED);

interface FoundEntries {
  readonly body: Buffer;
  readonly starts: Uint32Array;
  /** The place in the file where they end. */
  readonly end: number;
}

/** The entries of versions 2 and 3: each is padded to a multiple of 8, with at least one zero. */
function plain(bytes: Buffer, count: number, end: number): FoundEntries | undefined {
  const starts = new Uint32Array(count + 1);
  let at = 12;
  for (let position = 0; position < count; position++) {
    if (at + FIXED > end) return undefined;
    starts[position] = at - 12;
    const stop = bytes.indexOf(0, at + fixedLength(bytes, at));
    if (stop < 0 || stop > end) return undefined;
    at += (stop - at + 8) & ~7;
  }
  starts[count] = at - 12;
  return { body: bytes.subarray(12, at), starts, end: at };
}

/** The entries of version 4, where a name begins with a part of the one before, with their names in full. */
function expanded(bytes: Buffer, count: number, end: number): FoundEntries | undefined {
  const entries: Buffer[] = [];
  let at = 12;
  let name = "";
  for (let position = 0; position < count; position++) {
    if (at + FIXED > end) return undefined;
    const start = at;
    at += fixedLength(bytes, start);
    let strip = bytes[at]! & 0x7f;
    while (bytes[at++]! & 0x80) strip = ((strip + 1) << 7) | (bytes[at]! & 0x7f);
    const stop = bytes.indexOf(0, at);
    if (stop < 0 || stop > end) return undefined;
    name = name.slice(0, name.length - strip) + bytes.toString("latin1", at, stop);
    at = stop + 1;
    entries.push(encodedEntry(decoded(bytes, start, name)));
  }
  return { ...joined(entries), end: at };
}

function joined(entries: readonly Buffer[]): Pick<FoundEntries, "body" | "starts"> {
  const starts = new Uint32Array(entries.length + 1);
  for (const [position, { length }] of entries.entries()) starts[position + 1] = starts[position]! + length;
  return { body: Buffer.concat(entries), starts };
}

function decoded(bytes: Buffer, start: number, name: string): IndexEntry {
  const flags = flagsAt(bytes, start);
  const more = flags & EXTENDED ? bytes.readUInt16BE(start + FIXED) : 0;
  return {
    name,
    stage: (flags >> 12) & 3,
    mode: bytes.readUInt32BE(start + MODE).toString(8),
    oid: bytes.toString("hex", start + STAT_LENGTH, start + FLAGS),
    skipped: (more & 0x4000) !== 0,
    announced: (more & 0x2000) !== 0,
    assumed: (flags & 0x8000) !== 0,
    statData: bytes.subarray(start, start + STAT_LENGTH),
  };
}

/** One entry in the form of versions 2 and 3. */
export function encodedEntry(entry: IndexEntry): Buffer {
  const used = fixedOf(entry) + entry.name.length;
  const bytes = Buffer.alloc((used + 8) & ~7);
  writeFixed(bytes, entry);
  bytes.write(entry.name, fixedOf(entry), "latin1");
  return bytes;
}

const isExtended = (entry: IndexEntry): boolean => entry.skipped || entry.announced;
const fixedOf = (entry: IndexEntry): number => FIXED + (isExtended(entry) ? 2 : 0);

function writeFixed(bytes: Buffer, entry: IndexEntry): void {
  const extended = isExtended(entry) ? EXTENDED : 0;
  entry.statData.copy(bytes, 0);
  bytes.writeUInt32BE(Number.parseInt(entry.mode, 8), MODE);
  bytes.write(entry.oid, STAT_LENGTH, "hex");
  bytes.writeUInt16BE(
    (entry.assumed ? 0x8000 : 0) | extended | (entry.stage << 12) | Math.min(entry.name.length, 0xfff),
    FLAGS,
  );
  if (extended) bytes.writeUInt16BE((entry.skipped ? 0x4000 : 0) | (entry.announced ? 0x2000 : 0), FIXED);
}

/** The pieces of the file, one after the other, with the checksum. */
export function formatIndex(file: IndexFile): Buffer[] {
  const version = file.version === 2 && hasExtended(file) ? 3 : file.version;
  const header = Buffer.alloc(12);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(file.size, 8);
  const pieces = [header, version === 4 ? compressed(file) : file.body, ...file.kept];
  const sum = createHash("sha1");
  for (const piece of pieces) sum.update(piece);
  return [...pieces, sum.digest()];
}

function hasExtended({ body, starts, size }: IndexFile): boolean {
  for (let position = 0; position < size; position++)
    if (body[starts[position]! + FLAGS]! & (EXTENDED >> 8)) return true;
  return false;
}

function compressed(file: IndexFile): Buffer {
  let before = "";
  const entries = Array.from({ length: file.size }, (_, position) => {
    const entry = file.entryAt(position);
    let same = 0;
    while (same < before.length && same < entry.name.length && before[same] === entry.name[same]) same++;
    const fixed = Buffer.alloc(fixedOf(entry));
    writeFixed(fixed, entry);
    const tail = Buffer.from(`${entry.name.slice(same)}\0`, "latin1");
    const bytes = Buffer.concat([fixed, stripCount(before.length - same), tail]);
    before = entry.name;
    return bytes;
  });
  return Buffer.concat(entries);
}

/** Git's variable-length number (as in pack offsets): 7 bits per byte, highest first, with 1 added per further byte. */
function stripCount(count: number): Buffer {
  const bytes = [count & 0x7f];
  for (let left = count >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f));
  return Buffer.from(bytes);
}

/** The entries from `first` to before `end` give way to `entry`, or to nothing. */
export interface IndexEdit {
  readonly first: number;
  readonly end: number;
  readonly entry: IndexEntry | undefined;
}

/** Memory that one index after the other is written into: a new buffer of this size for each would keep the collector busy. */
export class IndexMemory {
  #bytes = Buffer.alloc(0);

  /** Valid until the next call. */
  take(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length + (length >> 3));
    return this.#bytes.subarray(0, length);
  }
}

/**
 * Applies edits, which are in the order of the entries and do not overlap. Clears the stat data of all other files that were changed
 * in the second `since` or later. The result is valid until the memory is used again.
 */
export function editedIndex(
  file: IndexFile,
  edits: readonly IndexEdit[],
  since: number,
  memory: IndexMemory = new IndexMemory(),
): IndexFile {
  const fresh = edits.map(({ entry }) => entry && encodedEntry(entry));
  const { body: old, starts: oldStarts } = file;
  let length = old.length;
  let size = file.size;
  for (const [number, { first, end }] of edits.entries()) {
    length += (fresh[number]?.length ?? 0) - (oldStarts[end]! - oldStarts[first]!);
    size += (fresh[number] ? 1 : 0) - (end - first);
  }
  const body = memory.take(length);
  const starts = new Uint32Array(size + 1);
  let at = 0;
  let position = 0;
  let from = 0;
  const places: { readonly entry: Buffer; readonly at: number }[] = [];
  const keepUntil = (until: number): void => {
    const shift = at - oldStarts[from]!;
    const kept = oldStarts.subarray(from, until);
    if (shift === 0) starts.set(kept, position);
    else for (const [number, start] of kept.entries()) starts[position + number] = start + shift;
    at += old.copy(body, at, oldStarts[from], oldStarts[until]);
    position += until - from;
  };
  for (const [number, { first, end }] of edits.entries()) {
    keepUntil(first);
    from = end;
    const entry = fresh[number];
    if (!entry) continue;
    places.push({ entry, at });
    starts[position++] = at;
    at += entry.length;
  }
  keepUntil(file.size);
  starts[size] = at;
  clearStatSince(body, starts, since);
  for (const { entry, at: place } of places) entry.copy(body, place);
  return indexFile(file.version, body, starts, file.kept);
}

function clearStatSince(body: Buffer, starts: Uint32Array, second: number): void {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  for (let position = 0; position < starts.length - 1; position++) {
    const start = starts[position]!;
    if (view.getUint32(start + CHANGED_AT) < second) continue;
    body.fill(0, start, start + MODE);
    body.fill(0, start + MODE + 4, start + STAT_LENGTH);
  }
}

const low = (value: bigint): number => Number(value & 0xffffffffn);

/** Stat data for a file that is known to hold the entry's content. */
export function statDataOf(stats: BigIntStats): Buffer {
  const bytes = Buffer.alloc(STAT_LENGTH);
  const fields = [
    low(stats.ctimeNs / 1_000_000_000n),
    low(stats.ctimeNs % 1_000_000_000n),
    low(stats.mtimeNs / 1_000_000_000n),
    low(stats.mtimeNs % 1_000_000_000n),
    low(stats.dev),
    low(stats.ino),
    0, // the mode, written with the entry
    low(stats.uid),
    low(stats.gid),
    low(stats.size),
  ];
  for (const [index, value] of fields.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
