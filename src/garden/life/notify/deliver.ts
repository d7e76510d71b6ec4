import { asFailure, type Failure, isFailure } from "../../../base/failure.ts";
import type { GardenConfig, NotifyDestination } from "../../../domain/config/garden-config.ts";
import { keys } from "../../../domain/layout.ts";
import type { NotifyEvent } from "../../../domain/notification.ts";
import type { Messenger } from "../../../ports/messenger.ts";
import type { Store } from "../../../ports/store.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { gatewayUrl } from "../../core/access/gateway-url.ts";
import type { Garden } from "../../core/garden.ts";
import { collectEvents } from "./collect-events.ts";
import { type MessageContext, outgoingMessage } from "./message-text.ts";
import { digestSlot, isQuiet } from "./notify-times.ts";
import {
  claimEvent,
  createMessage,
  type DestinationState,
  isClaimed,
  newMessage,
  type OutboxMessage,
  putMessage,
  putState,
  stateOf,
  storedMessages,
  swapMessage,
} from "./outbox.ts";

/** More events at a time are one message. */
const MOST_SINGLE = 3;
/** Pauses before the second and later attempts. After the last one the message is given up. */
export const NOTIFY_PAUSES_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000];
const KEPT_MS = 14 * 86_400_000;

/**
 * P-12a: tells every destination of `notify` what it wants to know. Each message is in the store before it is sent, so it survives
 * `kill -9`; each event is claimed by a create-only record, so a destination gets it at most once. A message whose fate is unknown
 * (the process died or the destination did not answer while it was sent) is not sent again, and is shown. A definite failure is
 * retried. Throws the first failure that does not belong to a destination.
 */
export async function deliverNotifications(garden: Garden, messenger: Messenger): Promise<void> {
  const config = await currentSettings(garden);
  if (config.notify.length === 0) return;
  const context = await messageContext(garden, config);
  try {
    const events = await collectEvents(garden);
    await Promise.all(config.notify.map((to) => serve(garden, messenger, { to, config, events, context })));
  } catch (error) {
    await tellDiskFull(garden, messenger, config, context, asFailure(error));
    throw error;
  }
}

export const messageContext = async (
  garden: Garden,
  { name, language }: Pick<GardenConfig, "name" | "language">,
): Promise<MessageContext> => ({
  garden: name,
  language: language ?? "uk",
  url: await gatewayUrl(garden),
});

interface Turn {
  readonly to: NotifyDestination;
  readonly config: GardenConfig;
  readonly events: readonly NotifyEvent[];
  readonly context: MessageContext;
}

async function serve(garden: Garden, messenger: Messenger, turn: Turn): Promise<void> {
  const { to, config } = turn;
  const state = await stateOf(garden, to.name);
  if (isQuiet(to, config.schedule.timezone, garden.world.now())) return;
  await makeMessages(garden, turn, state);
  for (const stored of await storedMessages(garden.store, to.name)) await attempt(garden, messenger, turn, stored);
}

async function makeMessages(garden: Garden, { to, config, events }: Turn, state: DestinationState): Promise<void> {
  const now = garden.world.now();
  const at = new Date(now).toISOString();
  const slot =
    to.digest === undefined
      ? undefined
      : digestSlot(to.digest, config.schedule.timezone, Date.parse(state.digested ?? state.since), now);
  if (to.digest !== undefined && slot === undefined) return;
  const fresh: NotifyEvent[] = [];
  for (const event of events)
    if (to.kinds.includes(event.kind) && event.at >= state.since && !(await isKnown(garden, to.name, event)))
      fresh.push(event);
  const isOne = to.digest !== undefined || fresh.length > MOST_SINGLE;
  const groups = fresh.length === 0 ? [] : isOne ? [fresh] : fresh.map((event) => [event]);
  for (const group of groups) {
    const message = newMessage(to.name, group, at);
    await createMessage(garden, message);
    for (const event of group) await claimEvent(garden, message, event);
  }
  if (slot !== undefined) await putState(garden, to.name, { ...state, digested: new Date(slot).toISOString() });
}

