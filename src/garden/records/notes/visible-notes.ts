import { commonFolders } from "../../../domain/contract/capabilities.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type ReadScope, readScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../agents/read-agent.ts";
import { ceilingOfRun } from "../runs/run-origin.ts";

/**
 * The notes that an identity may read: the owner all; a guest those in the folders of the zone; an agent those in the
 * folder of its contract (C-11), or all if it names none, and in the run of a sub-agent only those of its ceiling too; a webhook, or an agent without a contract, none.
 */
export async function visibleNotes(
  { config, store }: Pick<Garden, "config" | "store">,
  identity: Identity,
): Promise<ReadScope> {
  return readScope(config, await foldersOf(store, identity, config.notes_root));
}

async function foldersOf(
  store: Garden["store"],
  identity: Identity,
  notesRoot: string,
): Promise<readonly string[] | "all"> {
  switch (identity.type) {
    case "owner":
      return "all";
    case "guest":
      return identity.folders;
    case "agent": {
      const agent = await findAgent(store, identity.slug);
      if (!agent) return [];
      const { folder } = agent.contract.context;
      const own = folder === undefined ? undefined : [folderInNotes(folder, notesRoot)];
      return commonFolders(own, (await ceilingOfRun(store, identity))?.reads) ?? "all";
    }
    case "webhook":
    case "gateway":
      return [];
  }
}

/** The folder in a contract is relative to the notes root, or to the root of the garden. */
export const folderInNotes = (folder: string, notesRoot: string): string =>
  notesRoot === "." || folder === notesRoot || folder.startsWith(`${notesRoot}/`) ? folder : `${notesRoot}/${folder}`;
