import type { EngineConfig } from "../../domain/config/engine-config.ts";
import { contractKey, MAIN_REF } from "../../domain/layout.ts";
import { isNotePath } from "../../domain/note/note-path.ts";
import type { Uncommitted } from "../../ports/repo.ts";
import type { RepoHealth } from "../../ports/repo-health.ts";
import { everyKey, type Store, type StoreHealth } from "../../ports/store.ts";
import type { Garden } from "../core/garden.ts";
import { gitHealth } from "../core/main-head.ts";
import { type SeenPeer, seenPeers } from "../core/peers.ts";

export interface GardenStatus {
  readonly name: string;
  readonly dir: string;
  /** The checked-out branch; undefined if HEAD is detached. */
  readonly branch: string | undefined;
  readonly head:
    | { readonly commit: string; readonly subject: string; readonly author: string; readonly at: number }
    | undefined;
  readonly notes: number;
  readonly agents: readonly string[];
  /** The number of pending proposals. */
  readonly pending: number;
  readonly uncommitted: readonly Uncommitted[];
  readonly store: StoreHealth;
  readonly git: RepoHealth;
  /** O-11: the engine of `garden.yaml`, and the address of its server if it has one. */
  readonly engine: { readonly kind: EngineConfig["kind"]; readonly url?: string };
  /** O-10: the processes that serve the garden now. */
  readonly peers: readonly SeenPeer[];
}

/** The present state of a garden, for `bloom status`. */
export async function gardenStatus(garden: Garden): Promise<GardenStatus> {
  const { store, repo, config } = garden;
  const situation = await garden.repos.look(garden.dir);
  const main = await repo.resolve(MAIN_REF);
  const head = main ? await repo.commit(main) : undefined;
  const files = main ? await repo.list(main, config.notes_root === "." ? "" : config.notes_root) : [];
  return {
    name: config.name,
    dir: garden.dir,
    branch: situation.kind === "repository" ? situation.branch : undefined,
    head: head && {
      commit: head.oid,
      subject: head.message.split("\n")[0]!,
      author: head.author.name,
      at: head.committer.at,
    },
    notes: files.filter(({ path }) => isNotePath(path, config)).length,
    agents: await agentSlugs(store),
    pending: await countKeys(store, "proposals/pending/"),
    uncommitted: await repo.uncommitted(),
    store: await store.health(),
    git: await gitHealth(repo),
    engine: { kind: config.engine.kind, ...("url" in config.engine && { url: config.engine.url }) },
    peers: await seenPeers(garden),
  };
}

/** C-1: a folder with a contract is an agent. */
export async function agentSlugs(store: Store): Promise<string[]> {
  const slugs: string[] = [];
  for (const slug of await agentFolders(store)) if (await store.get(contractKey(slug))) slugs.push(slug);
  return slugs;
}

/** Also of agents that are being deleted. Skips from folder to folder, so that runs are never listed. */
export async function agentFolders(store: Store): Promise<string[]> {
  const slugs: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await store.list("agents/", { limit: 1, ...(after !== undefined && { after }) });
    const key = page.entries[0]?.key;
    if (key === undefined) return slugs;
    const slug = key.split("/")[1]!;
    slugs.push(slug);
    after = `agents/${slug}0`; // "0" is the character after "/"
  }
}

async function countKeys(store: Store, prefix: string): Promise<number> {
  let count = 0;
  for await (const _ of everyKey(store, prefix)) count++;
  return count;
}
