import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";

/** Streamed: memory does not grow with the size of the archive. */
export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface NewEntry {
  readonly name: string;
  readonly size: number;
  readonly bytes: Bytes;
  readonly executable?: boolean;
}

/** Adds an entry and returns the SHA-256 of its bytes, which must be exactly `size` many. */
export type AddEntry = (entry: NewEntry) => Promise<string>;

export async function* packArchive(at: number, fill: (add: AddEntry) => Promise<void>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const add: AddEntry = async ({ name, size, bytes, executable }) => {
    const hash = createHash("sha256");
    const writer = controller
      .add({ name, size, type: "file", mode: executable ? 0o755 : 0o644, mtime: new Date(at) })
      .getWriter();
    for await (const chunk of bytes) {
      hash.update(chunk);
      await writer.write(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
    await writer.close();
    return hash.digest("hex");
  };
  const filled = fill(add).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  const gzip = createGzip();
  const piped = pipeline(Readable.fromWeb(readable as NodeStream), gzip).catch(() => undefined); // the loop below gets the error
  try {
    for await (const chunk of gzip) yield chunk as Uint8Array;
  } finally {
    gzip.destroy();
    await Promise.all([piped, filled]);
  }
}

export interface ArchiveEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly size: number;
  readonly executable: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Visits the entries in order. Bytes that the visitor does not read are skipped. */
export async function eachEntry(
  archive: AsyncIterable<Uint8Array>,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const gunzip = createGunzip();
  const piped = pipeline(Readable.from(archive), gunzip).catch(() => undefined); // the loop below gets the error
  try {
    const unpacked = Readable.toWeb(gunzip) as ReadableStream<Uint8Array>;
    const entries = unpacked.pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      await visit({
        name: header.name,
        isFile: header.type === "file",
        size: header.size,
        executable: ((header.mode ?? 0) & 0o100) !== 0,
        bytes: body,
      });
      if (!body.locked) await body.cancel();
    }
  } finally {
    gunzip.destroy();
    await piped;
  }
}
