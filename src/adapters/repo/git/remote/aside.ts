import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../../../base/world.ts";
import { isProcessAlive, ownProcessMark } from "../../../process-mark.ts";
import { openCore, type RepoCore } from "../core.ts";

/**
 * A throw-away bare repository inside the git folder of another one, whose objects it borrows. `close` removes it; one that a crash
 * left is removed by the next.
 */
export async function openAside(core: Pick<RepoCore, "commonDir" | "place">, world: World): Promise<RepoCore> {
  const all = join(core.commonDir, "bloom-aside");
  await removeLeft(all);
  const mark = (await ownProcessMark()).replace(" ", "-");
  const dir = join(all, `${mark}.${Buffer.from(world.random(6)).toString("hex")}`);
  await emptyRepository(dir, join(core.commonDir, "objects"));
  return openThrowAway({ dir, environment: core.place.environment }, world);
}

/** Opens a bare repository that is removed with `close`. */
export async function openThrowAway(place: RepoCore["place"], world: World): Promise<RepoCore> {
  const core = await openCore(place, { world });
  return {
    ...core,
    async close() {
      await core.close();
      await rm(place.dir, { recursive: true, force: true });
    },
  };
}

async function removeLeft(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    const mark = name.split(".")[0]!.replace("-", " ");
    if (!(await isProcessAlive(mark))) await rm(join(all, name), { recursive: true, force: true });
  }
}

/** As `git init --bare` makes it, without a process. */
export async function emptyRepository(dir: string, borrowed?: string): Promise<void> {
  await mkdir(join(dir, "objects/info"), { recursive: true });
  await mkdir(join(dir, "objects/pack"));
  await mkdir(join(dir, "refs"));
  await writeFile(join(dir, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(dir, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  if (borrowed !== undefined) await writeFile(join(dir, "objects/info/alternates"), `${borrowed}\n`);
}
