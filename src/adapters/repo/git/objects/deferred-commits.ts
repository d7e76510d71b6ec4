import type { Oid } from "../../../../domain/git/git-names.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { GitObject } from "./object-cache.ts";
import { type ObjectReader, parsed } from "./object-reader.ts";
import type { NewObject } from "./object-writer.ts";

/**
 * Commits that are to become durable with the move that lands them. Their objects are in memory alone, where our reader
 * finds them; git does not, so whatever asks git about a commit settles it first. A chain that nobody lands costs the disk
 * nothing.
 */
export interface HeldBack {
  /** Takes a commit with the objects made for it. `needs`: commits and trees that it builds on. */
  add(commit: Oid, objects: readonly NewObject[], needs: readonly Oid[]): Promise<void>;
  /** Puts on disk, synced, all that these commits and trees need and that was held back. */
  settle(oids: readonly Oid[]): Promise<void>;
  /** Lets the writing that is under way come to its end. */
  close(): Promise<void>;
}

interface Group {
  readonly commit: Oid;
  readonly objects: readonly NewObject[];
  readonly needs: readonly Oid[];
  readonly size: number;
}

const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function heldBack(reader: ObjectReader, write: (objects: readonly NewObject[]) => Promise<void>): HeldBack {
  /** In the order in which they were built, so that what a commit builds on comes before it. */
  const groups = new Map<Oid, Group>();
  /** Which group brought a tree; any that did brought all that the tree needs. */
  const broughtBy = new Map<Oid, Group>();
  let heldBytes = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function neededBy(oids: readonly Oid[]): Group[] {
    const found = new Set<Group>();
    const open = [...oids];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      const group = groups.get(oid) ?? broughtBy.get(oid);
      if (!group || found.has(group)) continue;
      found.add(group);
      open.push(...group.needs);
    }
    return [...groups.values()].filter((group) => found.has(group));
  }

  async function settleNow(oids: readonly Oid[]): Promise<void> {
    const needed = neededBy(oids);
    if (needed.length === 0) return; // another call was faster
    const objects = new Map(needed.flatMap((group) => group.objects.map((object) => [object.oid, object])));
    try {
      await write([...objects.values()]);
    } catch (error) {
      throw diskFailure(error);
    }
    for (const group of needed) {
      groups.delete(group.commit);
      heldBytes -= group.size;
      for (const { oid } of group.objects) if (broughtBy.get(oid) === group) broughtBy.delete(oid);
    }
    for (const { oid, bytes } of objects.values()) reader.unpin(oid, bytes.length);
  }

  const settle: HeldBack["settle"] = async (oids) => {
    if (neededBy(oids).length === 0) return;
    const mine = turn.then(() => settleNow(oids));
    turn = mine.catch(() => undefined);
    await mine;
  };

  return {
    async add(commit, given, needs) {
      if (groups.has(commit)) return;
      const objects = given.map(ours);
      const size = objects.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const group: Group = { commit, objects, needs, size };
      groups.set(commit, group);
      heldBytes += size;
      for (const { oid, type, bytes } of objects) {
        if (type === "tree") broughtBy.set(oid, group);
        reader.pin(oid, inMemory(oid, type, bytes));
      }
      if (heldBytes > MAX_HELD_BYTES) await settle([...groups.keys()]);
    },
    settle,
    async close() {
      await turn;
    },
  };
}

/** The bytes of a file are the caller's, who may write others over them. */
const ours = (object: NewObject): NewObject =>
  object.type === "blob" ? { ...object, bytes: Buffer.from(object.bytes) } : object;

const inMemory = (oid: Oid, type: NewObject["type"], bytes: Uint8Array): GitObject => {
  const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return type === "blob" ? { type, bytes: held } : parsed(oid, type, held);
};
