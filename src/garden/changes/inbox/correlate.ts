import { z } from "zod";
import { assert } from "../../../base/assert.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Store } from "../../../ports/store.ts";
import { correlationHash, requestId } from "./wish.ts";

/**
 * The first request with a correlation id (P-3), by identity: which entry it became, and what was asked. Create-only: a
 * repetition finds it, however much later it comes.
 */
const correlated = z.strictObject({ entry: z.string(), at: z.iso.datetime(), request: z.string() });
type Correlated = z.infer<typeof correlated>;

/** The first request of this name, or undefined if there was none. */
export async function findCorrelated(store: Store, entry: InboxEntry): Promise<Correlated | undefined> {
  const there = await store.get(keys.correlatedEntry(correlationHash(entry)));
  return there && correlated.parse(JSON.parse(Buffer.from(there.bytes).toString()));
}

/** Makes this entry the first of its name. Answers with the one that is: this one, or an earlier. */
export async function correlate(store: Store, entry: InboxEntry): Promise<Correlated> {
  const own: Correlated = { entry: entry.id, at: entry.source.timestamp, request: requestId(entry) };
  try {
    const made = await store.create(keys.correlatedEntry(correlationHash(entry)), bytesOf(own));
    if (made.kind === "created") return own;
  } catch (error) {
    // The answer was lost. What stands there decides; with nothing there, nobody was first, and the sender asks again.
    const there = isFailure(error) && error.outcome === "unknown" ? await findCorrelated(store, entry) : undefined;
    if (there) return there;
    throw error;
  }
  const first = await findCorrelated(store, entry);
  assert(first, "who was told that a key is taken can read what stands there");
  return first;
}

/** The entry that the first request became: this one with that one's id and time, if the same was asked. */
export function asFirst(first: Correlated, entry: InboxEntry): InboxEntry {
  if (first.request === requestId(entry))
    return { ...entry, id: first.entry, source: { ...entry.source, timestamp: first.at } };
  throw new Failure(
    "DUPLICATE_ENTRY",
    {
      en: `the correlation id ${JSON.stringify(entry.metadata.correlation_id)} was used for another request`,
      uk: `ідентифікатор ${JSON.stringify(entry.metadata.correlation_id)} уже використано для іншого запиту`,
    },
    {
      hint: {
        en: "Use a new one for a new request; the same one only to repeat a request as it was.",
        uk: "Для нового запиту візьміть новий; той самий — лише щоб повторити запит без змін.",
      },
      details: { entry: first.entry, correlation_id: entry.metadata.correlation_id },
    },
  );
}

const bytesOf = (record: Correlated): Uint8Array => Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
