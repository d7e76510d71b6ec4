import { keys } from "../../../domain/layout.ts";
import { foldRun, type RunStatus } from "../../../domain/run/run.ts";
import type { Store, Write } from "../../../ports/store.ts";
import { jsonBytes } from "../json-record.ts";
import { type RunPlace, readJournal } from "./journal.ts";

/** Makes `status.json` again from the journal. The view never says more than the records do. */
export async function refreshStatus({ store }: { readonly store: Store }, place: RunPlace): Promise<void> {
  const journal = await readJournal(store, place);
  if (!journal?.request) return;
  await putStatus(store, place, foldRun(journal.request, journal.records, journal.manifest));
}

export const putStatus = (store: Store, { slug, run }: RunPlace, status: RunStatus): Promise<void> =>
  store.put(keys.runStatus(slug, run), jsonBytes(status));

/** The same write, for `store.inOrder`. */
export const statusWrite = ({ slug, run }: RunPlace, status: RunStatus): Write => ({
  verb: "put",
  key: keys.runStatus(slug, run),
  bytes: jsonBytes(status),
});
