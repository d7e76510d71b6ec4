import { blobId } from "../../../base/canonical.ts";
import { machine } from "../../../domain/layout.ts";
import { type PostingsSegment, readSegment } from "../../../domain/search/segment.ts";
import type { Folder } from "../../../ports/folder.ts";

/** A packed part of the index with the notes that it covers: the first has number 0 in the segment. */
export interface StoredPart {
  readonly notes: readonly StoredNote[];
  readonly segment: PostingsSegment;
}

export type StoredNote = readonly [path: string, blob: string, terms: number];

/**
 * The part of the index that is kept in `.bloom/search/`, so that a process does not read every note again. Only a cache: files can be
 * deleted at any time, a damaged or outdated one is removed, and a folder that cannot be written is left as it is. Names are the
 * hashes of the contents, so several processes may write at once.
 */
export interface IndexFiles {
  load(): AsyncIterable<{ readonly name: string; readonly part: StoredPart }>;
  save(part: StoredPart): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

/** Changes whenever `noteKeys` gives other keys for the same text. */
export const INDEX_FORMAT = "bloom-search 3\n";
const MOST_BYTES = 256 * 1024 * 1024;

export function indexFiles(folder: Folder, root: string): IndexFiles {
  const place = `${machine.search}/${blobId(Buffer.from(root)).slice(0, 12)}`;
  const remove = (name: string): Promise<void> => folder.removeFile(`${place}/${name}`).catch(() => undefined);
  return {
    remove,
    async *load() {
      for (const name of await folder.names(place).catch(() => [])) {
        const bytes = await folder.read(`${place}/${name}`, MOST_BYTES).catch(() => undefined);
        const part = bytes && blobId(bytes) === name ? readPart(bytes) : undefined;
        if (part) yield { name, part };
        else await remove(name);
      }
    },
    async save(part) {
      const bytes = partBytes(part);
      const name = blobId(bytes);
      return await folder.write(`${place}/${name}`, [bytes], "private").then(
        () => name,
        () => undefined,
      );
    },
  };
}

function partBytes({ notes, segment }: StoredPart): Uint8Array {
  const list = Buffer.from(JSON.stringify(notes));
  const length = Buffer.from(`${list.length}\n`);
  return Buffer.concat([Buffer.from(INDEX_FORMAT), length, list, segment.bytes()]);
}

function readPart(bytes: Uint8Array): StoredPart | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (all.subarray(0, INDEX_FORMAT.length).toString() !== INDEX_FORMAT) return undefined;
  const end = all.indexOf("\n", INDEX_FORMAT.length);
  const length = Number(all.subarray(INDEX_FORMAT.length, end).toString());
  const segment = readSegment(all.subarray(end + 1 + length));
  if (!segment) return undefined;
  return { notes: JSON.parse(all.subarray(end + 1, end + 1 + length).toString()) as StoredNote[], segment };
}
