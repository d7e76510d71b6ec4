import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { type World } from "../../../base/world.ts";
import { closeGarden, type Garden, openGarden } from "../../core/garden.ts";
import { initGarden } from "../../life/init.ts";
import { files, testPorts } from "../../testing/scratch.ts";

/** One garden for a whole file of tests, where each test has its own agent. */
export function oneGarden(world: World = fixedWorld("2026-02-14T08:00:00Z", 1000)): () => Garden {
  let garden: Garden | undefined;
  let dir = "";
  beforeAll(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "runs-")));
    const ground = testPorts(world);
    files(join(dir, "rose"), { "notes/a.md": "# A\n", "notes/б.md": "# Б\n" });
    await initGarden(ground, join(dir, "rose"), { language: "en", name: "Rose" });
    garden = await openGarden(ground, join(dir, "rose"));
  });
  afterAll(async () => {
    if (garden) await closeGarden(garden);
    rmSync(dir, { recursive: true, force: true });
  });
  return () => garden!;
}
