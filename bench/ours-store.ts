import { openDirStore } from "../src/adapters/store/dir/dir-store.ts";
import { realWorld } from "../src/base/world.ts";
import type { Contender } from "./harness.ts";
import { record, recordKey } from "./records.ts";

/** The directory store as the product uses it. Resting is closing and opening: then the files are there. */
export const dirStore: Contender = {
  name: "directory store (synced)",
  async open(folder) {
    const opened = () => openDirStore({ garden: folder, world: realWorld });
    let store = await opened();
    let count = 0;
    return {
      async once() {
        const n = count++;
        const { kind } = await store.create(recordKey(n), record(n));
        if (kind !== "created") throw new Error(`${recordKey(n)} was ${kind}`);
      },
      async rest() {
        await store.close();
        store = await opened();
      },
      close: () => store.close(),
    };
  },
};
