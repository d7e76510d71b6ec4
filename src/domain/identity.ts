import { z } from "zod";
import { isSlug } from "./contract/slug.ts";

/** Kinds of identities. `gateway` is the program itself (expiry, bookkeeping); it never decides. */
export const sourceTypes = ["owner", "agent", "webhook", "guest", "gateway"] as const;
export type SourceType = (typeof sourceTypes)[number];

/**
 * An authenticated caller, with its permissions beyond its kind, so that a gate needs no second lookup: an agent in a run acts for
 * that run only, a guest in the folders and with the actions of the zone.
 */
export type Identity =
  | {
      readonly type: "owner";
      /** How the owner signed in: `session`, `cli`, or the name of a token. */
      readonly via: string;
    }
  | {
      readonly type: "agent";
      readonly slug: string;
      /** Undefined for an agent outside of the garden, which has the token of this name. */
      readonly run: string | undefined;
      readonly token?: string;
      /** The hash of the contract by which it acts from outside, and its own limit of changes. */
      readonly grant?: string;
      readonly perMinute?: number;
    }
  | { readonly type: "webhook"; readonly name: string; readonly actions: readonly string[] }
  | {
      readonly type: "guest";
      readonly zone: string;
      readonly folders: readonly string[];
      readonly actions: readonly string[];
      /** A guest of the earlier system (I-2), for one imported record. */
      readonly legacy?: LegacyOrigin;
    }
  | { readonly type: "gateway" };

/** I-2: the record of the earlier system that an entry was imported from, and the one note that it may change. */
const legacyOrigin = z.strictObject({ record: z.string().max(100), note: z.string().max(2000) });
type LegacyOrigin = Readonly<z.infer<typeof legacyOrigin>>;

/** A guest of the earlier system. No zone has such a name, so no rule or code of a zone is meant for it. */
export const legacyGuest = (name: string, legacy: LegacyOrigin): Extract<Identity, { type: "guest" }> => ({
  type: "guest",
  zone: `kv:${name}`,
  folders: [legacy.note],
  actions: ["propose-edit"],
  legacy,
});

/** The name in records and commits: `owner`, an agent's slug, `webhook:<name>`, `guest:<zone>`, `gateway`. */
export function identityName(identity: Identity): string {
  switch (identity.type) {
    case "owner":
      return "owner";
    case "agent":
      return identity.slug;
    case "webhook":
      return `webhook:${identity.name}`;
    case "guest":
      return `guest:${identity.zone}`;
    case "gateway":
      return "gateway";
  }
}

export const isPerson = (identity: Identity): boolean => identity.type === "owner";

/** The command line acts as the owner: it can write the garden's files anyway. */
export const commandLineOwner: Identity = { type: "owner", via: "cli" };

/** `source` of an inbox entry (P-2). */
export const entrySource = z.strictObject({
  type: z.enum(sourceTypes),
  identity: z.string().min(1).max(200),
  /** Entries with `false` are refused at the gate; the value is kept in the record of the refusal. */
  authenticated: z.boolean(),
  timestamp: z.iso.datetime(),
  /** The run in which an agent acted. */
  run_id: z.string().optional(),
  /** Name of the token with which an agent outside of the garden acted. */
  token: z.string().optional(),
  /** The hash of its contract at that moment, which is its grant. */
  grant: z.string().optional(),
  /** Set by the import of key-value records only. */
  legacy: legacyOrigin.optional(),
});
export type EntrySource = z.infer<typeof entrySource>;

export const slugField = z.string().refine(isSlug, "slug");
