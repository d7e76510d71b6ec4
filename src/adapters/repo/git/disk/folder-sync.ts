import { syncPath } from "./sync-path.ts";

/**
 * Syncs a folder, so that the names in it survive a power cut. Calls that arrive during a sync of the same folder share
 * the next one: the running sync may have started before their entry existed.
 */
export type FolderSync = (folder: string) => Promise<void>;

export function folderSync(): FolderSync {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const start = (folder: string): Promise<void> => {
    const sync = syncPath(folder).finally(() => running.delete(folder));
    running.set(folder, sync);
    return sync;
  };
  return (folder) => {
    const queued = next.get(folder);
    if (queued) return queued;
    const current = running.get(folder);
    if (!current) return start(folder);
    const turn = current
      .catch(() => undefined)
      .then(() => {
        next.delete(folder);
        return start(folder);
      });
    next.set(folder, turn);
    return turn;
  };
}
