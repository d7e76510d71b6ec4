/** Buffers chunks and returns them in the sizes that a protocol needs. A large body is copied once. */
export interface ByteQueue {
  push(chunk: Buffer): void;
  /** The next line without its line feed; undefined until it is complete. */
  takeLine(): string | undefined;
  /** Exactly `count` bytes; undefined until they have arrived. */
  take(count: number): Buffer | undefined;
}

export function byteQueue(): ByteQueue {
  let chunks: Buffer[] = [];
  let length = 0;
  const joined = (): Buffer => {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
    return chunks[0]!;
  };
  const keep = (rest: Buffer): void => {
    chunks = rest.length > 0 ? [rest] : [];
    length = rest.length;
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      length += chunk.length;
    },
    takeLine() {
      if (length === 0) return undefined;
      const all = joined();
      const end = all.indexOf(0x0a);
      if (end < 0) return undefined;
      keep(all.subarray(end + 1));
      return all.toString("utf8", 0, end);
    },
    take(count) {
      if (length < count) return undefined;
      const all = joined();
      keep(all.subarray(count));
      return all.subarray(0, count);
    },
  };
}
