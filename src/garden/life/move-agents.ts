import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { agentFilePath, isAgentFileKey, tree } from "../../domain/layout.ts";
import type { Folder } from "../../ports/folder.ts";
import type { Repo } from "../../ports/repo.ts";
import { everyKey, type Store } from "../../ports/store.ts";

/** Used where the garden has a folder `agents` of its own: the name of the sources' bucket. */
const OTHER_ROOT = "garden-agents";

/**
 * The folder for the agents of a garden (G-1a): `agents`, unless that is a folder of something else. A folder of agents, or one
 * without files, is taken as it is.
 */
export async function chooseAgentsRoot(folder: Folder, notesRoot: string): Promise<string> {
  for (const root of [tree.agents, OTHER_ROOT])
    if (root !== notesRoot.split("/")[0] && (await isFreeForAgents(folder, root))) return root;
  throw new Failure("DUPLICATE_ENTRY", {
    en: `${tree.agents} and ${OTHER_ROOT} are in use, and the agents of the garden need a folder`,
    uk: `${tree.agents} і ${OTHER_ROOT} зайняті, а агентам саду потрібна тека`,
    hint: { en: "Rename one of them, then try again.", uk: "Перейменуйте одну з них і повторіть." },
  });
}

async function isFreeForAgents(folder: Folder, root: string): Promise<boolean> {
  const { kind } = await folder.stat(root);
  if (kind === "missing") return true;
  if (kind !== "folder") return false;
  for await (const { path } of folder.walk(root))
    if ((await folder.stat(`${path.split("/").slice(0, 2).join("/")}/_agent.md`)).kind === "missing") return false;
  return true;
}

/** The files of agents in a store of format 1, where they were objects like any other, with their paths in the work tree. */
export async function* agentFilesInStore(
  store: Store,
  agentsRoot: string,
): AsyncGenerator<{ readonly key: string; readonly path: string; readonly bytes: Uint8Array; readonly hash: string }> {
  for await (const { key } of everyKey(store, "agents/")) {
    const path = isAgentFileKey(key) ? agentFilePath(agentsRoot, key) : undefined;
    const stored = path === undefined ? undefined : await store.get(key);
    if (path !== undefined && stored) yield { key, path, ...stored };
  }
}

/**
 * Removes the objects of format 1 whose content main has at the new place, now or in its history. Idempotent: after a crash the
 * next upgrade removes the rest, and until then nothing reads them.
 */
export async function removeMovedFiles(store: Store, repo: Repo, head: string, agentsRoot: string): Promise<number> {
  let removed = 0;
  for await (const { key, path, hash } of agentFilesInStore(store, agentsRoot)) {
    const commits = [head, ...(await repo.history(head, path)).map(({ oid }) => oid)];
    for (const commit of commits) {
      if ((await repo.read(commit, path))?.oid !== hash) continue;
      if ((await store.remove(key, hash)).kind === "removed") removed++;
      crashPoint("upgrade:removed");
      break;
    }
  }
  return removed;
}
