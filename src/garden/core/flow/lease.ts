import { z } from "zod";
import { isFailure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { keys } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../json-record.ts";
import type { Meter } from "../meter.ts";

/**
 * The right to work on a name. A lease only saves work: a holder that was paused for longer than its time still believes
 * that it holds. Writes that must not happen twice are create-only, and `epoch`, a fencing number that grows with every
 * holder, marks the writes of a former holder.
 *
 * Clocks may differ and jump. A taker waits by its own clock until the time is over. A time that is further ahead than a
 * lease can last comes from another clock: then the taker watches the record, and takes the lease if the record stays
 * unchanged for as long as a lease lasts.
 */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
  /** Extends the lease by `ttlMs`. `lost`: another process holds it; stop. */
  renew(): Promise<"renewed" | "lost">;
  /** True if the record still names this holder and epoch. */
  confirm(): Promise<boolean>;
  /**
   * The same without a read while the lease has time left by this process's clock: before that time is over, and `SKEW_MS` more, no
   * other process takes it.
   */
  holds(): Promise<boolean>;
  /** The same, and renews the lease if more than a third of its time has passed. */
  refresh(): Promise<boolean>;
  /** Time until the lease is over by this process's clock: `ttlMs` at most, zero or less once it is over. */
  leftMs(): number;
  /** Releases the lease. `forget` deletes the record with its epoch: the next epoch is then the time in milliseconds. */
  release(how?: "forget"): Promise<void>;
}

export type LeaseAnswer =
  | { readonly kind: "held"; readonly lease: Lease }
  | {
      readonly kind: "busy";
      readonly by: string;
      readonly until: string;
      /** Its time comes from another clock: if the record still has this hash after `ms`, the lease is free. */
      readonly watch?: { readonly hash: string; readonly ms: number };
    };

const leaseRecord = z.strictObject({
  /** Undefined: released; the record is kept for its epoch. */
  holder: z.string().optional(),
  epoch: z.int().positive(),
  until: z.iso.datetime(),
  /** The time that its holder takes it for; others may use a longer or shorter one. */
  ttl_ms: z.number().positive().optional(),
  op: z.string(),
});
type LeaseRecord = z.infer<typeof leaseRecord>;

export interface LeaseDeps {
  readonly store: Store;
  readonly world: World;
  readonly meter?: Meter | undefined;
}

/** Maximum clock difference between machines of one garden. */
const SKEW_MS = 2000;

/**
 * Answers at once. `nobodys`: the hash of a record that was watched for as long as a lease lasts and did not change. `isForgotten`: this
 * process deleted the record last, so it probably does not exist: it is not read before it is created.
 */
export async function acquireLease(
  ground: LeaseDeps,
  name: string,
  {
    holder,
    ttlMs,
    nobodys,
    isForgotten = false,
  }: {
    readonly holder: string;
    readonly ttlMs: number;
    readonly nobodys?: string | undefined;
    readonly isForgotten?: boolean;
  },
): Promise<LeaseAnswer> {
  for (let tries = 0; ; tries++) {
    const there = isForgotten && tries === 0 ? undefined : await readLease(ground, name);
    if (there && there.hash !== nobodys) {
      const busy = busyWith(there, ground.world.now(), ttlMs);
      if (busy) return busy;
    }
    const record: LeaseRecord = {
      holder,
      // After a deleted record the time makes it greater than earlier epochs, unless the clock was set back.
      epoch: Math.max((there?.record.epoch ?? 0) + 1, ground.world.now()),
      until: new Date(ground.world.now() + ttlMs).toISOString(),
      ttl_ms: ttlMs,
      op: Buffer.from(ground.world.random(8)).toString("hex"),
    };
    const hash = await writeLease(ground, name, there?.hash, record);
    if (hash !== undefined && there?.record.holder !== undefined) ground.meter?.add("bloom_lease_steals_total");
    if (hash !== undefined) return { kind: "held", lease: heldLease(ground, name, record, hash, ttlMs) };
  }
}

