import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Contender } from "../harness.ts";
import { record } from "../records.ts";

/**
 * The bare limit of the disk: one file that only grows, one write and one fdatasync for all who wait. No names, no
 * reading back, no replay: what any store with a log must do at least.
 */
export const bareLog: Contender = {
  name: "bare log, group commit (synced)",
  async open(folder) {
    const file = await open(join(folder, "log"), "a");
    let waiting: { bytes: Uint8Array; done: () => void; failed: (error: unknown) => void }[] = [];
    let busy = false;

    const drain = async (): Promise<void> => {
      busy = true;
      while (waiting.length > 0) {
        const group = waiting;
        waiting = [];
        try {
          await file.appendFile(Buffer.concat(group.map(({ bytes }) => framed(bytes))));
          await file.datasync();
          for (const { done } of group) done();
        } catch (error) {
          for (const { failed } of group) failed(error);
        }
      }
      busy = false;
    };
    let count = 0;
    return {
      once: () =>
        new Promise((done, failed) => {
          waiting.push({ bytes: record(count++), done, failed });
          if (!busy) void drain();
        }),
      close: () => file.close(),
    };
  },
};

function framed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
