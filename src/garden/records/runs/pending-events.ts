import { createHash } from "node:crypto";
import { z } from "zod";
import { isFailure } from "../../../base/failure.ts";
import { slugField } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store, type Write } from "../../../ports/store.ts";
import { jsonBytes } from "../../core/flow/journal.ts";

/**
 * Something that happened in a garden, with a name that contracts can wait for (`note/created`). It is kept until every agent
 * that waits for it has its run; because runs are named after event and agent, delivering it again changes nothing.
 */
export const gardenEvent = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,49}(?:[./][a-z][a-z0-9-]{0,49}){1,4}$/),
  /** The same thing that happened has the same id, however often it is told. */
  id: z.string().min(1).max(300),
  at: z.iso.datetime(),
  by: z.string(),
  /** What it is about: a path, a proposal, a run. */
  subject: z.string().max(1000),
  payload: z.json().optional(),
  /** The run that caused it, if one did. */
  from: z.strictObject({ slug: slugField, run: z.string() }).optional(),
});
export type GardenEvent = z.infer<typeof gardenEvent>;

/** On record before whatever it follows from is closed: a crash may have it delivered twice, never not at all. */
export async function keepEvent(store: Store, event: GardenEvent): Promise<void> {
  const { key, bytes } = eventWrite(event);
  await store.create(key, bytes).catch((error: unknown) => {
    if (!(isFailure(error) && error.outcome === "unknown")) throw error;
  });
}

/** The same among other writes. */
export const eventWrite = (event: GardenEvent): Write & { readonly verb: "create" } => ({
  verb: "create",
  key: keys.pendingEvent(eventHash(event.id)),
  bytes: jsonBytes(gardenEvent.parse(event)),
});

export interface KeptEvent {
  readonly key: string;
  readonly hash: string;
  /** Undefined: nobody can read it. */
  readonly event: GardenEvent | undefined;
}

export async function* keptEvents(store: Store): AsyncGenerator<KeptEvent> {
  for await (const { key } of everyKey(store, keys.pendingEvents)) {
    const stored = await store.get(key);
    if (!stored) continue;
    yield { key, hash: stored.hash, event: gardenEvent.safeParse(jsonOf(stored.bytes)).data };
  }
}

export const eventHash = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 40);

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
