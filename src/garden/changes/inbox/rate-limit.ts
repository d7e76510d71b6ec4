import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { type Identity, identityName, type SourceType } from "../../../domain/identity.ts";
import type { Store } from "../../../ports/store.ts";

/**
 * How often one identity may ask, per minute: a bucket that holds a minute's worth and fills evenly. It lives in the
 * memory of the process; a bucket that is full again is forgotten, so there are never more of them than recent askers.
 */
export interface RateLimit {
  /** Takes one; undefined if there was one, else how many seconds until there is. */
  take(name: string, perMinute: number): number | undefined;
  /** Whether there is one, without taking it. */
  has(name: string): boolean;
  /** Gives one back: what was taken for turned out not to happen. */
  giveBack(name: string): void;
}

interface Bucket {
  tokens: number;
  /** The latest time that was seen. */
  at: number;
  perMinute: number;
}

const MINUTE = 60_000;
const MANY = 1000;

export function newRateLimit(world: Pick<World, "now">): RateLimit {
  const buckets = new Map<string, Bucket>();
  const filled = (bucket: Bucket, now: number): Bucket => {
    // A clock that jumps back fills nothing and costs nothing; one that jumps ahead fills a bucket at most once.
    const passed = Math.min(Math.max(0, now - bucket.at), MINUTE);
    const tokens = Math.min(bucket.perMinute, bucket.tokens + (passed * bucket.perMinute) / MINUTE);
    return { tokens, at: now, perMinute: bucket.perMinute };
  };
  return {
    take(name, perMinute) {
      const now = world.now();
      if (buckets.size > MANY) {
        for (const [other, bucket] of buckets)
          if (filled(bucket, now).tokens >= bucket.perMinute) buckets.delete(other);
      }
      const known = buckets.get(name);
      const bucket = filled({ ...(known ?? { tokens: perMinute, at: now }), perMinute }, now);
      const enough = bucket.tokens >= 1;
      buckets.set(name, { ...bucket, tokens: bucket.tokens - (enough ? 1 : 0) });
      return enough ? undefined : Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
    },
    has(name) {
      const bucket = buckets.get(name);
      return !bucket || filled(bucket, world.now()).tokens >= 1;
    },
    giveBack(name) {
      const bucket = buckets.get(name);
      if (bucket) bucket.tokens = Math.min(bucket.perMinute, bucket.tokens + 1);
    },
  };
}

/** One per open store: whoever holds the garden in this process shares it. */
const limits = new WeakMap<Store, RateLimit>();
export function rateLimitOf({ store, world }: { readonly store: Store; readonly world: World }): RateLimit {
  const known = limits.get(store) ?? newRateLimit(world);
  limits.set(store, known);
  return known;
}

const PER_MINUTE: Readonly<Record<SourceType, number>> = {
  owner: 60,
  agent: 20,
  webhook: 10,
  guest: 30,
  gateway: Infinity,
};

/** What `garden.yaml` says, or else A-3. The program itself is not held back. */
export function perMinuteOf(identity: Identity, { limits: set }: Pick<GardenConfig, "limits">): number {
  const own: Partial<Record<SourceType, number | undefined>> = {
    owner: set.owner_per_minute,
    agent: set.agent_per_minute,
    webhook: set.webhook_per_minute,
    guest: set.guest_per_minute,
  };
  return own[identity.type] ?? PER_MINUTE[identity.type];
}

/** Takes one change of this identity's, or says when to come back. */
export function takeChange(
  limit: RateLimit,
  identity: Identity,
  config: Pick<GardenConfig, "limits">,
): Failure | undefined {
  const perMinute = perMinuteOf(identity, config);
  if (perMinute === Infinity) return undefined;
  const wait = limit.take(bucketName(identity), perMinute);
  return wait === undefined ? undefined : tooOften(identityName(identity), perMinute, wait);
}

const bucketName = (identity: Identity): string => `changes ${identity.type} ${identityName(identity)}`;

/** What was taken for was not made after all. */
export const giveBackChange = (limit: RateLimit, identity: Identity): void => limit.giveBack(bucketName(identity));

/**
 * Refusals are kept with all that was asked for, so they are limited too, and far above any honest use: beyond that an
 * asker is turned away unread, and nothing is written.
 */
const REFUSALS_PER_CHANGE = 10;
const UNKNOWN_PER_MINUTE = 10;

export function refusalsOf(identity: Identity | undefined, config: Pick<GardenConfig, "limits">) {
  const perMinute = (identity ? perMinuteOf(identity, config) : UNKNOWN_PER_MINUTE) * REFUSALS_PER_CHANGE;
  const who = identity ? identityName(identity) : "unknown";
  const name = `refusals ${identity?.type ?? "nobody"} ${who}`;
  return {
    /** Turned away unread, where too much was refused in the last minute. */
    turnedAway: (limit: RateLimit): Failure | undefined => (limit.has(name) ? undefined : tooOften(who, perMinute, 60)),
    count: (limit: RateLimit): void => {
      if (perMinute !== Infinity) limit.take(name, perMinute);
    },
  };
}

export const tooOften = (who: string, perMinute: number, seconds: number): Failure =>
  new Failure(
    "RATE_LIMITED",
    {
      en: `too many requests from ${who}: at most ${perMinute} a minute`,
      uk: `забагато запитів від ${who}: не більше ${perMinute} за хвилину`,
    },
    {
      hint: { en: `Try again in ${seconds} s.`, uk: `Повторіть за ${seconds} с.` },
      details: { retryAfterSeconds: seconds, perMinute },
    },
  );
