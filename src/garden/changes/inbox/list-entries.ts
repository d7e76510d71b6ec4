import { everyKey, type Store } from "../../../ports/store.ts";
import { entryIn, type FiledEntry } from "./entry-files.ts";

export const entryPlaces = ["pending", "processed", "rejected"] as const;
type EntryPlace = (typeof entryPlaces)[number];

/** The number of pending entries, and of those processed and rejected in a month (`2026-02`). */
export async function countEntries(store: Store, month: string): Promise<Record<EntryPlace, number>> {
  const count = async (place: EntryPlace): Promise<number> => {
    let found = 0;
    for await (const _ of everyKey(store, folderOf(place, month))) found++;
    return found;
  };
  const [pending, processed, rejected] = await Promise.all([count("pending"), count("processed"), count("rejected")]);
  return { pending, processed, rejected };
}

/** A page of the entries in one place, oldest first; with `month`, of that month only. Damaged entries are left out. */
export async function listEntries(
  store: Store,
  page: {
    readonly status: EntryPlace;
    readonly month?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<{ readonly entries: readonly FiledEntry[]; readonly next: string | undefined }> {
  const folder = folderOf(page.status, page.month);
  const after = page.after?.startsWith(folder) ? page.after : undefined;
  const listed = await store.list(folder, { limit: page.limit, ...(after !== undefined && { after }) });
  const entries = await Promise.all(listed.entries.map(({ key }) => entryIn(store, key)));
  return { entries: entries.filter((entry) => entry !== undefined), next: listed.next };
}

const folderOf = (place: EntryPlace, month: string | undefined): string =>
  `inbox/${place}/${place === "pending" || month === undefined ? "" : `${month}/`}`;
