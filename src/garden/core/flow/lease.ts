import { z } from "zod";
import { isFailure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { keys } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../json-record.ts";

/**
 * Who works on a name now. A lease saves work, it does not guard truth: a holder that was stopped for longer than its time
 * wakes up and believes that it still holds. What must not happen twice is create-only, and `epoch`, which grows with every
 * new holder, lets a later reader tell an old holder's writes.
 *
 * Clocks may differ and jump. By its own clock a taker waits until the time is over; a time that lies further ahead than a
 * lease can last comes from another clock, and then the taker watches the record instead: unchanged for as long as a lease
 * lasts, it is nobody's.
 */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
  /** Holds on for another `ttlMs`. `lost`: somebody else has it; stop. */
  renew(): Promise<"renewed" | "lost">;
  /** Whether it is still ours, by the record. */
  confirm(): Promise<boolean>;
  /** The same, with most of its time ahead: renewed if a part of it has passed. */
  refresh(): Promise<boolean>;
  /** Lets go. `forget` also drops the count of holders: for a name that nobody will ever hold again. */
  release(how?: "forget"): Promise<void>;
}

export type Acquired =
  | { readonly kind: "held"; readonly lease: Lease }
  | {
      readonly kind: "busy";
      readonly by: string;
      readonly until: string;
      /** Its time comes from another clock: if the record still has this hash after so long, it is nobody's. */
      readonly watch?: { readonly hash: string; readonly ms: number };
    };

const leaseRecord = z.strictObject({
  /** Undefined: free; kept for the number. */
  holder: z.string().optional(),
  epoch: z.int().positive(),
  until: z.iso.datetime(),
  /** How long its holder takes it for at a time: others may take it for longer or shorter. */
  ttl_ms: z.number().positive().optional(),
  op: z.string(),
});
type LeaseRecord = z.infer<typeof leaseRecord>;

export interface LeaseGround {
  readonly store: Store;
  readonly world: World;
}

/** Clocks of machines that work together differ by less than this. */
const SKEW_MS = 2000;

/** Answers at once. `nobodys`: the hash of a record that was watched for as long as a lease lasts, and did not change. */
export async function acquireLease(
  ground: LeaseGround,
  name: string,
  {
    holder,
    ttlMs,
    nobodys,
  }: { readonly holder: string; readonly ttlMs: number; readonly nobodys?: string | undefined },
): Promise<Acquired> {
  for (;;) {
    const there = await look(ground, name);
    if (there && there.hash !== nobodys) {
      const busy = busyWith(there, ground.world.now(), ttlMs);
      if (busy) return busy;
    }
    const record: LeaseRecord = {
      holder,
      // Also above every number that was given before somebody deleted the record: the clock has gone on since.
      epoch: Math.max((there?.record.epoch ?? 0) + 1, ground.world.now()),
      until: new Date(ground.world.now() + ttlMs).toISOString(),
      ttl_ms: ttlMs,
      op: Buffer.from(ground.world.random(8)).toString("hex"),
    };
    const hash = await write(ground, name, there?.hash, record);
    if (hash !== undefined) return { kind: "held", lease: held(ground, name, record, hash, ttlMs) };
  }
}

function held(ground: LeaseGround, name: string, first: LeaseRecord, at: string, ttlMs: number): Lease {
  let hash = at;
  let record = first;
  let lost = false;
  const holder = first.holder!;
  const key = keys.lease(name);
  const replace = async (next: LeaseRecord): Promise<boolean> => {
    const now = await write(ground, name, hash, next);
    if (now === undefined) lost = true;
    else [hash, record] = [now, next];
    return now !== undefined;
  };
  const lease: Lease = {
    name,
    holder,
    epoch: first.epoch,
    async refresh() {
      const left = Date.parse(record.until) - ground.world.now();
      const isFresh = left > (ttlMs * 2) / 3 && left <= ttlMs;
      return isFresh ? await lease.confirm() : (await lease.renew()) === "renewed";
    },
    async renew() {
      if (lost) return "lost";
      const until = new Date(ground.world.now() + ttlMs).toISOString();
      return (await replace({ ...record, until, op: opIn(ground) })) ? "renewed" : "lost";
    },
    async confirm() {
      if (lost) return false;
      if ((await ground.store.get(key))?.hash === hash) return true; // word for word what we wrote last
      const there = await look(ground, name);
      lost = there?.record.holder !== holder || there.record.epoch !== first.epoch;
      return !lost;
    },
    async release(how) {
      if (lost) return;
      lost = true;
      if (how === "forget") await untilAnswered(() => ground.store.remove(key, hash));
      else await write(ground, name, hash, { epoch: first.epoch, until: record.until, op: opIn(ground) });
    },
  };
  return lease;
}

/** Undefined if it is free. */
function busyWith({ record, hash }: Seen, now: number, ttlMs: number): Extract<Acquired, { kind: "busy" }> | undefined {
  const { holder: by, until } = record;
  const left = Date.parse(until) - now;
  if (by === undefined || left <= -SKEW_MS) return undefined;
  const longest = record.ttl_ms ?? ttlMs;
  return { kind: "busy", by, until, ...(left > longest + SKEW_MS && { watch: { hash, ms: longest } }) };
}

interface Seen {
  readonly record: LeaseRecord;
  readonly hash: string;
}

async function look({ store }: LeaseGround, name: string): Promise<Seen | undefined> {
  const there = await store.get(keys.lease(name));
  if (!there) return undefined;
  // A damaged record is free: its holder cannot renew it, because the hash differs.
  return { hash: there.hash, record: tryReadJson(there.bytes, leaseRecord) ?? { epoch: 1, until: LONG_AGO, op: "" } };
}

const LONG_AGO = "1970-01-01T00:00:00.000Z";

/** The hash of our record if it stands there now, undefined if somebody else was first. A lost answer is looked up. */
async function write(
  { store }: LeaseGround,
  name: string,
  expected: string | undefined,
  record: LeaseRecord,
): Promise<string | undefined> {
  const key = keys.lease(name);
  const bytes = jsonBytes(record);
  // Whoever is told of a question that was lost would take its own lease for another's, and wait for itself.
  return await untilAnswered(async () => {
    const made = expected === undefined ? await store.create(key, bytes) : await store.swap(key, expected, bytes);
    if (made.kind === "created" || made.kind === "swapped") return made.hash;
    const there = await store.get(key);
    return there && Buffer.compare(there.bytes, bytes) === 0 ? there.hash : undefined;
  });
}

const MOST_TRIES = 5;

/** For writes that may be made twice: the second time they find what the first one left. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === MOST_TRIES || !isFailure(error) || error.outcome !== "unknown") throw error;
    }
  }
}

const opIn = ({ world }: LeaseGround): string => Buffer.from(world.random(8)).toString("hex");
