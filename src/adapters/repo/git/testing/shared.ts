import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEachTest } from "../../../../base/testing/clean-up.ts";
import { realWorld } from "../../../../base/world.ts";
import type { SharedRepo } from "../../../../ports/repos.ts";
import { openCore, type RepoCore } from "../core.ts";
import { byHand, environment, scratch } from "./scratch.ts";

const opened: RepoCore[] = [];
afterEachTest(async () => {
  for (const core of opened.splice(0)) await core.close();
});

/** A new bare repository for several clones. */
export function bareRemote(): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "--bare", "-b", "main");
  return dir;
}

/** A bare remote with one commit by hand: two notes. */
export function seededRemote(): string {
  const remote = bareRemote();
  const first = scratch();
  byHand(first, "init", "-q", "-b", "main");
  writeFileSync(join(first, "a.md"), "a\n");
  writeFileSync(join(first, "b.md"), "b\n");
  byHand(first, "add", ".");
  byHand(first, "commit", "-q", "-m", "Begin");
  byHand(first, "push", "-q", remote, "main");
  return remote;
}

export interface Machine {
  readonly dir: string;
  readonly core: RepoCore;
}

/** A clone of the remote in a folder of its own, open. Looks at the remote only when told. `url`: its address, if not its folder. */
export async function machineOn(remote: string, { url, ...settings }: MachineSettings = {}): Promise<Machine> {
  const dir = scratch();
  byHand(dir, "clone", "-q", remote, ".");
  return { dir, core: await openShared(dir, url ?? remote, settings) };
}

type MachineSettings = Partial<SharedRepo> & { readonly url?: string };

export async function openShared(dir: string, remote: string, settings: Partial<SharedRepo> = {}): Promise<RepoCore> {
  const shared = { remote, fetch_seconds: 3600, timeout_seconds: 20, ...settings };
  const core = await openCore({ dir, environment }, { world: realWorld, shared });
  opened.push(core);
  return core;
}
