import { z } from "zod";
import { asFailure, Failure, isFailure } from "../../base/failure.ts";
import { derivedId } from "../../base/ids.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { keys } from "../../domain/layout.ts";
import { MAX_CHAIN } from "../../domain/run/run.ts";
import { recordAudit } from "../core/audit.ts";
import { createOrFind } from "../core/flow/create-record.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { lookAtAgent } from "../records/agents/read-agent.ts";
import { eventHash, type GardenEvent, gardenEvent, keepEvent, keptEvents } from "../records/runs/pending-events.ts";
import { agentSlugs } from "../records/status.ts";
import { notAnEvent, reservedEventName } from "./failures.ts";
import { requestAt } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";

/** What somebody tells of: any named event. */
export type EventWish = Pick<GardenEvent, "name" | "id" | "subject" | "payload" | "by">;

/** Names that the garden itself gives: nobody else may tell of them. */
const OWN = /^(?:note|comment|artifact|memory|logic|session|agent)\//;

/**
 * Tells the agents that something happened (O-4). Kept before this answers, delivered by whoever works on runs. The same id is
 * the same event: told again, later or by another process, it asks for the same runs.
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

/** When this event was told for the first time: runs are named after it. */
async function firstTold({ store }: Pick<Garden, "store">, { id, at }: GardenEvent): Promise<string> {
  const key = keys.knownEvent(eventHash(id));
  const { bytes } = await createOrFind(store, key, jsonBytes({ id, at }));
  return tryReadJson(bytes, z.object({ at: z.string() }))?.at ?? at;
}

export interface DeliveredEvents {
  readonly asked: readonly RunPlace[];
  readonly failed: readonly Failure[];
}

/** Nobody worked on runs for so long that what happened then is no reason to act any more. */
const STALE_MS = 7 * 86_400_000;

/**
 * Asks for the runs of all events that are kept. An event goes when every agent that waits for it has its run; one that cannot be
 * delivered now stays.
 *
 * Agents cannot keep each other going for ever: an event that a run caused reaches no agent whose run led to it, neither the
 * agent itself nor one before it, and a chain ends after MAX_CHAIN agents.
 */
export async function deliverEvents(garden: Garden): Promise<DeliveredEvents> {
  const asked: RunPlace[] = [];
  const failed: Failure[] = [];
  let listeners: readonly Listener[] | undefined;
  const going: Promise<unknown>[] = [];
  for await (const { key, hash, event } of keptEvents(garden.store)) {
    try {
      if (event && garden.world.now() - Date.parse(event.at) > STALE_MS) await tellDropped(garden, event, "stale");
      else if (event) {
        listeners ??= await listenersIn(garden);
        asked.push(...(await deliver(garden, event, listeners)));
      }
      // One that nobody can read is a damaged view; what it followed from is on record.
      going.push(garden.store.remove(key, hash).catch((error: unknown) => failed.push(asFailure(error))));
    } catch (error) {
      failed.push(asFailure(error));
    }
  }
  await Promise.all(going);
  return { asked, failed };
}

/** The names that active agents wait for now. */
export const awaitedEvents = async (garden: Garden): Promise<ReadonlySet<string>> =>
  new Set((await listenersIn(garden)).flatMap(({ contract }) => contract.triggers.events ?? []));

interface Listener {
  readonly slug: string;
  readonly contract: Contract;
}

/** Read anew for each delivery (C-9), and once for all events of it. */
async function listenersIn({ store }: Garden): Promise<Listener[]> {
  const found: Listener[] = [];
  for (const slug of await agentSlugs(store)) {
    const seen = await lookAtAgent(store, slug);
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
    await tellDropped(garden, event, "chain");
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

/** The agents whose runs led here, the first one first. */
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

const tellDropped = (garden: Garden, event: GardenEvent, why: "stale" | "chain"): Promise<void> =>
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
