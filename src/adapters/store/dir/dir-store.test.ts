import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realWorld } from "../../../base/world.ts";
import { storeConformance } from "../conformance.ts";
import { openDirStore } from "./dir-store.ts";

storeConformance("directory", async () => {
  const garden = fs.mkdtempSync(join(tmpdir(), "bloom-store-"));
  return {
    open: () => openDirStore({ garden, world: realWorld }),
    discard: async () => fs.rmSync(garden, { recursive: true, force: true }),
  };
});
