import { crc32 } from "node:zlib";
import type { Hash } from "../../../ports/store.ts";

/**
 * One write in the log:
 *
 *     4 bytes  length of what follows the checksum
 *     4 bytes  CRC-32 of it
 *     4 bytes  length of the header
 *     header   JSON, begins with the sequence number
 *     rest     the object's bytes (none for a deletion)
 *
 * A file begins with MAGIC and ends with preallocated zeros: overwriting them is cheaper to sync than growing the file.
 */
export interface LogRecord {
  /** Sequence number: grows by one from record to record of a file. */
  readonly seq: number;
  /** `delete` removes a view unconditionally; `remove` removes the value with the expected hash. */
  readonly op: "create" | "swap" | "put" | "delete" | "remove";
  readonly key: string;
  /** Hash of the old value; null if there was none. */
  readonly before: Hash | null;
  /** Hash of the new value; null if there is none. */
  readonly after: Hash | null;
  /** Sequence number up to which everything was answered when this record was written. */
  readonly answered: number;
  readonly bytes: Uint8Array;
}

export const MAGIC = Buffer.from("bloom-log 1\n");
const PREFIX = 12;
const MAX_HEADER = 8192;
const HEADER_START = Buffer.from('{"seq":');

export function encodeRecord(record: LogRecord): Uint8Array[] {
  const { seq, answered, op, key, before, after, bytes } = record;
  // By hand, because this is half of the processor time of a write. Keys may need escapes, hashes do not.
  const header = `{"seq":${seq},"answered":${answered},"op":"${op}","key":${JSON.stringify(key)},"before":${quoted(before)},"after":${quoted(after)}}`;
  const length = Buffer.byteLength(header);
  const front = Buffer.allocUnsafe(PREFIX + length);
  front.writeUInt32LE(4 + length + bytes.length, 0);
  front.writeUInt32LE(length, 8);
  front.write(header, PREFIX);
  front.writeUInt32LE(crc32(bytes, crc32(front.subarray(8))), 4);
  return bytes.length > 0 ? [front, bytes] : [front];
}

const quoted = (hash: Hash | null): string => (hash === null ? "null" : `"${hash}"`);

export interface Scan {
  readonly records: readonly LogRecord[];
  /** Position after the last record. */
  readonly end: number;
  /**
   * Number of answered writes that can no longer be read, as shown by a later record. A torn last batch is not damage, because it
   * was never answered.
   */
  readonly lost: number;
}

/** Reads records from `from` on. Never throws: invalid bytes end the scan. */
export function scanLog(bytes: Buffer, from = MAGIC.length): Scan {
  const records: LogRecord[] = [];
  let at = from;
  for (let record = decodeRecord(bytes, at); record; record = decodeRecord(bytes, at)) {
    const last = records.at(-1);
    if (last && record.seq !== last.seq + 1) break;
    records.push(record);
    at += recordLength(bytes, at);
  }
  const lastSeq = records.at(-1)?.seq;
  return { records, end: at, lost: lostBehind(bytes, at, lastSeq) };
}

/** The record at a position; undefined if it is not complete and valid. */
function decodeRecord(bytes: Buffer, at: number): LogRecord | undefined {
  if (at + PREFIX > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  const headerLength = bytes.readUInt32LE(at + 8);
  if (length < 4 + headerLength || headerLength > MAX_HEADER || at + 8 + length > bytes.length) return undefined;
  const body = bytes.subarray(at + 8, at + 8 + length);
  if (crc32(body) !== bytes.readUInt32LE(at + 4)) return undefined;
  const fields = JSON.parse(body.toString("utf8", 4, 4 + headerLength)) as Omit<LogRecord, "bytes">;
  return { ...fields, bytes: body.subarray(4 + headerLength) };
}

const recordLength = (bytes: Buffer, at: number): number => 8 + bytes.readUInt32LE(at);

/**
 * Searches behind the readable part for records whose `answered` shows that unreadable writes were answered. If nothing is
 * readable, a record whose predecessor was answered proves that there was one.
 */
function lostBehind(bytes: Buffer, end: number, lastSeq: number | undefined): number {
  let floor = lastSeq ?? Number.POSITIVE_INFINITY;
  let most = 0;
  for (let found = bytes.indexOf(HEADER_START, end); found >= 0; found = bytes.indexOf(HEADER_START, found + 1)) {
    const record = found >= PREFIX ? decodeRecord(bytes, found - PREFIX) : undefined;
    if (!record) continue;
    most = Math.max(most, record.answered);
    if (lastSeq === undefined)
      floor = Math.min(floor, record.seq === record.answered + 1 ? record.answered - 1 : record.answered);
  }
  return Math.max(0, most - floor);
}
