import type { Identity } from "../../../domain/identity.ts";
import { type Sight, sightOf } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../agents/read-agent.ts";

/**
 * Which notes somebody may read: the owner all, a guest those in the folders of the zone, an agent those in the folder of
 * its contract (C-11), or all where that names none; a webhook none, and an agent without a contract none.
 */
export async function visibleNotes(
  { config, store }: Pick<Garden, "config" | "store">,
  identity: Identity,
): Promise<Sight> {
  return sightOf(config.notes_root, await foldersOf(store, identity, config.notes_root));
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
      return folder === undefined ? "all" : [inNotes(folder, notesRoot)];
    }
    case "webhook":
    case "gateway":
      return [];
  }
}

/** The contract names a folder of knowledge by its own name, or from the top of the garden. */
const inNotes = (folder: string, notesRoot: string): string =>
  notesRoot === "." || folder === notesRoot || folder.startsWith(`${notesRoot}/`) ? folder : `${notesRoot}/${folder}`;
