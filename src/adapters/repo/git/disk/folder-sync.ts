import { syncPath } from "./sync-path.ts";

/**
 * Syncs folders, so that names in them survive a power cut. Who asks while a sync of the same folder is running waits
 * for the next one, and shares it with all others who ask: the running one may have begun before their entry was there.
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
