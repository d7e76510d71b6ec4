import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Oid } from "../../../../domain/git/git-names.ts";

/**
 * The format of git's index, versions 2 to 4, both ways. Pure. Files that it could not write back without loss (split and
 * sparse indexes, unknown mandatory extensions) are reported as unreadable; git itself handles those.
 */
export interface IndexFile {
  readonly version: 2 | 3 | 4;
  /** In order of name, then stage. */
  readonly entries: readonly IndexEntry[];
  /** Extensions that stay valid when entries change. */
  readonly kept: readonly Buffer[];
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
  /** Second of the file's last change, from the stat data. */
  readonly changedAt: number;
  /**
   * Cache of the encoded entry in versions 2 and 3, where no entry depends on the one before. Must be undefined in a
   * changed copy of an entry. Numbers instead of a slice: all of them are looked at for each write.
   */
  whole: EncodedEntry | undefined;
}

interface EncodedEntry {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

const STAT_LENGTH = 40;
const CHANGED_AT = 8;
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
  const entries: IndexEntry[] = [];
  let at = 12;
  let name = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    if (start + FIXED > end) return undefined;
    const flags = bytes.readUInt16BE(start + 60);
    const more = flags & EXTENDED ? bytes.readUInt16BE(start + FIXED) : 0;
    at = start + FIXED + (flags & EXTENDED ? 2 : 0);
    if (version === 4) {
      let strip = bytes[at]! & 0x7f;
      while (bytes[at++]! & 0x80) strip = ((strip + 1) << 7) | (bytes[at]! & 0x7f);
      name = name.slice(0, name.length - strip);
    } else name = "";
    const stop = bytes.indexOf(0, at);
    if (stop < 0 || stop > end) return undefined;
    name += bytes.toString("latin1", at, stop);
    at = version === 4 ? stop + 1 : start + ((stop - start + 8) & ~7);
    entries.push({
      name,
      stage: (flags >> 12) & 3,
      mode: modeText(bytes.readUInt32BE(start + 24)),
      oid: bytes.toString("hex", start + STAT_LENGTH, start + 60),
      skipped: (more & 0x4000) !== 0,
      announced: (more & 0x2000) !== 0,
      assumed: (flags & 0x8000) !== 0,
      statData: bytes.subarray(start, start + STAT_LENGTH),
      changedAt: bytes.readUInt32BE(start + CHANGED_AT),
      whole: version === 4 ? undefined : { bytes, start, end: at },
    });
  }
  const kept: Buffer[] = [];
  while (at + 8 <= end) {
    const signature = bytes.toString("latin1", at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end || !/^[A-Z]/.test(signature)) return undefined; // a lower-case first letter marks a mandatory extension
    if (KEPT.includes(signature)) kept.push(bytes.subarray(at, next));
    at = next;
  }
  return { version, entries, kept };
}

const modes = new Map<number, string>();
function modeText(mode: number): string {
  const known = modes.get(mode) ?? mode.toString(8);
  modes.set(mode, known);
  return known;
}

/** Memory that one index after the other is written into: a new buffer of this size for each would keep the collector busy. */
export class IndexMemory {
  #bytes = Buffer.alloc(0);

  /** Valid until the next call. */
  take(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafe(length + (length >> 3));
    return this.#bytes.subarray(0, length);
  }
}

export function formatIndex(file: IndexFile, memory: IndexMemory = new IndexMemory()): Buffer {
  const extended = file.entries.some((entry) => entry.skipped || entry.announced);
  const version = file.version === 2 && extended ? 3 : file.version;
  const header = Buffer.alloc(12);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(file.entries.length, 8);
  const entries = version === 4 ? compressed(file.entries) : runs(file.entries, version);
  const pieces = [wholeOf(header), ...entries, ...file.kept.map(wholeOf)];
  const length = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const bytes = memory.take(length + 20);
  let at = 0;
  for (const piece of pieces) at += piece.bytes.copy(bytes, at, piece.start, piece.end);
  createHash("sha1").update(bytes.subarray(0, length)).digest().copy(bytes, length);
  return bytes;
}

const wholeOf = (bytes: Buffer): EncodedEntry => ({ bytes, start: 0, end: bytes.length });

function compressed(entries: readonly IndexEntry[]): EncodedEntry[] {
  let before = "";
  return entries.map((entry) => {
    const bytes = formatEntry(entry, 4, before);
    before = entry.name;
    return wholeOf(bytes);
  });
}

/** Joins adjacent unchanged entries to one piece: a move changes a few of many thousands. */
function runs(entries: readonly IndexEntry[], version: 2 | 3): EncodedEntry[] {
  const pieces: EncodedEntry[] = [];
  let run: { bytes: Buffer; start: number; end: number } | undefined;
  for (const entry of entries) {
    const whole = (entry.whole ??= wholeOf(formatEntry(entry, version, "")));
    if (run?.bytes === whole.bytes && run.end === whole.start) run.end = whole.end;
    else pieces.push((run = { ...whole }));
  }
  return pieces;
}

function formatEntry(entry: IndexEntry, version: 2 | 3 | 4, before: string): Buffer {
  const extended = entry.skipped || entry.announced;
  const fixed = FIXED + (extended ? 2 : 0);
  let prefix: Buffer = Buffer.alloc(0);
  let tail = entry.name;
  if (version === 4) {
    let same = 0;
    while (same < before.length && same < entry.name.length && before[same] === entry.name[same]) same++;
    prefix = stripCount(before.length - same);
    tail = entry.name.slice(same);
  }
  const used = fixed + prefix.length + tail.length;
  const bytes = Buffer.alloc(version === 4 ? used + 1 : (used + 8) & ~7);
  entry.statData.copy(bytes, 0);
  bytes.writeUInt32BE(Number.parseInt(entry.mode, 8), 24);
  bytes.write(entry.oid, STAT_LENGTH, "hex");
  bytes.writeUInt16BE(
    (entry.assumed ? 0x8000 : 0) | (extended ? EXTENDED : 0) | (entry.stage << 12) | Math.min(entry.name.length, 0xfff),
    60,
  );
  if (extended) bytes.writeUInt16BE((entry.skipped ? 0x4000 : 0) | (entry.announced ? 0x2000 : 0), FIXED);
  prefix.copy(bytes, fixed);
  bytes.write(tail, fixed + prefix.length, "latin1");
  return bytes;
}

/** Git's variable-length number (as in pack offsets): 7 bits per byte, highest first, with 1 added per further byte. */
function stripCount(count: number): Buffer {
  const bytes = [count & 0x7f];
  for (let left = count >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f));
  return Buffer.from(bytes);
}

/** Second of the file's last change; 0 in cleared stat data. */
export const changedAtOf = (statData: Buffer): number => statData.readUInt32BE(CHANGED_AT);

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
