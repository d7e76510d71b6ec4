import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Contender } from "../harness.ts";
import { record } from "../records.ts";

/**
 * The bare limit of the disk: one file, one write and one fdatasync for all who wait. No names, no hashes, no reading
 * back, no replay: what any store with a log must do at least.
 *
 * - "appended": the file grows with every write, so that every sync also writes its new length.
 * - "room made ahead": zeros are written megabytes ahead, and a sync has to write nothing but the records.
 */
export const bareLog = (roomAhead: boolean): Contender => ({
  name: `bare log, group commit, ${roomAhead ? "room made ahead (limit, synced)" : "appended (synced)"}`,
  async open(folder) {
    const file = await open(join(folder, "log"), "w");
    const write = writer(file, roomAhead);
    let waiting: { bytes: Uint8Array; done: () => void; failed: (error: unknown) => void }[] = [];
    let draining = false;

    const drain = async (): Promise<void> => {
      draining = true;
      while (waiting.length > 0) {
        const group = waiting;
        waiting = [];
        try {
          await write(group.flatMap(({ bytes }) => [lengthOf(bytes), bytes]));
          await file.datasync();
          for (const { done } of group) done();
        } catch (error) {
          for (const { failed } of group) failed(error);
        }
        await new Promise(setImmediate); // those who were answered come back together, not one ahead of the rest
      }
      draining = false;
    };
    let count = 0;
    return {
      once: () =>
        new Promise((done, failed) => {
          waiting.push({ bytes: record(count++), done, failed });
          if (!draining) void drain();
        }),
      close: () => file.close(),
    };
  },
});

const ROOM = Buffer.alloc(4 * 1024 * 1024);

function writer(file: FileHandle, roomAhead: boolean): (parts: readonly Uint8Array[]) => Promise<void> {
  let end = 0;
  let room = 0;
  return async (parts) => {
    const begin = end;
    for (const part of parts) end += part.length;
    if (roomAhead && end > room) {
      await file.writev([...parts, ROOM], begin);
      room = end + ROOM.length;
    } else {
      await file.writev([...parts], begin);
    }
  };
}

function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}
