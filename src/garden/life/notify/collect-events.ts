import { keys } from "../../../domain/layout.ts";
import { eventOfAudit, expiringEvent, type NotifyEvent } from "../../../domain/notification.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { auditAfter, auditKeyAt } from "../../insight/audit-log.ts";
import { cardIn, PENDING_VIEWS } from "../../records/proposals/proposal-views.ts";

/** Older events are not told any more. */
export const TOLD_FOR_MS = 48 * 3_600_000;
/** A record can be written later than its time says: after a crash its time is that of the event. */
const OVERLAP_MS = 15 * 60_000;
const WHOLE_LOOK_MS = 10 * 60_000;
/** A rule may decide a new proposal at once. */
const SETTLED_MS = 2000;
const EXPIRES_SOON_MS = 24 * 3_600_000;

interface SeenAudit {
  readonly events: Map<string, NotifyEvent | undefined>;
  wholeAt: number;
}
const seenBy = new WeakMap<Store, SeenAudit>();

/**
 * The events of the last two days that still matter, oldest first: a proposal that was decided meanwhile is left out. Comes from the
 * audit and the list of pending proposals, so nothing is lost by a crash; records are read once per process.
 */
export async function collectEvents(garden: Garden): Promise<readonly NotifyEvent[]> {
  const now = garden.world.now();
  const events = [...(await auditedEvents(garden, now)), ...(await expiringEvents(garden, now))];
  const open: NotifyEvent[] = [];
  for (const event of events) if (await isOpen(garden.store, event, now)) open.push(event);
  return open.toSorted((a, b) => a.at.localeCompare(b.at));
}

async function auditedEvents({ store }: Garden, now: number): Promise<NotifyEvent[]> {
  const seen = seenBy.get(store) ?? {
    events: new Map<string, NotifyEvent | undefined>(),
    wholeAt: Number.NEGATIVE_INFINITY,
  };
  seenBy.set(store, seen);
  const isWhole = Math.abs(now - seen.wholeAt) > WHOLE_LOOK_MS;
  const from = now - (isWhole ? TOLD_FOR_MS : OVERLAP_MS);
  for await (const { key, record } of auditAfter(store, auditKeyAt(from), (each) => seen.events.has(each)))
    seen.events.set(key, eventOfAudit(key, record));
  if (isWhole) seen.wholeAt = now;
  const oldest = auditKeyAt(now - TOLD_FOR_MS);
  for (const key of seen.events.keys()) if (key < oldest) seen.events.delete(key);
  return [...seen.events.values()].flatMap((event) => event ?? []);
}

async function expiringEvents({ store }: Garden, now: number): Promise<NotifyEvent[]> {
  const found: NotifyEvent[] = [];
  for await (const { key } of everyKey(store, PENDING_VIEWS)) {
    const card = await cardIn(store, key);
    if (!card) continue;
    const [made, ends] = [Date.parse(card.created_at), Date.parse(card.expires_at)];
    const told = ends - Math.min(EXPIRES_SOON_MS, (ends - made) / 3);
    if (now >= told && now < ends) found.push(expiringEvent(card, new Date(told).toISOString()));
  }
  return found;
}

async function isOpen(store: Store, { kind, subject, at }: NotifyEvent, now: number): Promise<boolean> {
  if (kind !== "proposal" && kind !== "expiring" && kind !== "regression") return true;
  if (kind !== "expiring" && Math.abs(now - Date.parse(at)) < SETTLED_MS) return false;
  return (await store.get(keys.pendingProposal(subject))) !== undefined;
}
