import { z } from "zod";
import { asFailure, Failure, isFailure } from "../../base/failure.ts";
import { derivedId } from "../../base/ids.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { keys } from "../../domain/layout.ts";
import { MAX_CHAIN } from "../../domain/run/run.ts";
import { everyKey } from "../../ports/store.ts";
import { recordAudit } from "../core/audit.ts";
import { createOrFind } from "../core/flow/create-record.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { readAgentFile } from "../records/agents/read-agent.ts";
import { eventHash, type GardenEvent, gardenEvent, keepEvent, keptEvents } from "../records/runs/pending-events.ts";
import { agentFolders } from "../records/status.ts";
import { notAnEvent, reservedEventName } from "./failures.ts";
import { requestAt } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";

/** A named event from outside the garden. */
export type EventWish = Pick<GardenEvent, "name" | "id" | "subject" | "payload" | "by">;

/** Names of the garden's own events: they cannot be sent from outside. */
const OWN = /^(?:note|comment|artifact|memory|logic|session|agent)\//;

/**
 * Publishes an event for agents (O-4). It is durable when this returns; an engine delivers it. Idempotent by id: an event that is
 * sent again, later or by another process, requests the same runs.
 */
export async function emit(garden: Pick<Garden, "store" | "world">, wish: EventWish): Promise<GardenEvent> {
  const { name, id, subject, payload, by } = wish;
  if (OWN.test(name)) throw reservedEventName(name);
  const checked = gardenEvent.safeParse({
    name,
    id: `told:${name}:${id}`,
    at: new Date(garden.world.now()).toISOString(),
    by,
    subject,
    ...(payload !== undefined && { payload }),
  });
  if (!checked.success) throw notAnEvent(name);
  const event = { ...checked.data, at: await firstTold(garden, checked.data) };
  await keepEvent(garden.store, event);
  return event;
}

/** An event from outside: `isPending` until every agent that waits for it has its run. */
export interface ToldEvent {
  readonly name: string;
  readonly id: string;
  readonly at: string;
  readonly isPending: boolean;
}

/** The newest events from outside, oldest first. */
export async function recentEvents({ store }: Pick<Garden, "store">, limit: number): Promise<readonly ToldEvent[]> {
  const found: ToldEvent[] = [];
  for await (const { key } of everyKey(store, keys.knownEvents)) {
    const told = tryReadJson((await store.get(key))?.bytes, z.object({ id: z.string(), at: z.string() }));
    const [, name, id] = /^told:([^:]+):(.*)$/su.exec(told?.id ?? "") ?? [];
    if (!told || name === undefined || id === undefined) continue;
    const isPending = (await store.get(keys.pendingEvent(eventHash(told.id)))) !== undefined;
    found.push({ name, id, at: told.at, isPending });
  }
  return found.toSorted((a, b) => a.at.localeCompare(b.at)).slice(-limit);
}

/** The time of the first event with this id: the ids of its runs are derived from it. */
async function firstTold({ store }: Pick<Garden, "store">, { id, at }: GardenEvent): Promise<string> {
  const key = keys.knownEvent(eventHash(id));
  const { bytes } = await createOrFind(store, key, jsonBytes({ id, at }));
  return tryReadJson(bytes, z.object({ at: z.string() }))?.at ?? at;
}

export interface DeliveredEvents {
  readonly asked: readonly RunPlace[];
  /** The events whose agents all have their runs now. */
  readonly events: readonly GardenEvent[];
  readonly failed: readonly Failure[];
}

/** An event that was not delivered for this long is dropped. */
const STALE_MS = 7 * 86_400_000;

/**
 * Requests the runs of all pending events. An event is deleted when every agent that waits for it has its run; if one cannot be
 * requested now, the event stays.
 *
 * Agents cannot trigger each other without end: an event that a run caused triggers no agent of the chain that led to that run,
 * and a chain ends after MAX_CHAIN agents.
 */
