import { z } from "zod";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, type Failure, isFailure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store, type Stored } from "../../../ports/store.ts";
import { jsonBytes } from "./journal.ts";
import type { Pause } from "./pause.ts";

/**
 * A timer says that something is to be looked at when its time comes. It is a view of what is open: the truth stands with
 * its subject (a proposal's `expires_at`, a schedule), and whoever is called looks there first. So a timer may be set twice,
 * stay behind after a crash, or fire after its reason is gone, and nothing false comes of it; and timers that were deleted
 * are set again from what is open.
 *
 * Keys sort by due time: what is due is found at the beginning of the list, however many wait behind it.
 */
const timerRecord = z.strictObject({
  name: z.string(),
  due: z.iso.datetime(),
  /** Which handler; and what it is about. */
  kind: z.string(),
  subject: z.string(),
  /** A process is at it until then. */
  claim: z.strictObject({ by: z.string(), until: z.iso.datetime(), op: z.string() }).optional(),
  /** Tries that failed. The next one waits. */
  failed: z.int().nonnegative().default(0),
  not_before: z.iso.datetime().optional(),
});
type TimerRecord = z.infer<typeof timerRecord>;

export interface Timer {
  /** One per thing that waits: `expire:<proposal>`, `cron:<agent>`. With the due time it names the firing. */
  readonly name: string;
  readonly due: string;
  readonly kind: string;
  readonly subject: string;
}

export interface Firing extends Timer {
  /** The same whenever this firing is tried: what comes of it derives its ids from it, and so happens once. */
  readonly id: string;
  /** How long after its time: a program that was not running fires late, never not at all. */
  readonly lateMs: number;
}

export interface TimerGround {
  readonly store: Store;
  readonly world: World;
  readonly pause: Pause;
}

/** Setting what is set already is done already. */
export async function setTimer(store: Store, { name, due, kind, subject }: Timer): Promise<void> {
  const record = timerRecord.parse({ name, due: instant(due), kind, subject });
  await store.create(keys.timer(record.due, name), jsonBytes(record)).catch(throwUnlessUnknown);
}

/** Takes a timer back. One that is firing this very moment may still fire: its handler looks at the truth. */
export async function cancelTimer(store: Store, due: string, name: string): Promise<void> {
  await store.delete(keys.timer(instant(due), name));
}

export type TimerHandlers = Readonly<Record<string, (firing: Firing) => Promise<unknown>>>;

export interface Fired {
  /** Names of timers that fired and are gone. */
  readonly fired: readonly string[];
  /** Those whose handler failed: they are tried again, later and later. */
  readonly failed: readonly { readonly name: string; readonly failure: Failure }[];
}

const CLAIM_MS = 60_000;
const BACKOFF_MS = [1000, 5000, 30_000, 300_000, 3_600_000] as const;

/**
 * Calls the handler of every timer that is due, the oldest first. One process at a time holds a timer, and it goes when the
 * handler has returned: a firing is repeated only if a process died in the middle of it. A handler that fails holds up no
 * other timer.
 */
export async function fireDue(ground: TimerGround, handlers: TimerHandlers, by: string): Promise<Fired> {
  const fired: string[] = [];
  const failed: { name: string; failure: Failure }[] = [];
  for await (const key of dueKeys(ground)) {
    const taken = await claim(ground, key, by, handlers);
    if (!taken) continue;
    crashPoint("flow.timer.claimed");
    const { record, hash } = taken;
    try {
      await handlers[record.kind]!(firingOf(record, ground.world.now()));
      crashPoint("flow.timer.worked");
      await ground.store.remove(key, hash).catch(throwUnlessUnknown);
      fired.push(record.name);
    } catch (error) {
      failed.push({ name: record.name, failure: asFailure(error) });
      await postpone(ground, key, taken);
    }
  }
  return { fired, failed };
}

/** When to look again: at the next due time, and at the latest in half a minute, because clocks and other processes move. */
export async function untilNext({ store, world }: Omit<TimerGround, "pause">): Promise<number> {
  const { entries } = await store.list(keys.timers, { limit: 1 });
  const due = entries[0] && dueOf(entries[0].key);
  if (due === undefined) return LOOK_MS;
  return Math.min(LOOK_MS, Math.max(due - world.now(), OVERDUE_LOOK_MS));
}

