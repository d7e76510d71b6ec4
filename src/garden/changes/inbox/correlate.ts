import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { proposalIdOf } from "./proposal-from-entry.ts";
import { correlationHash, requestHash, sourceOf } from "./wish.ts";

/**
 * The first request with a correlation id (P-3), per identity: its entry and the hash of the request. Create-only, so a
 * repetition finds it at any later time.
 */
const correlated = z.strictObject({ entry: z.string(), at: z.iso.datetime(), request: z.string() });
type Correlated = z.infer<typeof correlated>;

/** The first request with the correlation id of this entry. */
export async function findCorrelated(store: Store, entry: InboxEntry): Promise<Correlated | undefined> {
  const key = keys.correlatedEntry(correlationHash(entry));
  const there = await store.get(key);
  return there && readJson(key, there.bytes, correlated);
}

/** Makes this entry the first of its correlation id. Returns the record that counts: this one, or an earlier one. */
export async function correlate(store: Store, entry: InboxEntry): Promise<Correlated> {
  const own: Correlated = { entry: entry.id, at: entry.source.timestamp, request: requestHash(entry) };
  const key = keys.correlatedEntry(correlationHash(entry));
  const { bytes } = await createOrFind(store, key, jsonBytes(own));
  return readJson(key, bytes, correlated);
}

/** This entry with the id and time of the first request. Throws DUPLICATE_ENTRY if the first request asked for something else. */
export function asFirst(first: Correlated, entry: InboxEntry): InboxEntry {
  if (first.request === requestHash(entry))
    return { ...entry, id: first.entry, source: { ...entry.source, timestamp: first.at } };
  throw new Failure("DUPLICATE_ENTRY", {
    en: `the correlation id ${JSON.stringify(entry.metadata.correlation_id)} was used for another request`,
    uk: `ідентифікатор ${JSON.stringify(entry.metadata.correlation_id)} уже використано для іншого запиту`,
    hint: {
      en: "Use a new one for a new request; the same one only to repeat a request as it was.",
      uk: "Для нового запиту візьміть новий; той самий — лише щоб повторити запит без змін.",
    },
    details: { entry: first.entry, correlation_id: entry.metadata.correlation_id },
  });
}

/** The proposal that the first request with this correlation id became; undefined if there is none. */
export async function proposalOfRequest(
  store: Store,
  identity: Identity,
  correlation_id: string,
): Promise<Proposal | undefined> {
  const source = sourceOf(identity, "");
  const key = keys.correlatedEntry(correlationHash({ source, metadata: { correlation_id } }));
  const there = await store.get(key);
  if (!there) return undefined;
  const { entry, at } = readJson(key, there.bytes, correlated);
  return findReadable(store, proposalIdOf({ id: entry, source: { timestamp: at } }));
}
