import type { Oid } from "../../../../domain/git/git-names.ts";
import type { GitPlace } from "../process/git-process.ts";
import { CatFile } from "./cat-file.ts";
import { objectDamaged } from "./failures.ts";
import { type GitObject, objectCache } from "./object-cache.ts";
import { type ObjectType, objectId, parseCommit, parseTree } from "./object-format.ts";

/** Reads and parses objects, with a cache. Concurrent reads of one object share one request. */
export interface ObjectReader {
  /** The object, if it is in memory. */
  cached(oid: Oid): GitObject | undefined;
  /** Undefined if the repository has no such object. */
  get(oid: Oid): Promise<GitObject | undefined>;
  /** The type of an object, without reading it; undefined if there is none. */
  typeOf(oid: Oid): Promise<ObjectType | undefined>;
  /** Caches an object that was just written. */
  keep(oid: Oid, object: GitObject, size: number): void;
  /** Keeps an object in memory that git cannot see yet, until `unpin`; from then on it may be evicted. */
  pin(oid: Oid, object: GitObject): void;
  unpin(oid: Oid, size: number): void;
  close(): void;
}

export function objectReader(place: GitPlace, cacheBytes: number): ObjectReader {
  const git = new CatFile(place);
  const cache = objectCache(cacheBytes);
  const pinned = new Map<Oid, GitObject>();
  const inFlight = new Map<Oid, Promise<GitObject | undefined>>();
  const cached = (oid: Oid): GitObject | undefined => cache.get(oid) ?? pinned.get(oid);

  async function read(oid: Oid): Promise<GitObject | undefined> {
    const answer = await git.ask(oid, true);
    if (!answer) return undefined;
    // Git passes on the bytes of a loose blob without hashing them.
    if (objectId(answer.type, answer.bytes!) !== oid) throw objectDamaged(`the object ${oid}`, oid);
    const object = parseObject(oid, answer.type, answer.bytes!);
    cache.set(oid, object, answer.size);
    return object;
  }

  return {
    cached,
    get(oid) {
      const known = cached(oid);
      if (known) return Promise.resolve(known);
      const earlier = inFlight.get(oid);
      if (earlier) return earlier;
      const reading = read(oid).finally(() => inFlight.delete(oid));
      inFlight.set(oid, reading);
      return reading;
    },
    async typeOf(oid) {
      return cached(oid)?.type ?? (await git.ask(oid, false))?.type;
    },
    keep: (oid, object, size) => cache.set(oid, object, size),
    pin: (oid, object) => pinned.set(oid, object),
    unpin(oid, size) {
      const object = pinned.get(oid);
      pinned.delete(oid);
      if (object) cache.set(oid, object, size);
    },
    close: () => git.close(),
  };
}

export function parseObject(oid: Oid, type: ObjectType, bytes: Buffer): GitObject {
  switch (type) {
    case "tree":
      return { type, tree: parseTree(bytes) };
    case "commit":
      return { type, commit: parseCommit(oid, bytes) };
    case "blob":
    case "tag":
      return { type, bytes: Buffer.from(bytes) }; // a copy: a slice would keep the whole chunk in memory
  }
}

/** The same reader, but a missing object is looked for once more after `missed` has fetched. */
export function readerWithFetch(reader: ObjectReader, missed: (oid: Oid) => Promise<boolean>): ObjectReader {
  return {
    ...reader,
    get: async (oid) => (await reader.get(oid)) ?? ((await missed(oid)) ? reader.get(oid) : undefined),
    typeOf: async (oid) => (await reader.typeOf(oid)) ?? ((await missed(oid)) ? reader.typeOf(oid) : undefined),
  };
}
