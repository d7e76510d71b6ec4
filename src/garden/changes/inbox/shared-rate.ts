import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import { keys } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";

/**
 * Rate limits of a garden that several processes serve (O-10): the bucket of a sender is a view that each of them swaps. It costs two
 * requests per change, so a process alone keeps its buckets in memory only. A process learns of another within ten seconds; until
 * then each grants a sender its whole limit.
 */
type RateDeps = Pick<Garden, "store" | "world" | "signals">;

const bucketRecord = z.strictObject({ tokens: z.number(), at: z.iso.datetime() });

const sharing = new WeakMap<Garden["signals"], () => boolean>();

/** `isShared`: whether other processes serve the garden now. */
export const shareRateLimits = ({ signals }: Pick<Garden, "signals">, isShared: () => boolean): void =>
  void sharing.set(signals, isShared);

export const areLimitsShared = ({ signals }: Pick<Garden, "signals">): boolean => sharing.get(signals)?.() ?? false;

const MINUTE_MS = 60_000;
/** Beyond this the bucket is contended by so many processes that the limit in each one's memory must do. */
const MOST_TRIES = 8;

/** Takes a token from the shared bucket; undefined if there was one, else the seconds until there is one. */
export async function takeShared(deps: RateDeps, name: string, perMinute: number): Promise<number | undefined> {
  return await change(deps, name, perMinute, (tokens) =>
    tokens >= 1 ? { tokens: tokens - 1 } : { wait: Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)) },
  );
}

/** Returns a token, for a change that was not made. */
export async function giveBackShared(deps: RateDeps, name: string, perMinute: number): Promise<void> {
  await change(deps, name, perMinute, (tokens) => ({ tokens: Math.min(perMinute, tokens + 1) }));
}

async function change(
  { store, world }: RateDeps,
  name: string,
  perMinute: number,
  next: (tokens: number) => { readonly tokens: number } | { readonly wait: number },
): Promise<number | undefined> {
  const key = keys.rate(canonicalId({ name }).slice(0, 32));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const now = world.now();
    const stored = await store.get(key);
    const known = tryReadJson(stored?.bytes, bucketRecord);
    // Clocks differ a little: a time ahead of ours counts as now, and a bucket is filled at most once.
    const passed = known ? Math.min(Math.max(0, now - Date.parse(known.at)), MINUTE_MS) : MINUTE_MS;
    const tokens = Math.min(perMinute, (known?.tokens ?? perMinute) + (passed * perMinute) / MINUTE_MS);
    const wanted = next(tokens);
    if ("wait" in wanted) return wanted.wait;
    const bytes = jsonBytes({ tokens: wanted.tokens, at: new Date(now).toISOString() });
    const written = stored ? await store.swap(key, stored.hash, bytes) : await store.create(key, bytes);
    if (written.kind === "swapped" || written.kind === "created") return undefined;
  }
  return undefined;
}
