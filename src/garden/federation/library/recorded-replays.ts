import { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";

const count = z.int().nonnegative();

/** S-9b: a behaviour of the library replayed on recorded runs of one of our agents. */
export const behaviourReplay = z.strictObject({
  agent: z.string(),
  /** The version that the agent followed then. */
  version: z.string().nullable(),
  at: z.iso.datetime(),
  /** Evidence records of the sender, replayed here. */
  evidence: z.strictObject({ agrees: count, differs: count, verdict_only: count }),
  /** Our recorded runs: it would do the same, better (it avoids a failure), worse (it would fail), or the recording cannot tell. */
  runs: z.strictObject({ same: count, better: count, worse: count, unknown: count }),
  /** Good ones among the runs with a verdict for which the replay tells the result. */
  good: count,
  judged: count,
});
export type BehaviourReplay = z.infer<typeof behaviourReplay>;

/** The replays of an entry, newest first. */
export async function recordedReplays(store: Store, entry: string): Promise<readonly BehaviourReplay[]> {
  const found: BehaviourReplay[] = [];
  for await (const { key } of everyKey(store, `${keys.libraryReplays}${entry}/`)) {
    const replay = tryReadJson((await store.get(key))?.bytes, behaviourReplay);
    if (replay) found.push(replay);
  }
  return found.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

export const recordReplay = (store: Store, entry: string, replay: BehaviourReplay): Promise<void> =>
  store.put(keys.libraryReplay(entry, replay.agent), jsonBytes(behaviourReplay.parse(replay)));
