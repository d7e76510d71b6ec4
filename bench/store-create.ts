import type { Bench, Size } from "./harness.ts";
import { dirStore } from "./ours-store.ts";
import { bareLog } from "./rivals/bare-log.ts";
import { filePerRecord } from "./rivals/file-per-record.ts";

/** Rate at which new records of 2 KB are acknowledged as durable, and the rate until they are ordinary files. */
export const storeCreate = ({ crowd }: Size): Bench[] =>
  [1, crowd].flatMap((workers) => {
    const writers = workers === 1 ? "1 writer" : `${workers} writers`;
    const common = {
      unit: "creates/s",
      workers,
      ours: dirStore,
      rivals: [bareLog(true), bareLog(false), filePerRecord],
    };
    return [
      { ...common, name: `store create, 2 KB, synced, ${writers}` },
      { ...common, name: `store create, 2 KB, synced, ${writers}, until files are made`, untilRest: true },
    ];
  });
