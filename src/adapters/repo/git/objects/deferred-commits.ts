import type { Oid } from "../../../../domain/git/git-names.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { GitObject } from "./object-cache.ts";
import { type ObjectReader, parseObject } from "./object-reader.ts";
import type { NewObject } from "./object-writer.ts";

/**
 * Commits that become durable with the move that lands them. Until then their objects exist only in memory, where our
 * reader finds them; git does not see them, so call `makeDurable` before asking git about a commit. A chain that is never
 * landed costs no disk write.
 */
export interface DeferredCommits {
  /** Adds a commit with its new objects. `needs`: the commits and trees that it builds on. */
  add(commit: Oid, objects: readonly NewObject[], needs: readonly Oid[]): Promise<void>;
  /** Writes and syncs these commits and trees with all deferred objects that they need. Idempotent. */
  makeDurable(oids: readonly Oid[]): Promise<void>;
  /** Waits for the write in progress. */
  close(): Promise<void>;
}

interface Group {
  readonly commit: Oid;
  readonly objects: readonly NewObject[];
  readonly needs: readonly Oid[];
  readonly size: number;
}

const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function deferredCommits(
  reader: ObjectReader,
  write: (objects: readonly NewObject[]) => Promise<void>,
): DeferredCommits {
  /** In the order of building: a commit comes after the commits it builds on. */
  const groups = new Map<Oid, Group>();
  /** The group that first contains a tree, and with it everything that the tree needs. */
  const groupOfTree = new Map<Oid, Group>();
  let heldBytes = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function neededBy(oids: readonly Oid[]): Group[] {
    const found = new Set<Group>();
    const open = [...oids];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      const group = groups.get(oid) ?? groupOfTree.get(oid);
      if (!group || found.has(group)) continue;
      found.add(group);
      open.push(...group.needs);
    }
    return [...groups.values()].filter((group) => found.has(group));
  }

  async function writeNeeded(oids: readonly Oid[]): Promise<void> {
    const needed = neededBy(oids);
    if (needed.length === 0) return; // an earlier call wrote them
    const objects = new Map(needed.flatMap((group) => group.objects.map((object) => [object.oid, object])));
    try {
      await write([...objects.values()]);
    } catch (error) {
      throw diskFailure(error);
    }
    for (const group of needed) {
      groups.delete(group.commit);
      heldBytes -= group.size;
      for (const { oid } of group.objects) if (groupOfTree.get(oid) === group) groupOfTree.delete(oid);
    }
    for (const { oid, bytes } of objects.values()) reader.unpin(oid, bytes.length);
  }

  const makeDurable: DeferredCommits["makeDurable"] = async (oids) => {
    if (neededBy(oids).length === 0) return;
    const mine = queue.then(() => writeNeeded(oids));
    queue = mine.catch(() => undefined);
    await mine;
  };

  return {
    async add(commit, given, needs) {
      if (groups.has(commit)) return;
      const objects = given.map(ownCopy);
      const size = objects.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const group: Group = { commit, objects, needs, size };
      groups.set(commit, group);
      heldBytes += size;
      for (const { oid, type, bytes } of objects) {
        if (type === "tree") groupOfTree.set(oid, group);
        reader.pin(oid, inMemory(oid, type, bytes));
      }
      if (heldBytes > MAX_HELD_BYTES) await makeDurable([...groups.keys()]);
    },
    makeDurable,
    async close() {
      await queue;
    },
  };
}

/** Copies file content: the caller may reuse its buffer. */
const ownCopy = (object: NewObject): NewObject =>
  object.type === "blob" ? { ...object, bytes: Buffer.from(object.bytes) } : object;

const inMemory = (oid: Oid, type: NewObject["type"], bytes: Uint8Array): GitObject => {
  const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return type === "blob" ? { type, bytes: held } : parseObject(oid, type, held);
};
