import { commits } from "./commit.ts";
import type { Bench } from "./harness.ts";
import { reads } from "./read.ts";
import { storeCreate } from "./store-create.ts";

/** Every bench of the project, in the order in which they run. */
export const allBenches = (files: number, scratch: string): Bench[] => [
  ...storeCreate,
  ...commits(files, scratch),
  ...reads(files, scratch),
];
