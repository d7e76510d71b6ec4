import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realWorld, type World } from "../../base/world.ts";
import type { GardenPorts } from "../core/garden.ts";
import { initGarden } from "../life/init.ts";

/** The readings of the clock and the random bytes that `initGarden` used: a copy uses up as many, so that later ids are the same. */
interface WorldUse {
  now: number;
  readonly random: number[];
}

/**
 * Makes a garden of the files in `dir`. `initGarden` starts a dozen git processes, so it runs once for each set of files and start
 * of the clock; later calls copy its result. test/published.ts makes the folder that all test files of one run share.
 */
export async function plantGarden(
  ground: GardenPorts,
  dir: string,
  contents: Readonly<Record<string, string>>,
): Promise<void> {
  const { world } = ground;
  if (world === realWorld) return makeGarden(ground, dir);
  const reading = world.now();
  const key = createHash("sha256")
    .update(JSON.stringify([contents, reading]))
    .digest("hex")
    .slice(0, 24);
  const kept = join(keptFolder(), key);
  if (!existsSync(kept)) return keepGarden(ground, dir, kept, reading);
  cpSync(join(kept, "garden"), dir, { recursive: true, preserveTimestamps: true });
  const used = JSON.parse(readFileSync(join(kept, "used.json"), "utf8")) as WorldUse;
  for (let count = 1; count < used.now; count++) world.now();
  for (const count of used.random) world.random(count);
}

const makeGarden = async (ground: GardenPorts, dir: string): Promise<void> =>
  void (await initGarden(ground, dir, { language: "en", name: "Rose", notesRoot: "notes" }));

/** Another worker may store the same garden at the same time: the first rename wins, and both have equal contents. */
async function keepGarden(ground: GardenPorts, dir: string, kept: string, reading: number): Promise<void> {
  const used = await countingUse(ground.world, reading, () => makeGarden(ground, dir));
  const aside = mkdtempSync(join(keptFolder(), "new-"));
  cpSync(dir, join(aside, "garden"), { recursive: true, preserveTimestamps: true });
  writeFileSync(join(aside, "used.json"), JSON.stringify(used));
  try {
    renameSync(aside, kept);
  } catch {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Counts the use of the world during `work`. `reading` was taken from the clock already, and is its first answer. */
async function countingUse(world: World, reading: number, work: () => Promise<void>): Promise<WorldUse> {
  const now = world.now.bind(world);
  const random = world.random.bind(world);
  const used: WorldUse = { now: 0, random: [] };
  world.now = () => (used.now++ === 0 ? reading : now());
  world.random = (count) => {
    used.random.push(count);
    return random(count);
  };
  try {
    await work();
  } finally {
    Object.assign(world, { now, random });
  }
  if (used.now === 0) throw new Error("initGarden did not read the clock: a reading was taken for nothing");
  return used;
}

let own: string | undefined;

function keptFolder(): string {
  const shared = process.env["BLOOM_KEPT_GARDENS"];
  const folder = shared ?? (own ??= mkdtempSync(join(tmpdir(), "kept-gardens-")));
  mkdirSync(folder, { recursive: true });
  return folder;
}
