import { basename, dirname, join } from "node:path";
import type { Folder } from "../../ports/folder.ts";
import type { GardenPorts } from "./garden.ts";

/**
 * A hidden folder beside `dir` for work that is renamed to `dir` when it is complete: `.rose.restoring-1f2e…`. Creates nothing.
 */
export async function siblingFolder(ground: GardenPorts, dir: string, doing: string): Promise<Folder> {
  for (;;) {
    const random = Buffer.from(ground.world.random(6)).toString("hex");
    const folder = ground.folders.at(join(dirname(dir), `.${basename(dir)}.${doing}-${random}`));
    if ((await folder.stat("")).kind === "missing") return folder;
  }
}