function heldLease(ground: LeaseDeps, name: string, first: LeaseRecord, at: string, ttlMs: number): Lease {
  let hash = at;
  let record = first;
  let untilMs = Date.parse(first.until);
  let lost = false;
  const holder = first.holder!;
  const key = keys.lease(name);
  const nowKnown = (there: string, known: LeaseRecord): void => {
    [hash, record] = [there, known];
    untilMs = Date.parse(known.until);
  };
  /** Reads the record again. False, now and later, if it names another holder. */
  const isStillOurs = async (): Promise<boolean> => {
    const there = await readLease(ground, name);
    if (there?.record.holder === holder && there.record.epoch === first.epoch) {
      nowKnown(there.hash, there.record);
      return true;
    }
    lost = true;
    return false;
  };
  const replace = async (next: LeaseRecord): Promise<boolean> => {
    for (;;) {
      const now = await writeLease(ground, name, hash, next);
      if (now !== undefined) {
        nowKnown(now, next);
        return true;
      }
      // An earlier write of ours, whose answer was lost, may have replaced the record.
      if (!(await isStillOurs())) return false;
    }
  };
  let renewing: Promise<"renewed" | "lost"> | undefined;
  const renewed = async (): Promise<"renewed" | "lost"> => {
    if (lost) return "lost";
    const until = new Date(ground.world.now() + ttlMs).toISOString();
    return (await replace({ ...record, until, op: newOp(ground) })) ? "renewed" : "lost";
  };
  const left = (): number => untilMs - ground.world.now();
  /** False for a time further ahead than the lease lasts: the clock was set back. */
  const hasLeft = (ms: number): boolean => {
    const now = left();
    return now > ms && now <= ttlMs;
  };
  const lease: Lease = {
    name,
    holder,
    epoch: first.epoch,
    async holds() {
      return hasLeft(0) ? !lost : await lease.confirm();
    },
    async refresh() {
      return hasLeft((ttlMs * 2) / 3) ? !lost : (await lease.renew()) === "renewed";
    },
    leftMs: () => Math.min(left(), ttlMs),
    // One at a time: of two that replace the same record, the second would take the first for another holder's.
    renew: () =>
      (renewing ??= renewed().finally(() => {
        renewing = undefined;
      })),
    async confirm() {
      if (lost) return false;
      if ((await ground.store.get(key))?.hash === hash) return true; // the bytes that we wrote last
      return await isStillOurs();
    },
    async release(how) {
      await renewing?.catch(() => undefined);
      if (lost) return;
      lost = true;
      const isReleased = async (): Promise<boolean> => {
        if (how === "forget") return (await untilAnswered(() => ground.store.remove(key, hash))).kind === "removed";
        const freed = { epoch: first.epoch, until: record.until, op: newOp(ground) };
        return (await writeLease(ground, name, hash, freed)) !== undefined;
      };
      // A renewal whose answer was lost may have replaced the record.
      while (!(await isReleased()) && (await isStillOurs()));
    },
  };
  return lease;
}

/** Undefined if the lease is free. */
function busyWith(
  { record, hash }: StoredLease,
  now: number,
  ttlMs: number,
): Extract<LeaseAnswer, { kind: "busy" }> | undefined {
  const { holder: by, until } = record;
  const left = Date.parse(until) - now;
  if (by === undefined || left <= -SKEW_MS) return undefined;
  const longest = record.ttl_ms ?? ttlMs;
  return { kind: "busy", by, until, ...(left > longest + SKEW_MS && { watch: { hash, ms: longest } }) };
}

interface StoredLease {
  readonly record: LeaseRecord;
  readonly hash: string;
}

async function readLease({ store }: LeaseDeps, name: string): Promise<StoredLease | undefined> {
  const there = await store.get(keys.lease(name));
  if (!there) return undefined;
  // A damaged record is free: its holder cannot renew it, because the hash differs.
  return { hash: there.hash, record: tryReadJson(there.bytes, leaseRecord) ?? { epoch: 1, until: LONG_AGO, op: "" } };
}

const LONG_AGO = "1970-01-01T00:00:00.000Z";

/** Creates or swaps the record. Returns its hash, or undefined if another process was first. A lost answer is read back. */
async function writeLease(
  { store }: LeaseDeps,
  name: string,
  expected: string | undefined,
  record: LeaseRecord,
): Promise<string | undefined> {
  const key = keys.lease(name);
  const bytes = jsonBytes(record);
  // Without the retry, a process could take its own lease for another's and wait for itself.
  return await untilAnswered(async () => {
    const made = expected === undefined ? await store.create(key, bytes) : await store.swap(key, expected, bytes);
    if (made.kind === "created" || made.kind === "swapped") return made.hash;
    const there = await store.get(key);
    return there && Buffer.compare(there.bytes, bytes) === 0 ? there.hash : undefined;
  });
}

const MOST_TRIES = 5;

/** Retries after a lost answer; for idempotent writes only. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === MOST_TRIES || !isFailure(error) || error.outcome !== "unknown") throw error;
    }
  }
}

const newOp = ({ world }: LeaseDeps): string => Buffer.from(world.random(8)).toString("hex");
