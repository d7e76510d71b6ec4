import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { type Identity, identityName, type SourceType } from "../../../domain/identity.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { areLimitsShared, giveBackShared, takeShared } from "./shared-rate.ts";

/**
 * Rate limit per identity and minute: a token bucket that holds one minute's worth and fills evenly. In the memory
 * of the process, and in the store too where several processes serve the garden (`shared-rate.ts`); full buckets are evicted, so that there are only buckets of recent senders.
 */
export interface RateLimit {
  /** Takes a token; undefined if there was one, else the seconds until there is one. */
  take(name: string, perMinute: number): number | undefined;
  /** True if there is a token; takes none. */
  has(name: string): boolean;
  /** Seconds until there is a token; 0 if there is one. Takes none. */
  wait(name: string): number;
  /** Returns a token, for a change that was not made. */
  giveBack(name: string): void;
}

interface Bucket {
  tokens: number;
  /** The time of the last use. */
  at: number;
  perMinute: number;
}

const MINUTE = 60_000;
const MANY = 1000;

export function newRateLimit(world: Pick<World, "now">): RateLimit {
  const buckets = new Map<string, Bucket>();
  const filled = (bucket: Bucket, now: number): Bucket => {
    // A clock that jumps back has no effect; one that jumps ahead fills a bucket at most once.
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
    wait(name) {
      const bucket = buckets.get(name);
      const tokens = bucket ? filled(bucket, world.now()).tokens : 1;
      return bucket && tokens < 1 ? Math.max(1, Math.ceil(((1 - tokens) * 60) / bucket.perMinute)) : 0;
    },
    giveBack(name) {
      const bucket = buckets.get(name);
      if (bucket) bucket.tokens = Math.min(bucket.perMinute, bucket.tokens + 1);
    },
  };
}

/** One rate limit per open store. */
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

/** The limit of an outside agent's own grant, else that in `garden.yaml`, or the default of A-3. The gateway itself has none. */
export function perMinuteOf(identity: Identity, { limits: set }: Pick<GardenConfig, "limits">): number {
  if (identity.type === "agent" && identity.perMinute !== undefined) return identity.perMinute;
  const own: Partial<Record<SourceType, number | undefined>> = {
    owner: set.owner_per_minute,
    agent: set.agent_per_minute,
    webhook: set.webhook_per_minute,
    guest: set.guest_per_minute,
  };
  return own[identity.type] ?? PER_MINUTE[identity.type];
}

type LimitDeps = Pick<Garden, "store" | "world" | "signals">;

/** Takes a token, also of the bucket that several processes share; undefined if there was one, else the seconds to wait. */
export async function takeToken(garden: LimitDeps, name: string, perMinute: number): Promise<number | undefined> {
  const limit = rateLimitOf(garden);
  const wait = limit.take(name, perMinute);
  if (wait !== undefined || !areLimitsShared(garden)) return wait;
  const shared = await takeShared(garden, name, perMinute);
  if (shared !== undefined) limit.giveBack(name);
  return shared;
}

/** Takes a token for a change; returns RATE_LIMITED if there is none. */
export async function takeChange(
  garden: LimitDeps,
  identity: Identity,
  config: Pick<GardenConfig, "limits">,
): Promise<Failure | undefined> {
  const perMinute = perMinuteOf(identity, config);
  if (perMinute === Infinity) return undefined;
  const wait = await takeToken(garden, bucketName(identity), perMinute);
  return wait === undefined ? undefined : tooOften(identityName(identity), perMinute, wait);
}

const bucketName = (identity: Identity): string => `changes ${identity.type} ${identityName(identity)}`;

/** Seconds until this identity may make a change; for senders that wait instead of being refused. */
export const secondsToChange = (limit: RateLimit, identity: Identity): number => limit.wait(bucketName(identity));

/** Returns the token of a change that was not made. */
export async function giveBackChange(
  garden: LimitDeps,
  identity: Identity,
  config: Pick<GardenConfig, "limits">,
): Promise<void> {
  const name = bucketName(identity);
  rateLimitOf(garden).giveBack(name);
  const perMinute = perMinuteOf(identity, config);
  if (perMinute !== Infinity && areLimitsShared(garden)) await giveBackShared(garden, name, perMinute);
}

/**
 * Refused entries are stored, so refusals are limited too, far above any honest use: beyond that, a wish is refused
 * unread and nothing is written.
 */
const REFUSALS_PER_CHANGE = 10;
const UNKNOWN_PER_MINUTE = 10;

export function refusalsOf(identity: Identity | undefined, config: Pick<GardenConfig, "limits">) {
  const perMinute = (identity ? perMinuteOf(identity, config) : UNKNOWN_PER_MINUTE) * REFUSALS_PER_CHANGE;
  const who = identity ? identityName(identity) : "unknown";
  const name = `refusals ${identity?.type ?? "nobody"} ${who}`;
  return {
    /** RATE_LIMITED if too many wishes were refused in the last minute. */
    turnedAway: (limit: RateLimit): Failure | undefined => (limit.has(name) ? undefined : tooOften(who, perMinute, 60)),
    count: (limit: RateLimit): void => {
      if (perMinute !== Infinity) limit.take(name, perMinute);
    },
  };
}

export const tooOften = (who: string, perMinute: number, seconds: number): Failure =>
  new Failure("RATE_LIMITED", {
    en: `too many requests from ${who}: at most ${perMinute} a minute`,
    uk: `забагато запитів від ${who}: не більше ${perMinute} за хвилину`,
    hint: { en: `Try again in ${seconds} s.`, uk: `Повторіть за ${seconds} с.` },
    details: { retryAfterSeconds: seconds, perMinute },
  });
