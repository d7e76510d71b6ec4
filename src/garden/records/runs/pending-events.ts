import { createHash } from "node:crypto";
import { z } from "zod";
import { slugField } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store, type Write } from "../../../ports/store.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";

/**
 * An event of the garden, with a name that contracts can trigger on (`note/created`). It stays in the store until every
 * agent with such a trigger has its run. Delivery is idempotent, because run ids are derived from event and agent.
 */
export const gardenEvent = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,49}(?:[./][a-z][a-z0-9-]{0,49}){1,4}$/),
  /** Derived from what happened: the same event has the same id in every delivery. */
  id: z.string().min(1).max(300),
  at: z.iso.datetime(),
  by: z.string(),
  /** The subject of the event: a path, a proposal, a run. */
  subject: z.string().max(1000),
  payload: z.json().optional(),
  /** The run that caused it, if one did. */
  from: z.strictObject({ slug: slugField, run: z.string() }).optional(),
});
export type GardenEvent = z.infer<typeof gardenEvent>;

/** Stores an event. Called before its cause is closed: after a crash it may be delivered twice, but it is never lost. */
export async function keepEvent(store: Store, event: GardenEvent): Promise<void> {
  const { key, bytes } = eventWrite(event);
  await createOrFind(store, key, bytes);
}

/** The event as one of several writes (`store.inOrder`). */
export const eventWrite = (event: GardenEvent): Write & { readonly verb: "create" } => ({
  verb: "create",
  key: keys.pendingEvent(eventHash(event.id)),
  bytes: jsonBytes(gardenEvent.parse(event)),
});

export interface KeptEvent {
  readonly key: string;
  readonly hash: string;
  /** Undefined if the record is damaged. */
  readonly event: GardenEvent | undefined;
}

export async function* keptEvents(store: Store): AsyncGenerator<KeptEvent> {
  for await (const { key } of everyKey(store, keys.pendingEvents)) {
    const stored = await store.get(key);
    if (!stored) continue;
    yield { key, hash: stored.hash, event: tryReadJson(stored.bytes, gardenEvent) };
  }
}

export const eventHash = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 40);
