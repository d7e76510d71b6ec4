import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import { auditRecord } from "../../../domain/audit-record.ts";
import { keys } from "../../../domain/layout.ts";
import { type NotifyEvent, notifyEvent } from "../../../domain/notification.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { auditOf } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, readJson, tryReadJson } from "../../core/json-record.ts";

/** A message to one destination, with the state of its delivery. */
export const outboxMessage = z.strictObject({
  id: z.string(),
  destination: z.string(),
  made_at: z.iso.datetime(),
  events: z.array(notifyEvent),
  /**
   * `waiting`: to be sent at `next`. `sending`: an attempt began; if no process works on it, it is unknown whether it arrived, and it
   * is not sent again. `unknown`: the same, found by an attempt. `given-up`: every attempt failed.
   */
  state: z.enum(["waiting", "sending", "sent", "unknown", "given-up"]),
  attempts: z.int().nonnegative(),
  next: z.iso.datetime().optional(),
  sent_at: z.iso.datetime().optional(),
  error: z.strictObject({ en: z.string(), uk: z.string() }).optional(),
});
export type OutboxMessage = z.infer<typeof outboxMessage>;

const destinationState = z.strictObject({ since: z.iso.datetime(), digested: z.iso.datetime().optional() });
export type DestinationState = z.infer<typeof destinationState>;

/** The time from which a destination gets messages. A new destination starts now: earlier events are not sent. */
export async function stateOf({ store, world }: Garden, name: string): Promise<DestinationState> {
  const known = tryReadJson((await store.get(keys.notifyState(name)))?.bytes, destinationState);
  if (known) return known;
  const fresh = { since: new Date(world.now()).toISOString() };
  await store.put(keys.notifyState(name), jsonBytes(fresh));
  return fresh;
}

export const putState = ({ store }: Garden, name: string, state: DestinationState): Promise<unknown> =>
  store.put(keys.notifyState(name), jsonBytes(state));

export const putMessage = ({ store }: Garden, message: OutboxMessage): Promise<unknown> =>
  store.put(keys.notifyMessage(message.destination, message.id), jsonBytes(message));

/** Keeps a new message. One that is there already stays as it is: another process may have sent it. */
export const createMessage = ({ store }: Garden, message: OutboxMessage): Promise<unknown> =>
  store.create(keys.notifyMessage(message.destination, message.id), jsonBytes(message));

/** Replaces a message if it is still as it was read; false if another process has changed it. */
export async function swapMessage({ store }: Garden, hash: string, message: OutboxMessage): Promise<boolean> {
  const key = keys.notifyMessage(message.destination, message.id);
  return (await store.swap(key, hash, jsonBytes(message))).kind === "swapped";
}

/** The messages of a destination with the hashes of their objects; damaged ones are left out. */
export async function storedMessages(
  store: Store,
  name: string,
): Promise<{ readonly message: OutboxMessage; readonly hash: string }[]> {
  const found: { message: OutboxMessage; hash: string }[] = [];
  for await (const { key } of everyKey(store, keys.notifyMessages(name))) {
    const stored = await store.get(key);
    const message = tryReadJson(stored?.bytes, outboxMessage);
    if (stored && message) found.push({ message, hash: stored.hash });
  }
  return found.toSorted((a, b) => a.message.made_at.localeCompare(b.message.made_at));
}

export const messagesOf = async (store: Store, name: string): Promise<OutboxMessage[]> =>
  (await storedMessages(store, name)).map(({ message }) => message);

export const newMessage = (name: string, events: readonly NotifyEvent[], at: string): OutboxMessage => ({
  id: `note_${canonicalId({ name, events: events.map(({ id }) => id) }).slice(0, 24)}`,
  destination: name,
  made_at: at,
  events: [...events],
  state: "waiting",
  attempts: 0,
});

/**
 * Claims an event for a message with a create-only audit record: a destination is told of an event at most once, also if the views
 * of this folder are deleted. Returns false if another message has it.
 */
export async function claimEvent(
  { store, signals }: Garden,
  message: OutboxMessage,
  event: NotifyEvent,
): Promise<boolean> {
  const { write, signal } = auditOf(claimName(message.destination, event), {
    kind: "notified",
    at: event.at,
    by: "gateway",
    subject: event.subject,
    why: event.title.en,
    details: { destination: message.destination, kind: event.kind, message: message.id },
  });
  const made = await store.create(write.key, write.bytes);
  if (made.kind === "created") {
    signals.publish(signal);
    return true;
  }
  const stored = await store.get(write.key);
  return stored !== undefined && readJson(write.key, stored.bytes, auditRecord).details["message"] === message.id;
}

export async function isClaimed({ store }: Garden, destination: string, event: NotifyEvent): Promise<boolean> {
  const { write } = auditOf(claimName(destination, event), {
    kind: "notified",
    at: event.at,
    by: "gateway",
    subject: "",
    details: {},
  });
  return (await store.get(write.key)) !== undefined;
}

const claimName = (destination: string, { id }: NotifyEvent): string =>
  `notified-${destination}-${canonicalId({ id }).slice(0, 16)}`;
