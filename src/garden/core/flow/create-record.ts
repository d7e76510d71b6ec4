import { asFailure, Failure, isFailure } from "../../../base/failure.ts";
import { RETRY_PAUSES_MS } from "../../../domain/run/run-step.ts";
import type { Store, Write } from "../../../ports/store.ts";
import type { Pause } from "./pause.ts";

/**
 * Creates a record and answers with the bytes that stand there: ours, or those of whoever was first. Work was done for it,
 * so a store that fails for a moment is asked again; a lost answer is looked up, because the record may be there all the
 * same (it says by its `op` whose it is). `then` are views that follow from it: written behind it, if it is ours.
 */
export async function createRecord(
  { store, pause }: { readonly store: Store; readonly pause: Pause },
  key: string,
  bytes: Uint8Array,
  then: readonly Write[] = [],
): Promise<{ readonly first: boolean; readonly bytes: Uint8Array }> {
  let last: Failure | undefined;
  for (const ms of [0, ...RETRY_PAUSES_MS]) {
    if (ms > 0) await pause(ms);
    try {
      const made =
        then.length === 0
          ? await store.create(key, bytes)
          : (await store.inOrder([{ verb: "create", key, bytes, must: true }, ...then]))[0];
      if (made?.kind === "created") return { first: true, bytes };
      const there = await store.get(key);
      if (!there) continue;
      const first = Buffer.compare(there.bytes, bytes) === 0;
      if (first && then.length > 0) await store.inOrder(then);
      return { first, bytes: there.bytes };
    } catch (error) {
      if (!isFailure(error, "UPSTREAM_UNAVAILABLE")) throw error;
      last = error;
    }
  }
  throw last ?? asFailure(new Error(`the record ${key} was taken and is gone`));
}
