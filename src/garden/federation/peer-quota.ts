import { z } from "zod";
import { keys } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { quotaContended } from "./failures.ts";

/** The cost of a garden here since the hour began. */
const spent = z.strictObject({
  since: z.iso.datetime(),
  bytes: z.number().min(0),
  refs: z.number().min(0),
  announcements: z.number().min(0),
});
export type PeerSpending = Omit<z.infer<typeof spent>, "since">;

export type Reserved =
  | { readonly kind: "reserved"; readonly bytes: number; readonly refs: number }
  | { readonly kind: "refused"; readonly subject: string };

type QuotaDeps = Pick<Garden, "store" | "world" | "config">;

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
const MOST_TRIES = 20;

/**
 * S-10: takes one look at a new announcement from the hourly allowance of a garden, with as many bytes as are left, at most `bytes`. The
 * record is shared by all processes, and written before anything is fetched: after a crash the bytes stay taken until the hour is over.
 */
export async function reserveLook(garden: QuotaDeps, name: string, bytes: number): Promise<Reserved> {
  const { peer_mib_per_hour, peer_refs_per_hour, peer_announcements_per_hour } = garden.config.federation;
  return change<Reserved>(garden, name, (now) => {
    const left = {
      bytes: peer_mib_per_hour * MIB - now.bytes,
      refs: peer_refs_per_hour - now.refs,
      announcements: peer_announcements_per_hour - now.announcements,
    };
    const until = new Date(Date.parse(now.since) + HOUR_MS).toISOString().replace(/:\d\d\.\d+Z$/, "Z");
    for (const what of ["bytes", "refs", "announcements"] as const)
      if (left[what] <= 0) return { result: { kind: "refused", subject: `${what}, until ${until}` } };
    const taken = Math.min(bytes, left.bytes);
    return {
      next: { ...now, bytes: now.bytes + taken, announcements: now.announcements + 1 },
      result: { kind: "reserved", bytes: taken, refs: left.refs },
    };
  });
}

/** Gives back what a look did not use. */
export const settleLook = (
  garden: QuotaDeps,
  name: string,
  reserved: number,
  used: Omit<PeerSpending, "announcements">,
) =>
  change(garden, name, (now) => ({
    next: { ...now, bytes: Math.max(0, now.bytes - reserved + used.bytes), refs: now.refs + used.refs },
    result: undefined,
  }));

async function change<T>(
  { store, world }: QuotaDeps,
  name: string,
  step: (now: z.infer<typeof spent>) => { readonly next?: z.infer<typeof spent>; readonly result: T },
): Promise<T> {
  const key = keys.gardenQuota(name);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const stored = await store.get(key);
    const known = tryReadJson(stored?.bytes, spent);
    const now = world.now();
    const isOver = !known || Math.abs(now - Date.parse(known.since)) >= HOUR_MS;
    const fresh = { since: new Date(now).toISOString(), bytes: 0, refs: 0, announcements: 0 };
    const { next, result } = step(isOver ? fresh : known);
    if (!next) return result;
    const written = stored
      ? await store.swap(key, stored.hash, jsonBytes(next))
      : await store.create(key, jsonBytes(next));
    if (written.kind === "swapped" || written.kind === "created") return result;
  }
  throw quotaContended(name);
}