const LOOK_MS = 30_000;
/** The first in the list is due and could not fire (somebody is at it, or it failed): look again, without haste. */
const OVERDUE_LOOK_MS = 1000;

/** Fires what is due, for as long as nobody gives the signal. A store that is away for a moment does not end it. */
export async function keepTime(
  ground: TimerGround,
  handlers: TimerHandlers,
  by: string,
  signal: AbortSignal,
  told: (failure: Failure) => void = () => undefined,
): Promise<void> {
  while (!signal.aborted) {
    let ms = OVERDUE_LOOK_MS;
    try {
      const { failed } = await fireDue(ground, handlers, by);
      for (const { failure } of failed) told(failure);
      ms = await untilNext(ground);
    } catch (error) {
      told(asFailure(error));
    }
    await ground.pause(ms, signal);
  }
}

async function* dueKeys({ store, world }: TimerGround): AsyncGenerator<string> {
  for await (const { key } of everyKey(store, keys.timers)) {
    const due = dueOf(key);
    if (due === undefined) continue;
    if (due > world.now()) return;
    yield key;
  }
}

interface Claimed {
  readonly record: TimerRecord;
  readonly hash: string;
}

async function claim(
  ground: TimerGround,
  key: string,
  by: string,
  handlers: TimerHandlers,
): Promise<Claimed | undefined> {
  const there = await ground.store.get(key);
  const record = there && read(there);
  if (!record) {
    // Nobody can say what it was for; what is open sets its timers again.
    if (there) await ground.store.remove(key, there.hash).catch(throwUnlessUnknown);
    return undefined;
  }
  // Another program's, newer or older than this one.
  if (!Object.hasOwn(handlers, record.kind)) return undefined;
  const now = ground.world.now();
  if (isAhead(record.claim?.until, now, CLAIM_MS)) return undefined;
  if (isAhead(record.not_before, now, BACKOFF_MS.at(-1)!)) return undefined;
  const op = Buffer.from(ground.world.random(8)).toString("hex");
  const next = { ...record, claim: { by, until: new Date(now + CLAIM_MS).toISOString(), op } };
  const hash = await replace(ground.store, key, there, next);
  return hash === undefined ? undefined : { record: next, hash };
}

async function postpone(ground: TimerGround, key: string, { record, hash }: Claimed): Promise<void> {
  const ms = BACKOFF_MS[Math.min(record.failed, BACKOFF_MS.length - 1)]!;
  const { claim: _, ...rest } = record;
  const not_before = new Date(ground.world.now() + ms).toISOString();
  await replace(ground.store, key, { hash }, { ...rest, failed: record.failed + 1, not_before });
}

/** A time that lies further ahead than it was ever set comes from a clock that was moved since, and does not count. */
const isAhead = (until: string | undefined, now: number, atMost: number): boolean =>
  until !== undefined && Date.parse(until) > now && Date.parse(until) <= now + atMost;

async function replace(
  store: Store,
  key: string,
  { hash }: Pick<Stored, "hash">,
  record: TimerRecord,
): Promise<string | undefined> {
  const bytes = jsonBytes(record);
  try {
    const swapped = await store.swap(key, hash, bytes);
    return swapped.kind === "swapped" ? swapped.hash : undefined;
  } catch (error) {
    throwUnlessUnknown(error);
    const there = await store.get(key);
    return there && Buffer.compare(there.bytes, bytes) === 0 ? there.hash : undefined;
  }
}

function read({ bytes }: Stored): TimerRecord | undefined {
  try {
    return timerRecord.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

const firingOf = ({ name, due, kind, subject }: TimerRecord, now: number): Firing => ({
  name,
  due,
  kind,
  subject,
  id: `${name}@${due}`,
  lateMs: Math.max(0, now - Date.parse(due)),
});

/** `views/timers/2026-02-14/080000123-…` → its time. */
function dueOf(key: string): number | undefined {
  const match = /^views\/timers\/(\d{4}-\d{2}-\d{2})\/(\d{2})(\d{2})(\d{2})(\d{3})-/.exec(key);
  if (!match) return undefined;
  const at = Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}.${match[5]}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Milliseconds and UTC, always: the key is made of it. */
const instant = (due: string): string => new Date(due).toISOString();

function throwUnlessUnknown(error: unknown): void {
  if (!(isFailure(error) && error.outcome === "unknown")) throw error;
}