/** Claims never go away: found ones are remembered. */
const claims = new WeakMap<Store, Set<string>>();
async function isKnown(garden: Garden, name: string, event: NotifyEvent): Promise<boolean> {
  const known = claims.get(garden.store) ?? new Set<string>();
  claims.set(garden.store, known);
  const key = `${name} ${event.id}`;
  if (!known.has(key) && (await isClaimed(garden, name, event))) known.add(key);
  return known.has(key);
}

/**
 * Sends a message whose time has come, and records how that ended. The step to `sending` is a compare-and-swap: of two processes
 * (one of them paused while it had the upkeep, and woken) one sends.
 */
async function attempt(
  garden: Garden,
  messenger: Messenger,
  { to, context }: Turn,
  { message, hash }: { readonly message: OutboxMessage; readonly hash: string },
): Promise<void> {
  const now = garden.world.now();
  if (message.state === "sending")
    return void (await swapMessage(garden, hash, { ...message, state: "unknown", error: STOPPED }));
  if (message.state !== "waiting") {
    if (now - Date.parse(message.made_at) > KEPT_MS) await garden.store.delete(keys.notifyMessage(to.name, message.id));
    return;
  }
  if (message.next !== undefined && Date.parse(message.next) > now) return;
  const events: NotifyEvent[] = [];
  for (const event of message.events) if (await claimEvent(garden, message, event)) events.push(event);
  if (events.length === 0) return await garden.store.delete(keys.notifyMessage(to.name, message.id));
  const { next: _, ...begun } = { ...message, events, attempts: message.attempts + 1 };
  if (!(await swapMessage(garden, hash, { ...begun, state: "sending" }))) return;
  const failure = await sent(messenger, to, outgoingMessage(begun, { ...context, brief: to.brief }));
  await putMessage(garden, concluded(begun, failure, garden.world.now()));
}

async function sent(
  messenger: Messenger,
  to: NotifyDestination,
  message: ReturnType<typeof outgoingMessage>,
): Promise<Failure | undefined> {
  try {
    await messenger.send(to, message);
    return undefined;
  } catch (error) {
    return asFailure(error);
  }
}

function concluded(begun: OutboxMessage, failure: Failure | undefined, now: number): OutboxMessage {
  const { error: _, ...message } = begun;
  if (!failure) return { ...message, state: "sent", sent_at: new Date(now).toISOString() };
  if (failure.outcome === "unknown") return { ...message, state: "unknown", error: failure.text };
  const pause = NOTIFY_PAUSES_MS[begun.attempts - 1];
  if (pause === undefined) return { ...message, state: "given-up", error: failure.text };
  return { ...message, state: "waiting", next: new Date(now + pause).toISOString(), error: failure.text };
}

const STOPPED = {
  en: "the server stopped while the message was being sent; it is not sent again",
  uk: "сервер зупинився, поки надсилав; удруге не надсилається",
};

const DISK_FULL_EVERY_MS = 6 * 3_600_000;
const toldFull = new WeakMap<Store, number>();

/** A full disk cannot store a message, so this one is sent directly, at most every six hours per process. */
async function tellDiskFull(
  garden: Garden,
  messenger: Messenger,
  config: GardenConfig,
  context: MessageContext,
  failure: Failure,
): Promise<void> {
  const now = garden.world.now();
  const isFull = isFailure(failure) && /^(?:ENOSPC|EDQUOT)$/.test(String(failure.details["reason"]));
  if (!isFull || now - (toldFull.get(garden.store) ?? Number.NEGATIVE_INFINITY) < DISK_FULL_EVERY_MS) return;
  toldFull.set(garden.store, now);
  const at = new Date(now).toISOString();
  const event: NotifyEvent = {
    id: `disk-full-${at}`,
    kind: "disk-full",
    at,
    subject: "store",
    title: failure.text,
    path: "settings",
  };
  const message = outgoingMessage({ id: `disk-full-${now}`, made_at: at, events: [event] }, context);
  const wanted = config.notify.filter(({ kinds }) => kinds.includes("disk-full"));
  await Promise.all(wanted.map((to) => sent(messenger, to, message)));
}