export async function deliverEvents(garden: Garden): Promise<DeliveredEvents> {
  const asked: RunPlace[] = [];
  const events: GardenEvent[] = [];
  const failed: Failure[] = [];
  let listeners: readonly Listener[] | undefined;
  const going: Promise<unknown>[] = [];
  for await (const { key, hash, event } of keptEvents(garden.store)) {
    try {
      if (event && garden.world.now() - Date.parse(event.at) > STALE_MS) await auditDropped(garden, event, "stale");
      else if (event) {
        listeners ??= await listenersIn(garden);
        asked.push(...(await deliver(garden, event, listeners)));
        events.push(event);
      }
      // An unreadable event is a damaged view; its cause is on record.
      going.push(garden.store.remove(key, hash).catch((error: unknown) => failed.push(asFailure(error))));
    } catch (error) {
      failed.push(asFailure(error));
    }
  }
  await Promise.all(going);
  return { asked, events, failed };
}

/** The names of events that trigger an active agent now. */
export const awaitedEvents = async (garden: Garden): Promise<ReadonlySet<string>> =>
  new Set((await listenersIn(garden)).flatMap(({ contract }) => contract.triggers.events ?? []));

interface Listener {
  readonly slug: string;
  readonly contract: Contract;
}

/** Contracts are read again for each delivery (C-9), once for all its events. */
async function listenersIn({ store }: Garden): Promise<Listener[]> {
  const found: Listener[] = [];
  for (const slug of await agentFolders(store)) {
    const seen = await readAgentFile(store, slug);
    if (seen.kind !== "agent") continue;
    const { contract } = seen.agent;
    if (contract.status === "active" && (contract.triggers.events?.length ?? 0) > 0) found.push({ slug, contract });
  }
  return found;
}

async function deliver(garden: Garden, event: GardenEvent, listeners: readonly Listener[]): Promise<RunPlace[]> {
  const waiting = listeners.filter(({ contract }) => contract.triggers.events!.includes(event.name));
  if (waiting.length === 0) return [];
  const chain = await chainOf(garden, event);
  if (chain.length >= MAX_CHAIN) {
    await auditDropped(garden, event, "chain");
    return [];
  }
  const asked: RunPlace[] = [];
  for (const { slug } of waiting) {
    if (chain.includes(slug)) continue;
    const place = await askFor(garden, event, slug, chain);
    if (place) asked.push(place);
  }
  return asked;
}

/** The agents whose runs led to this event, first to last. */
async function chainOf({ store }: Garden, { from }: GardenEvent): Promise<readonly string[]> {
  if (!from) return [];
  const request = await requestAt(store, from);
  return [...(request?.chain ?? []).filter((slug) => slug !== from.slug), from.slug];
}

/** Undefined if the agent was stopped or deleted in this very moment. */
async function askFor(
  garden: Garden,
  event: GardenEvent,
  slug: string,
  chain: readonly string[],
): Promise<RunPlace | undefined> {
  const { name, id, at, by, subject, payload } = event;
  try {
    const { run_id } = await requestRun(garden, {
      slug,
      trigger: "event",
      cause: name,
      by,
      input: { event: name, subject, ...(payload !== undefined && { payload }) },
      id: derivedId("run", Date.parse(at), `event:${id}:${slug}`),
      chain,
    });
    return { slug, run: run_id };
  } catch (error) {
    if (isFailure(error, "INVALID_AGENT_TRANSITION") || isFailure(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

const auditDropped = (garden: Garden, event: GardenEvent, why: "stale" | "chain"): Promise<void> =>
  recordAudit(garden, `event-dropped-${eventHash(event.id).slice(0, 16)}`, {
    kind: "event-dropped",
    at: event.at,
    by: "gateway",
    subject: event.subject,
    why:
      why === "chain"
        ? `${event.name}: agents have led to one another ${MAX_CHAIN} times`
        : `${event.name}: nobody worked on runs for a week`,
    details: { name: event.name, id: event.id },
  });
