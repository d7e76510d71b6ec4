import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Contender } from "../harness.ts";
import { record, recordKey } from "../records.ts";

/** The plain careful way: a temporary file, synced, renamed to its name, and its folder synced. */
export const filePerRecord: Contender = {
  name: "one synced file per record (synced)",
  async open(folder) {
    let count = 0;
    const made = new Set<string>();
    return {
      async once() {
        const n = count++;
        const target = join(folder, recordKey(n));
        const parent = dirname(target);
        if (!made.has(parent)) {
          await mkdir(parent, { recursive: true });
          await synced(dirname(parent));
          made.add(parent);
        }
        const temporary = join(parent, `.tmp-${n}`);
        const file = await open(temporary, "wx");
        await file.writeFile(record(n));
        await file.sync();
        await file.close();
        await rename(temporary, target);
        await synced(parent);
      },
      close: async () => undefined,
    };
  },
};

async function synced(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}
